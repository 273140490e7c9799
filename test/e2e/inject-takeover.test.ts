// inject --socket as processes, on the driver and the runtime of a lab: the socket that everybody knows is the proxy's for a while.
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {openCri} from '../../src/wire/cri-client.ts'
import {capabilityOf, codeOf, csiCaller} from '../support/csi-caller.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {labProcess, startInjector} from '../support/lab-process.ts'
import {serving} from '../support/raw-sockets.ts'
import {servedDriver} from '../support/served-driver.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const lab = labProcess()
const pathOf = (endpoint: string) => endpoint.replace('unix://', '')

/** An injector in the place of a server, and what is there of it. */
async function taking(socket: string, ...more: readonly string[]) {
  const before = statSync(socket)
  const journals = join(tempDir(), 'takeover')
  const injector = await startInjector([...(more[0]?.startsWith('-') ? ['--socket', socket] : []), ...more, '--journals', journals])
  const journal = () => JSON.parse(readFileSync(join(journals, readdirSync(journals)[0] ?? ''), 'utf8'))
  return {
    ...injector,
    journals,
    journal,
    watchdog: (): number => journal().watchdog.pid,
    /** The same socket as before, nothing beside it, and nothing to be remembered. */
    isBack: () => {
      const now = statSync(socket)
      const mine = readdirSync(dirname(socket)).filter((name) => name.startsWith('.kubelimbo'))
      expect({inode: now.ino, mode: now.mode, mine, journals: readdirSync(journals)}).toEqual({
        inode: before.ino,
        mode: before.mode,
        mine: [],
        journals: [],
      })
    },
  }
}

/** By the driver's own path, a connection for each call, as a kubelet does it. */
async function stage(timeoutMs = 5000, socket = pathOf(lab.driver)) {
  using caller = await csiCaller(socket)
  const stagingTargetPath = join(lab.kubeletRoot, 'plugins/kubernetes.io/csi/csi.example.com/taken/globalmount')
  return await codeOf(
    caller.node.nodeStageVolume({volumeId: 'vol-data', stagingTargetPath, volumeCapability: capabilityOf('mount')}, {timeoutMs}),
  )
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)
const fault = ['--fault', 'error', '--code', 'INTERNAL', '--method', 'NodeStageVolume']

test('inject --socket has the calls by the path that everybody knows, and Ctrl-C gives it back at once', async () => {
  const socket = pathOf(lab.driver)
  const {mode, ino} = statSync(socket)
  const {child, said, journal, watchdog, isBack} = await taking(socket, ...fault)
  expect(said()).toMatch(
    /^unix:\/\/\S+csi\.sock is taken over until \S+ \(seed 1\); its server goes on at unix:\/\/\S+\/\.kubelimbo-[0-9a-f]{8}\.\n/,
  )
  expect(said()).toContain('It takes effect from the next call: the kubelet dials a CSI driver for each.')
  expect(await stage()).toBe('INTERNAL')
  expect(statSync(socket)).toMatchObject({mode})
  expect(journal()).toMatchObject({kind: 'Takeover', socket, original: {inode: `${ino}`}, proxy: {pid: child.pid}})
  const watching = watchdog()
  child.kill('SIGINT')
  expect(await child).toMatchObject({exitCode: 130, stderr: ''})
  expect(said().trim().split('\n').at(-1)).toBe(`Stopped: no rule is in force, and ${lab.driver} is its server's again.`)
  isBack()
  expect(await stage()).toBe('OK')
  await until(async () => expect(isAlive(watching)).toBe(false), 50, 50)
}, 60_000)

