import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type ContainerEventResponse, ContainerEventType, ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {type LabClients, refusal, startLabClients} from '../../support/lab-clients.ts'

let lab: LabClients
beforeAll(async () => {
  lab = await startLabClients()
})
afterAll(() => lab?.[Symbol.asyncDispose]())

const sh = (script: string) => ({command: ['sh', '-c', script]})

test.each<[string, readonly string[], {exitCode: number; stdout: string}]>([
  ['what it echoes', ['echo', '-n', 'good', 'day'], {exitCode: 0, stdout: 'good day'}],
  ['how it ends', ['sh', '-c', 'echo one; echo two; exit 3'], {exitCode: 3, stdout: 'one\ntwo\n'}],
  ["the pod's host name", ['hostname'], {exitCode: 0, stdout: 'box\n'}],
  [
    "the pod's resolv.conf",
    ['cat', '/etc/resolv.conf'],
    {exitCode: 0, stdout: 'search a.example b.example\nnameserver 10.0.0.1\noptions ndots:5\n'},
  ],
  ['who it is', ['id', '-u'], {exitCode: 0, stdout: '1000\n'}],
  ['its group', ['id', '-g'], {exitCode: 0, stdout: '0\n'}],
  ['no name of a user that nobody has named', ['id', '-un'], {exitCode: 1, stdout: ''}],
  ['a file that is not there', ['cat', '/no'], {exitCode: 1, stdout: ''}],
  ['what is mounted', ['ls', '-A', '/real'], {exitCode: 0, stdout: 'one\ntwo\n'}],
  ['what is mounted from nowhere', ['ls', '-A', '/unreal'], {exitCode: 1, stdout: ''}],
  ['the processes of a name', ['sh', '-c', 'pgrep sleep || true'], {exitCode: 0, stdout: '1\n'}],
  ['the processes of another name', ['sh', '-c', 'pgrep top || true'], {exitCode: 0, stdout: ''}],
])('execSync() tells %s', async (_, cmd, expected) => {
  const sandbox = await lab.run(`exec ${cmd.join(' ')}`, {
    hostname: 'box',
    dnsConfig: {servers: ['10.0.0.1'], searches: ['a.example', 'b.example'], options: ['ndots:5']},
  })
  const folder = join(lab.folder, 'mounted')
  mkdirSync(folder, {recursive: true})
  for (const name of ['one', 'two']) writeFileSync(join(folder, name), '')
  const mounts = [
    {containerPath: '/real', hostPath: folder},
    {containerPath: '/unreal', hostPath: '/nowhere'},
  ]
  const containerId = await lab.create(sandbox, 'exec', {
    command: ['sleep', '100000'],
    mounts,
    linux: {securityContext: {runAsUser: {value: 1000n}}},
  })
  await lab.runtime.startContainer({containerId})
  const {exitCode, stdout, stderr} = await lab.runtime.execSync({containerId, cmd: [...cmd]})
  expect({exitCode, stdout: new TextDecoder().decode(stdout)}).toEqual(expected)
  expect(stderr).toHaveLength(0)
})

test('criRoutes() writes what a container says into its log, and into a new one after a rotation', async () => {
  const {container} = await lab.running('talker', {...sh('while true; do echo again; sleep 2; done'), logPath: 'talker.log'})
  const path = join(lab.folder, 'talker.log')
  const lines = (of: string) => readFileSync(of, 'utf8').split('\n').slice(0, -1)
  await expect.poll(() => lines(path).length).toBeGreaterThan(1)
  expect(lines(path)[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z stdout F again$/)
  renameSync(path, `${path}.1`)
  await lab.runtime.reopenContainerLog({containerId: container})
  const before = lines(`${path}.1`).length
  await expect.poll(() => lines(path).length).toBeGreaterThan(1)
  expect(lines(`${path}.1`)).toHaveLength(before)
  await lab.runtime.stopContainer({containerId: container, timeout: 0n})
  expect(await refusal(lab.runtime.reopenContainerLog({containerId: container}))).toBe('Unknown: container is not running')
})

test('criRoutes() marks the last line of a log that has no end', async () => {
  await lab.running('half', {...sh('echo whole; echo -n half'), logPath: 'half.log'})
  const read = () => readFileSync(join(lab.folder, 'half.log'), 'utf8').replaceAll(/^\S+ /gm, '')
  await expect.poll(read).toBe('stdout F whole\nstdout P half\n')
})

const {CONTAINER_CREATED_EVENT, CONTAINER_STARTED_EVENT, CONTAINER_STOPPED_EVENT, CONTAINER_DELETED_EVENT} = ContainerEventType

test('getContainerEvents() tells of sandboxes and containers from then on, with their statuses', async () => {
  const over = new AbortController()
  const seen: ContainerEventResponse[] = []
  const listening = (async () => {
    for await (const event of lab.runtime.getContainerEvents({}, {signal: over.signal})) seen.push(event)
  })().catch(() => {})
  // Nothing says that the stream has begun, so something happens until it is told.
  for (let probe = 0; seen.length === 0; probe++) await lab.run(`probe ${probe}`)
  const {sandbox, container} = await lab.running('told', sh('exit 4'))
  const its = () => seen.filter(({podSandboxStatus, containerId}) => podSandboxStatus?.id === sandbox || containerId === sandbox)
  await expect.poll(() => its().length).toBe(5)
  await lab.runtime.removePodSandbox({podSandboxId: sandbox})
  await expect.poll(() => its().length).toBe(8)
  const words = its().map(({containerId, containerEventType}) => [containerId === container ? 'container' : 'sandbox', containerEventType])
  expect(words).toEqual([
    ['sandbox', CONTAINER_CREATED_EVENT],
    ['sandbox', CONTAINER_STARTED_EVENT],
    ['container', CONTAINER_CREATED_EVENT],
    ['container', CONTAINER_STARTED_EVENT],
    ['container', CONTAINER_STOPPED_EVENT],
    ['sandbox', CONTAINER_STOPPED_EVENT],
    ['container', CONTAINER_DELETED_EVENT],
    ['sandbox', CONTAINER_DELETED_EVENT],
  ])
  expect(its()[4]?.containersStatuses).toMatchObject([{id: container, exitCode: 4, state: ContainerState.CONTAINER_EXITED}])
  over.abort()
  await listening
})
