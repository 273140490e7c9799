// record as a process, on the driver and the runtime of a lab.
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {readLines} from '../../src/node/recorded/read-lines.ts'
import {readRecording} from '../../src/node/recorded/recording.ts'
import {capabilityOf, codeOf, csiCaller} from '../support/csi-caller.ts'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {servedDriver} from '../support/served-driver.ts'
import {shortDir, tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const folder = shortDir()
const lab = join(folder, 'lab')
let driver = ''
let runtime = ''
let kubeletRoot = ''

beforeAll(async () => {
  const up = await kubelimbo(['lab', 'up', '--dir', lab, '-o', 'json'])
  expect(up).toMatchObject({exitCode: 0, stderr: ''})
  const record = JSON.parse(up.stdout)
  driver = record.drivers[0].endpoint
  runtime = record.runtime
  kubeletRoot = record.kubeletRoot
}, 60_000)
afterAll(async () => void (await kubelimbo(['lab', 'down', '--dir', lab])), 60_000)

const pathOf = (endpoint: string) => endpoint.replace('unix://', '')

async function recording(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(['record', ...args], env)
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data) => (said += data))
  await until(async () => expect(said).toContain('until Ctrl-C'), 300, 50).catch(async () => {
    child.kill()
    throw new Error((await child).stderr)
  })
  return {child, said: () => said}
}

const planted = 'pl4nted-v4lue'