test('inject RECIPE takes over what it found, and gives it back when the time is over', async () => {
  const {child, said, isBack} = await taking(
    pathOf(lab.driver),
    'stage-hang',
    '--pvc',
    'default/data',
    '--for',
    '3s',
    '-o',
    'json',
    ...lab.node,
  )
  expect(await stage(500)).toBe('DEADLINE_EXCEEDED')
  expect(await child).toMatchObject({exitCode: 0, stderr: ''})
  const lines = said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    {kind: 'Recipe', recipe: 'stage-hang'},
    {kind: 'InjectStarted', listen: lab.driver, taken: {socket: pathOf(lab.driver), callee: 'csi', protected: true}},
    {kind: 'Taken'},
    {kind: 'Fault', code: expect.stringMatching(/DEADLINE_EXCEEDED|CANCELLED/) as string},
    {kind: 'InjectEnded', why: 'expired'},
  ])
  isBack()
}, 60_000)

test('inject --socket that is killed: its watchdog gives the socket back, and ends', async () => {
  const {child, watchdog, isBack} = await taking(pathOf(lab.driver), ...fault)
  const watching = watchdog()
  child.kill('SIGKILL')
  await child
  await until(async () => isBack(), 100, 50)
  expect(await stage()).toBe('OK')
  await until(async () => expect(isAlive(watching)).toBe(false), 50, 50)
}, 60_000)

test('inject --socket whose watchdog is killed says so and has another one; the third loss ends it', async () => {
  const {child, watchdog, isBack} = await taking(pathOf(lab.driver), ...fault)
  const seen = new Set<number>()
  for (let round = 1; round <= 3; round++) {
    await until(async () => expect(seen.has(watchdog())).toBe(false), 100, 50)
    expect(await stage()).toBe('INTERNAL')
    seen.add(watchdog())
    process.kill(watchdog(), 'SIGKILL')
  }
  const {exitCode, stdout, stderr} = await child
  expect({exitCode, last: stdout.split('\n').at(-1)}).toEqual({
    exitCode: 0,
    last: expect.stringMatching(/^There was nobody to watch over /) as string,
  })
  expect(stderr.match(/^warning: the watchdog \d+ is gone \(SIGKILL\): another one is started$/gm)).toHaveLength(2)
  isBack()
}, 60_000)

test('inject --socket whose watchdog is told to end stands down, as that has given the socket back', async () => {
  const {child, watchdog, isBack} = await taking(pathOf(lab.driver), ...fault)
  process.kill(watchdog(), 'SIGTERM')
  expect(await child).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/was given back by somebody else: no rule is in force\.$/) as string,
  })
  isBack()
}, 60_000)

test('inject --socket leaves a server alone that has restarted', async () => {
  const root = tempDir()
  const first = await servedDriver(root, {name: 'd', takes: {}})
  const {child, journals} = await taking(first.endpoint, ...fault)
  await first[Symbol.asyncDispose]()
  const second = await servedDriver(root, {name: 'd', takes: {}})
  onTestFinished(() => second[Symbol.asyncDispose]())
  const {ino} = statSync(second.endpoint)
  expect(await child).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/\nThe server has restarted and has \S+ again, which is left alone: .*$/) as string,
  })
  expect(statSync(second.endpoint).ino).toBe(ino)
  expect([readdirSync(dirname(second.endpoint)), readdirSync(journals)]).toEqual([[basename(second.endpoint)], []])
}, 60_000)

test('inject --socket before a container runtime says what else is needed, and knows the kubelet by its habits', async () => {
  const socket = pathOf(lab.runtime)
  const {child, said, isBack} = await taking(socket, '--fault', 'delay', '--method', 'StopContainer', '--delay', '1s')
  expect(said()).toContain('Only clients that connect from now on are reached: ')
  expect(said()).toContain('\nThe kubelet has not connected yet.\n')
  const asking = async (times: number) => {
    await using client = await openCri({path: socket, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000})
    for (let left = times; left > 0; left--) await client.status()
  }
  await asking(1)
  await asking(1)
  expect(said()).not.toContain('the kubelet has connected')
  await asking(2)
  await until(async () => expect(said()).toMatch(/^[\d:.]+ the kubelet has connected$/m), 50, 50)
  child.kill('SIGTERM')
  expect(await child).toMatchObject({exitCode: 143, stderr: ''})
  isBack()
}, 60_000)

