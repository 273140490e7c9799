// A server that restarts again and again, as a driver does: it removes what is at its path, binds, and takes its path away when it closes. Ends restarting when its stdin ends.
import {rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'

const [path = '', seed = '1'] = process.argv.slice(2)
const dice = seeded(Number(seed))
let goesOn = true
process.stdin.resume().once('end', () => {
  goesOn = false
})
const start = () =>
  new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('served'))
    rmSync(path, {force: true})
    server.once('error', (error) => process.stdout.write(`${error.message}\n`))
    server.listen(path, () => resolve(server))
  })

let server = await start()
process.stdout.write('listens\n')
while (goesOn) {
  await systemClock.sleep(dice.roll(60))
  if (dice.roll(3) === 0) continue
  server.close()
  await systemClock.sleep(dice.roll(3))
  server = await start()
}
process.stdout.write('stays\n')
await systemClock.sleep(60_000)