test('record: what a driver and a runtime are asked and answer, without secrets, until Ctrl-C; then its report', async () => {
  const top = tempDir()
  const [csi, cri, file] = [join(top, 'csi.sock'), join(top, 'cri.sock'), join(top, 'rec/calls.jsonl')]
  const places = ['--listen', csi, '--upstream', driver, '--listen', cri, '--upstream', runtime]
  const {child, said} = await recording([file, ...places, '-o', 'json'])
  expect(said()).toBe(`calls by unix://${csi} before ${driver}, unix://${cri} before ${runtime} go into ${file}, for 10m or until Ctrl-C\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(top, 'rec')).mode & 0o777).toBe(0o700)

  const {node, [Symbol.dispose]: close} = await csiCaller(csi)
  onTestFinished(close)
  const stagingTargetPath = join(kubeletRoot, 'plugins/kubernetes.io/csi/csi.example.com/recorded/globalmount')
  const secrets = {nodeStageSecret: planted}
  const request = {
    volumeId: 'vol-data',
    stagingTargetPath,
    volumeCapability: capabilityOf('mount'),
    secrets,
    volumeContext: {password: planted},
  }
  expect(await codeOf(node.nodeStageVolume(request, {timeoutMs: 5000}))).toBe('OK')
  expect(await codeOf(node.nodeUnstageVolume({volumeId: 'vol-data', stagingTargetPath}, {timeoutMs: 5000}))).toBe('OK')
  expect(await codeOf(node.nodeStageVolume({...request, volumeId: ''}, {timeoutMs: 5000}))).toBe('INVALID_ARGUMENT')
  const listed = await kubelimbo(['ps', '-r', `unix://${cri}`, '-o', 'json'])
  expect(listed.exitCode).toBe(0)

  child.kill('SIGINT')
  const ended = await child
  expect(ended.exitCode).toBe(130)
  const report = JSON.parse(ended.stdout)
  expect(report).toMatchObject({
    kind: 'RecordReport',
    file,
    sockets: [pathOf(driver), pathOf(runtime)],
    missing: 0,
    bytes: statSync(file).size,
    replay: `kubelimbo replay ${file}`,
    unkept: {},
    redactions: {'secret field': 4},
  })
  expect(report.methods).toContainEqual({
    socket: pathOf(driver),
    service: 'csi.v1.Node',
    method: 'NodeStageVolume',
    calls: 2,
    codes: {OK: 1, INVALID_ARGUMENT: 1},
  })

  const {head, calls, skipped} = await readRecording(readLines(file), file)
  expect(skipped).toBe(0)
  expect(head.metadata.tool).toMatch(/^kubelimbo \d/)
  const stages = calls.filter(({method}) => method === 'NodeStageVolume')
  expect(stages).toMatchObject([
    {
      socket: pathOf(driver),
      code: 'OK',
      timeoutMs: expect.any(Number),
      request: {volumeId: 'vol-data', secrets: {nodeStageSecret: '[redacted]'}, volumeContext: {password: '[redacted]'}},
      responses: [{}],
    },
    {code: 'INVALID_ARGUMENT', message: expect.stringMatching(/./), responses: []},
  ])
  const containers = calls.find(({method}) => /^(?:List|Stream)Containers$/.test(method))
  expect(containers?.socket, calls.map(({method}) => method).join(' ')).toBe(pathOf(runtime))
  const answer = containers?.responses?.[0] as {readonly containers?: readonly {readonly id: string}[]}
  expect((answer.containers ?? []).map(({id}) => id)).toEqual(JSON.parse(listed.stdout).containers.map(({id}: {readonly id: string}) => id))
  const version = calls.find(({method, socket}) => method === 'Version' && socket === pathOf(runtime))
  expect(version, calls.map(({method}) => method).join(' ')).toMatchObject({code: 'OK', responses: [{runtimeApiVersion: 'v1'}]})
  for (const name of readdirSync(top, {recursive: true}) as string[])
    if (statSync(join(top, name)).isFile()) expect(readFileSync(join(top, name), 'latin1')).not.toContain(planted)
  expect(existsSync(csi)).toBe(false)
}, 60_000)

test("record: without a file's name into the folder of the user's state, for a while, with a table at the end", async () => {
  const [top, state] = [tempDir(), tempDir()]
  const {child} = await recording(['--listen', join(top, 'csi.sock'), '--upstream', driver, '--for', '3s'], {XDG_STATE_HOME: state})
  const {identity, [Symbol.dispose]: close} = await csiCaller(join(top, 'csi.sock'))
  onTestFinished(close)
  await identity.getPluginInfo({}, {timeoutMs: 5000})
  const ended = await child
  const [name = ''] = readdirSync(join(state, 'kubelimbo/recordings'))
  expect(name).toMatch(/-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.jsonl$/)
  const file = join(state, 'kubelimbo/recordings', name)
  expect(ended.exitCode).toBe(0)
  expect(ended.stdout.split('\n')).toEqual([
    expect.stringMatching(/^SOCKET +METHOD +CALLS +CODES$/),
    expect.stringMatching(/ csi\.v1\.Identity\/GetPluginInfo +1 +1 OK$/),
    expect.stringMatching(new RegExp(`^${file}: 1 call, \\d+ bytes$`)),
    'Nothing had to be taken out.',
    `Serve it with: kubelimbo replay ${file}`,
  ])
}, 60_000)

test("record --socket: takes the driver's own socket over and gives it back, with what clients asked meanwhile", async () => {
  const top = tempDir()
  const [file, journals] = [join(top, 'calls.jsonl'), join(top, 'journals')]
  const path = pathOf(driver)
  const before = statSync(path, {bigint: true})
  const {child, said} = await recording([file, '--socket', path, '--journals', journals, '-o', 'yaml'])
  expect(said()).toContain(`unix://${path} is taken over. It is given back at Ctrl-C`)
  expect(said()).toContain('It takes effect from the next call')
  expect(statSync(path, {bigint: true}).ino).not.toBe(before.ino)
  const {identity, [Symbol.dispose]: close} = await csiCaller(path)
  expect((await identity.getPluginInfo({}, {timeoutMs: 5000})).name).toBe('csi.example.com')
  close()
  child.kill('SIGINT')
  const ended = await child
  expect(ended.exitCode).toBe(130)
  expect(ended.stdout).toContain('kind: RecordReport')
  expect(ended.stdout).toContain('method: GetPluginInfo')
  expect(statSync(path, {bigint: true}).ino).toBe(before.ino)
  expect(readdirSync(journals)).toEqual([])
  const {calls} = await readRecording(readLines(file), file)
  expect(calls.filter(({method}) => method === 'GetPluginInfo')).toMatchObject([
    {socket: path, code: 'OK', responses: [{name: 'csi.example.com'}]},
  ])
}, 60_000)

test('record --socket: a server that starts again has its socket, and the recording ends with what it has', async () => {
  const top = tempDir()
  const first = await servedDriver(top, {name: 'd'})
  const path = pathOf(first.endpoint)
  const file = join(top, 'calls.jsonl')
  const {child, said} = await recording([file, '--socket', path, '--journals', join(top, 'journals')])
  const probed = async () => {
    using caller = await csiCaller(path)
    return await codeOf(caller.identity.probe({}, {timeoutMs: 5000}))
  }
  expect(await probed()).toBe('OK')
  await first[Symbol.asyncDispose]()
  await using _second = await servedDriver(top, {name: 'd'})
  const ended = await child
  expect(said()).toContain(`warning: No more calls of unix://${path} are recorded: its server has restarted, and has it again`)
  expect(ended.exitCode).toBe(0)
  expect(await probed()).toBe('OK')
  expect(readdirSync(join(top, 'journals'))).toEqual([])
  expect((await readRecording(readLines(file), file)).calls.filter(({method}) => method === 'Probe')).toHaveLength(1)
}, 60_000)

test('record: what cannot be is refused, and no file is left', async () => {
  const top = tempDir()
  const file = join(top, 'calls.jsonl')
  const place = ['--listen', join(top, 'csi.sock'), '--upstream', driver]
  expect(await kubelimbo(['record', file])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Cannot record as --socket or --listen must be given: it is not'),
  })
  expect(await kubelimbo(['record', file, ...place, '--listen', '@more'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--upstream must be given'),
  })
  expect(await kubelimbo(['record', file, ...place.slice(0, 3), join(top, 'none.sock')])).toMatchObject({exitCode: 3})
  expect(await kubelimbo(['record', file, ...place, '--for', '25h'])).toMatchObject({exitCode: 2})
  expect(existsSync(file)).toBe(false)
  expect(await kubelimbo(['record', '/proc/none/calls.jsonl', ...place])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('must be a new file'),
  })
  // Something lives where it is to listen.
  expect(await kubelimbo(['record', file, '--listen', pathOf(driver), '--upstream', driver])).toMatchObject({exitCode: 5})
  expect(existsSync(file)).toBe(false)
}, 60_000)