test('inject --socket lets calls end that no rule holds, and cuts them off at the second Ctrl-C; the socket is back already', async () => {
  const root = tempDir()
  const driver = await servedDriver(root, {name: 'd', takes: {NodeStageVolume: 60_000}})
  driver.driver.controller.createVolume('vol-data', 'Filesystem')
  onTestFinished(() => driver[Symbol.asyncDispose]())
  const {child, said, isBack} = await taking(driver.endpoint, '--fault', 'delay', '--method', 'NodeGetInfo', '--delay', '1s')
  const held = stage(50_000, driver.endpoint)
  await systemClock.sleep(1000)
  child.kill('SIGINT')
  await until(
    async () => expect(said()).toContain('is given back. 1 call is under way, and may end within 10s; Ctrl-C cuts them off.'),
    100,
    20,
  )
  isBack()
  await systemClock.sleep(600)
  child.kill('SIGINT')
  expect(await held).not.toBe('OK')
  expect(await child).toMatchObject({exitCode: 130, stdout: expect.stringContaining('Cut off were 1 that a client waited for') as string})
}, 60_000)

test('inject add takes no rule that a socket which was taken over is not for', async () => {
  const {child, at, isBack} = await taking(pathOf(lab.driver), ...fault)
  expect(await kubelimbo(['inject', 'add', '--fault', 'register-lost', ...at])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Cannot have the rule 'register-lost' on a socket that is taken over") as string,
  })
  child.kill('SIGINT')
  await child
  isBack()
}, 60_000)

test.each([
  ['a socket that is not there', ['--socket', 'NOWHERE'], 3, 'it is not there'],
  ['a file', ['--socket', 'FILE'], 5, 'it must be a socket'],
  ['an abstract name', ['--socket', '@x'], 5, 'an abstract one has none'],
  ['a registration socket', ['--socket', 'REGISTRATION'], 5, 'it must not be in plugins_registry'],
  ['--listen beside it', ['--socket', 'SERVER', '--listen', '/tmp/x.sock'], 2, '--listen'],
  ['--upstream beside it', ['--socket', 'SERVER', '--upstream', '/tmp/x.sock'], 2, '--upstream'],
  ['--force without it', ['--force', '--listen', '/tmp/x.sock', '--upstream', 'SERVER'], 2, '--force'],
  ['a fault that needs a socket of its own', ['--socket', 'SERVER', '--fault', 'register-lost'], 5, "Cannot have the rule 'register-lost'"],
  ['a journal where others may write', ['--socket', 'SERVER', '--journals', '/tmp'], 5, 'with mode 0700'],
])('inject refuses %s, and nothing is changed', async (_, args, exitCode, why) => {
  const top = tempDir()
  const server = join(top, 's.sock')
  await serving(server)
  writeFileSync(join(top, 'file'), '')
  const registration = join(lab.kubeletRoot, 'plugins_registry/csi.example.com-reg.sock')
  const words = {NOWHERE: join(top, 'none.sock'), FILE: join(top, 'file'), REGISTRATION: registration, SERVER: server}
  const given = args.map((word) => words[word as keyof typeof words] ?? word)
  const ran = await kubelimbo(['inject', '--control', join(top, 'c/c.sock'), ...given])
  expect(ran).toMatchObject({exitCode, stdout: '', stderr: expect.stringContaining(why) as string})
  expect(readdirSync(top).sort()).toEqual(['file', 's.sock'])
})

test('inject --socket is refused where another injector has it', async () => {
  const socket = pathOf(lab.driver)
  const {child, journals, isBack} = await taking(socket, ...fault)
  const again = await kubelimbo(['inject', '--socket', socket, ...fault, '--journals', journals, '--control', join(tempDir(), 'c/c.sock')])
  expect(again).toMatchObject({exitCode: 5, stderr: expect.stringContaining(`process ${child.pid} has it until`) as string})
  expect(await stage()).toBe('INTERNAL')
  child.kill('SIGHUP')
  expect(await child).toMatchObject({exitCode: 129})
  isBack()
}, 60_000)
