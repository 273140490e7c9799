import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'
import {expect, test} from 'vitest'
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import {transit} from '../../src/base/transit.ts'
import {tempDir} from '../support/socket-dir.ts'

/** Two ends of one connection that a transit watches. */
async function ends() {
  const way = transit()
  const {dialled, accepted} = way.listener()
  const path = `${tempDir()}/s`
  const server = createServer().listen(path)
  await once(server, 'listening')
  const taken = once(server, 'connection')
  const client = connect(path)
  await once(client, 'connect')
  dialled(client)
  const [socket] = (await taken) as [Socket]
  accepted(socket)
  return {
    way,
    client,
    socket,
    [Symbol.dispose]: () => {
      client.destroy()
      socket.destroy()
      server.close()
    },
  }
}

test('transit().quiesce() waits until what one end wrote was read and answered at the other', async () => {
  using both = await ends()
  const {way, client, socket} = both
  let answer = ''
  socket.on('data', (chunk) => {
    // One turn of promises later, and in two parts.
    void Promise.resolve().then(() => {
      socket.write(`${chunk}`.slice(0, 500_000))
      socket.write(`${chunk}`.slice(500_000))
    })
  })
  client.on('data', (chunk) => {
    answer += chunk
  })
  client.write('x'.repeat(1_000_000))
  await way.quiesce()
  expect(answer.length).toBe(1_000_000)
})

test('transit().quiesce() waits for a connection of which one end is closed', async () => {
  using both = await ends()
  const {way, client, socket} = both
  let ended = false
  socket.resume().on('close', () => {
    ended = true
  })
  client.destroy()
  await way.quiesce()
  expect(ended).toBe(true)
})

test('transit().quiesce() waits for what was begun, once', async () => {
  const way = transit()
  const end = way.begin()
  const other = way.begin()
  let still = false
  const quiet = way.quiesce().then(() => {
    still = true
  })
  end()
  end()
  await new Promise((resolve) => setImmediate(resolve))
  expect(still).toBe(false)
  other()
  await quiet
})

test('simulatedClock() stands still while something is under way on a socket', async () => {
  using both = await ends()
  const {way, client, socket} = both
  const clock = simulatedClock(0, way.quiesce)
  const heard: number[] = []
  socket.on('data', () => heard.push(clock.now()))
  const speak = async () => {
    for (let count = 0; count < 100; count++) {
      client.write('x')
      await clock.sleep(10)
    }
  }
  void speak()
  await clock.run(2000)
  expect(heard).toEqual(Array.from({length: 100}, (_, index) => index * 10))
})
