// record on a disk that gets full: what is there by then stays whole, and no call of the proxy's notices.
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {readLines} from '../../../src/node/recorded/read-lines.ts'
import {readRecording} from '../../../src/node/recorded/recording.ts'
import {codeOf, csiCaller} from '../../support/csi-caller.ts'
import {start} from '../../support/kubelimbo.ts'
import {mounted} from '../../support/mounts.ts'
import {servedDriver} from '../../support/served-driver.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

test('record on a tmpfs of 64 KiB: a sentence when it is full, whole lines, all calls answered, exit code 3', async () => {
  const top = tempDir()
  const disk = join(top, 'disk')
  await using _disk = await mounted('-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', disk)
  await using driver = await servedDriver(join(top, 'driver'), {name: 'd'})
  const [listen, file] = [join(top, 'l.sock'), join(disk, 'calls.jsonl')]
  const child = start(['record', file, '--listen', listen, '--upstream', driver.endpoint, '--for', '20s', '-o', 'json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data) => (said += data))
  await until(async () => expect(said).toContain('until Ctrl-C'), 300, 50)

  const caller = await csiCaller(listen)
  onTestFinished(() => caller[Symbol.dispose]())
  let calls = 0
  for (; !said.includes('No more calls are recorded'); calls++) {
    expect(await codeOf(caller.identity.getPluginInfo({}, {timeoutMs: 5000}))).toBe('OK')
    expect(calls).toBeLessThan(5000)
  }
  for (let more = 0; more < 20; more++) expect(await codeOf(caller.identity.probe({}, {timeoutMs: 5000}))).toBe('OK')
  expect(said).toContain(
    `No more calls are recorded as ${file} must take them: ENOSPC: no space left on device, write; they pass as before`,
  )

  const ended = await child
  expect(ended.exitCode).toBe(3)
  const report = JSON.parse(ended.stdout)
  expect(report).toMatchObject({broken: 'ENOSPC: no space left on device, write'})
  expect(report.calls + report.missing).toBe(calls + 20)
  expect(readFileSync(file).length).toBe(report.bytes)
  const recording = await readRecording(readLines(file), file)
  expect(recording).toMatchObject({skipped: 0})
  expect(recording.calls).toHaveLength(report.calls)
})

test('record --socket on such a disk: the socket is given back at once, as there is nothing more to record', async () => {
  const top = tempDir()
  const disk = join(top, 'disk')
  await using _disk = await mounted('-t', 'tmpfs', '-o', 'size=16k,mode=0700', 'tmpfs', disk)
  await using driver = await servedDriver(join(top, 'driver'), {name: 'd'})
  const path = driver.endpoint.replace('unix://', '')
  const {ino} = statSync(path)
  const file = join(disk, 'calls.jsonl')
  const child = start(['record', file, '--socket', path, '--journals', join(top, 'journals'), '--for', '10m', '-o', 'json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data) => (said += data))
  await until(async () => expect(said).toContain('until Ctrl-C'), 300, 50)
  for (let calls = 0; !said.includes('No more calls are recorded'); calls++) {
    using caller = await csiCaller(path)
    expect(await codeOf(caller.identity.getPluginInfo({}, {timeoutMs: 5000}))).toBe('OK')
    expect(calls).toBeLessThan(5000)
  }
  const ended = await child
  expect(ended.exitCode).toBe(3)
  expect(statSync(path).ino).toBe(ino)
  expect(readdirSync(join(top, 'journals'))).toEqual([])
  expect(await readRecording(readLines(file), file)).toMatchObject({skipped: 0})
})
