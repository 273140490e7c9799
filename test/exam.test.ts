import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import {type ExamRequest, exam} from '../src/exam.ts'
import {startLabNode} from '../src/lab/lab-node.ts'
import {examCase, examCases} from '../src/scenario/exam-cases.ts'
import {judge} from '../src/scenario/judge.ts'
import {play} from '../src/scenario/play.ts'
import {switchedProfile} from '../src/scenario/switched-profile.ts'
import {mistakes, plantedDriver} from './support/planted-driver.ts'
import {tempDir} from './support/socket-dir.ts'

function request(endpoint: string, more: Partial<ExamRequest> = {}): ExamRequest {
  return {
    endpoint,
    cases: [],
    kubelet: '1.36.2',
    scale: 20,
    volumeModes: ['Filesystem'],
    parameters: {},
    fsType: '',
    root: join(tempDir(), 'kubelet'),
    seed: 1,
    timelines: false,
    tool: 'kubelimbo 0.0.0',
    clock: systemClock,
    signal: new AbortController().signal,
    ...more,
  }
}

const verdicts = (report: Awaited<ReturnType<typeof exam>>) => Object.fromEntries(report.cases.map(({name, verdict}) => [name, verdict]))

const cases = await examCases([], 'csi.example.com')

test.each(cases.map((each) => ({name: each.name, scenario: each})))(
  'the case $name is passed by the driver of the lab, on each kubelet that its fixes are in',
  async ({scenario}) => {
    for (const version of ['1.26.5', '1.36.2']) {
      for (const mode of ['Filesystem', 'Block'] as const) {
        const own = examCase(scenario, {handle: 'vol-data', mode, fsType: '', context: {}}, true)
        if (own === undefined) throw new Error('it is about staging')
        const profile = switchedProfile(version, [])
        const record = await play(own, {profile, seed: 1, startNode: startLabNode})
        expect({version, mode, ...judge(own, profile, record)}).toMatchObject({met: true})
      }
    }
  },
)

test('exam() passes a driver that makes no mistake, and says what it did not try', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  const report = await exam(request(`unix://${driver.endpoint}`))
  const {'driver-restart': restart, ...others} = verdicts(report)
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, 'passed'])))
  expect(Object.keys(others)).toHaveLength(10)
  expect(restart).toBe('not tried')
  expect(report).toMatchObject({passed: true, metadata: {driver: 'planted.example.com', scale: 20}})
})

test('exam() names each of three mistakes by the cases about it, and no other', async () => {
  await using driver = await plantedDriver(tempDir(), Object.keys(mistakes) as (keyof typeof mistakes)[])
  const root = join(tempDir(), 'kubelet')
  const report = await exam(request(driver.endpoint, {root}))
  expect(verdicts(report)).toEqual({
    'use-and-leave': 'passed',
    // stage-twice
    'late-stage': 'failed',
    duplicates: 'failed',
    'kubelet-restart': 'failed',
    // not-aborted
    'aborted-while-pending': 'failed',
    // unpublish-needs-target
    'unpublish-without-target': 'failed',
    'late-publish': 'passed',
    'unstage-after-timed-out-stage': 'passed',
    'unpublish-after-timed-out-publish': 'passed',
    'unstage-without-stage': 'passed',
    'driver-restart': 'not tried',
  })
  expect(report.passed).toBe(false)
  const because = (name: string) => report.cases.find((each) => each.name === name)?.because
  expect(because('late-stage')).toMatch(/ALREADY_EXISTS|NodeStageVolume/)
  expect(because('aborted-while-pending')).toMatch(/NodePublishVolume/)
  expect(because('unpublish-without-target')).toMatch(/NodeUnpublishVolume/)
  expect(existsSync(join(root, 'late-stage-filesystem', 'pods'))).toBe(false)
})

test('exam() restarts the driver when it is told how', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  const told = join(tempDir(), 'told')
  const report = await exam(request(driver.endpoint, {cases: ['driver-restart'], restartCommand: `echo restarted > ${told}`}))
  expect(verdicts(report)).toEqual({'driver-restart': 'passed'})
  expect(existsSync(told)).toBe(true)
})

test('exam() says so when the driver is not restarted', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  const report = await exam(request(driver.endpoint, {cases: ['driver-restart'], restartCommand: 'echo no such unit >&2; exit 4'}))
  expect(report.cases[0]).toMatchObject({
    verdict: 'not tried',
    because: expect.stringMatching(/^the driver was not restarted: .*4.*no such unit/s),
  })
})

test('exam() says that the driver is gone when it dies on the way', async () => {
  const driver = await plantedDriver(tempDir(), [])
  const asked = exam(request(driver.endpoint, {cases: ['late-stage']}))
  await systemClock.sleep(1500)
  await driver[Symbol.asyncDispose]()
  expect((await asked).cases[0]).toMatchObject({verdict: 'inconclusive', because: expect.stringMatching(/^the driver is gone: its socket/)})
}, 60_000)

test('exam() that is ended clears away first, and says who ended it', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  const end = new AbortController()
  const root = join(tempDir(), 'kubelet')
  const asked = exam(request(driver.endpoint, {root, cases: ['late-stage', 'late-publish'], signal: end.signal}))
  await systemClock.sleep(1500)
  end.abort(new Error('enough'))
  await expect(asked).rejects.toThrow(/^enough$/)
  expect(existsSync(root)).toBe(false)
  const {volumes} = driver
  expect(volumes()).toEqual([])
})

test.each([
  ['nobody listens', '/nonexistent/csi.sock', /^Cannot examine the driver at \/nonexistent\/csi.sock as it must answer: UNAVAILABLE/],
  ['it is no address', 'csi.sock', /^Cannot use the endpoint of the driver as it must be the address of a unix socket: it is 'csi.sock'/],
])('exam() says so when %s', async (_, endpoint, message) => {
  await expect(exam(request(endpoint))).rejects.toThrow(message)
})

test('exam() says which cases there are when one is named that there is not', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  await expect(exam(request(driver.endpoint, {cases: ['late-stag']}))).rejects.toThrow(
    /^Cannot find the case as it must be one of .*: it is 'late-stag'$/,
  )
})
