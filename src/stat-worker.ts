// Looks at files and directories in the stead of the process that started it, which must not hang.
import {serveStats} from './node/disk/serve.ts'
import {writeNow} from './node/disk/write-now.ts'

/** Ends when its input does. @param output a file descriptor. */
export async function statWorker(input: AsyncIterable<Uint8Array>, output: number): Promise<void> {
  await serveStats(input, (line) => writeNow(output, line))
}
