// What a proxy does that takes a call and changes nothing.
import type {TakenCall} from '../../src/proxy/relay/handling.ts'

/** @param hold is waited for before the server hears of the call */
export async function bridge({client, head, open}: TakenCall, hold: () => Promise<void> = async () => undefined): Promise<void> {
  await hold()
  const up = await open(head.fields).catch((error) => {
    client.reset(error.code)
    throw error
  })
  const request = async () => {
    for await (const piece of client) await up.write(piece)
    up.end(client.trailers)
  }
  const response = async () => {
    client.sendHeaders(await up.response)
    for await (const piece of up) await client.write(piece)
    client.end(up.trailers)
  }
  up.signal.addEventListener('abort', () => client.reset(up.failure?.code))
  await Promise.all([request().catch(() => undefined), response().catch(() => undefined)])
}
