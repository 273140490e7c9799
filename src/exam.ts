// Asks a real CSI driver what a kubelet asks, in the cases in which kubelets and drivers have lost volumes, and says what a kubelet makes of its answers.

import {rmdir} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import type {Clock} from './base/clock.ts'
import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {makeNamedDirectory} from './base/make-directory.ts'
import {scaledClock} from './base/scaled-clock.ts'
import type {VolumeMode} from './kubelet/csi.ts'
import {CallFailure} from './kubelet/port.ts'
import {startExamNode} from './lab/exam-node.ts'
import {type Examinee, openExaminee} from './lab/remote/examinee.ts'
import {examCase, examCases} from './scenario/exam-cases.ts'
import {type ExamReport, type ExamRun, examReport} from './scenario/exam-report.ts'
import {judge} from './scenario/judge.ts'
import {play} from './scenario/play.ts'
import type {Scenario} from './scenario/schema/scenario.ts'
import {switchedProfile} from './scenario/switched-profile.ts'
import {wholeRun} from './scenario/whole-run.ts'
import {parseSocketAddress} from './wire/socket-address.ts'

export interface ExamRequest {
  readonly endpoint: string
  /** None: all. */
  readonly cases: readonly string[]
  readonly kubelet: string
  readonly scale: number
  readonly volumeModes: readonly VolumeMode[]
  /** Of the storage class. */
  readonly parameters: Readonly<Record<string, string>>
  readonly fsType: string
  /** For a shell: ends the driver's process and starts it again. */
  readonly restartCommand?: string
  /** Where the kubelet keeps what it keeps: the driver must see it under the same name. */
  readonly root: string
  readonly seed: number
  readonly timelines: boolean
  readonly tool: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** @throws UserError when the driver cannot be asked at all */
export async function exam(request: ExamRequest): Promise<ExamReport> {
  await makeNamedDirectory(request.root, 0o750, '--root')
  try {
    return await wholeRun('the exam', () => sit(request))
  } catch (error) {
    // Whoever ended it knows why.
    request.signal.throwIfAborted()
    throw error
  } finally {
    // Where a case could not clear away it stays, with what is in it.
    await rmdir(request.root).catch(() => undefined)
  }
}

async function sit(request: ExamRequest): Promise<ExamReport> {
  const {endpoint, cases, kubelet, scale, volumeModes, seed, timelines, tool} = request
  const {path} = parseSocketAddress(endpoint, 'the endpoint of the driver')
  const driver = await examinee(request, path)
  const scenarios = await examCases(cases, driver.name)
  const sitting: Sitting = {request, path, driver}
  const all = volumeModes.flatMap((volumeMode) => scenarios.map((scenario) => ({scenario, volumeMode})))
  // Side by side, as no two have a volume in common; but when the driver is restarted nobody else may be at work.
  const alone = all.filter(({scenario}) => restarts(scenario))
  const ran = await allOf(all.filter(({scenario}) => !restarts(scenario)).map((each) => run(sitting, each)))
  for (const each of alone) ran.push(await run(sitting, each))
  const {name, vendorVersion: version, capabilities} = driver
  const metadata = {tool, endpoint: `unix://${path}`, driver: name, version, capabilities, kubelet, scale, seed}
  return examReport(ran, metadata, timelines)
}

interface Sitting {
  readonly request: ExamRequest
  readonly path: string
  readonly driver: Examinee
}

async function examinee({clock, signal}: ExamRequest, path: string): Promise<Examinee> {
  const cannot = (why: string, hint: string, exit: 2 | 3) => new UserError(`Cannot examine the driver at ${path} as ${why}`, {hint, exit})
  let driver: Examinee
  try {
    driver = await openExaminee({path, clock: scaledClock(clock, 1), signal})
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    signal.throwIfAborted()
    throw cannot(
      `it must answer: ${error.code} ${error.message}`,
      error.code === 'DEADLINE_EXCEEDED'
        ? 'it takes connections and does not answer: see what hangs it'
        : 'start it first, and name its own socket, not that of its registration',
      exitCodes.blind,
    )
  }
  if (!driver.makesVolumes)
    throw cannot(
      'its socket must have a controller that makes volumes (CREATE_DELETE_VOLUME): it has none',
      'most drivers serve both on one socket when they are told to; a driver whose volumes somebody else makes cannot be examined yet',
      exitCodes.usage,
    )
  return driver
}

/** Of the kubelet's time: a machine that was so busy has shown nothing. */
const tooLateMs = 30_000

/** Also of those that end others must not leave before they have cleared away. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

const restarts = ({steps}: Scenario): boolean => steps.some((step) => 'restartDriver' in step)

interface Restarter {
  readonly now: () => void
  /** Of the command, if it was run and failed. */
  failure(): Promise<string | undefined>
}

function restarter(command = ''): Restarter {
  let failure: Promise<string | undefined> = Promise.resolve(undefined)
  const restart = async () => {
    const {failed, shortMessage = '', stderr} = await execa(command, {shell: true, reject: false, stdin: 'ignore', timeout: restartWithin})
    return failed ? [shortMessage, stderr].filter((text) => text !== '').join(': ') : undefined
  }
  return {
    now: () => {
      failure = restart()
    },
    failure: () => failure,
  }
}

const restartWithin = 60_000

async function run({request, path, driver}: Sitting, about: Pick<ExamRun, 'scenario' | 'volumeMode'>): Promise<ExamRun> {
  const {kubelet, scale, seed, clock, root, fsType, parameters, restartCommand, signal} = request
  const {scenario, volumeMode} = about
  if (restarts(scenario) && restartCommand === undefined)
    return {...about, ran: {notTried: 'nobody said how the driver is restarted (--restart-command)'}}
  const stages = driver.capabilities.includes('STAGE_UNSTAGE_VOLUME')
  // One that an exam before could not remove is not this one.
  const name = `kubelimbo-exam-${clock.now().toString(36)}-${scenario.name}-${volumeMode.toLowerCase()}`
  try {
    const made = await driver.createVolume({name, mode: volumeMode, fsType, parameters})
    try {
      const own = examCase(scenario, {...made, mode: volumeMode, fsType}, stages)
      if (own === undefined) return {...about, ran: {notTried: 'the driver does not stage (STAGE_UNSTAGE_VOLUME)'}}
      const profile = switchedProfile(kubelet, [])
      const restart = restarter(restartCommand)
      const record = await play(own, {
        profile,
        seed,
        isOver: (soFar) => judge(own, profile, {...soFar, failures: []}).met,
        startNode: (options) =>
          startExamNode(options, {
            path,
            driver,
            root: join(root, `${scenario.name}-${volumeMode.toLowerCase()}`),
            clock,
            scale,
            publishContext: made.publishContext,
            signal,
            restart: restart.now,
          }),
      })
      const failure = await restart.failure()
      if (failure !== undefined) return {...about, ran: {notTried: `the driver was not restarted: ${failure}`}}
      // Of the cases nothing is a matter of a few seconds.
      const {lateMs = 0, ...inTime} = record
      return {...about, ran: {judged: judge(own, profile, lateMs > tooLateMs ? record : inTime), record}}
    } finally {
      await driver.deleteVolume(made.handle).catch(() => undefined)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CallFailure)) throw error
    return {...about, ran: {notTried: `the driver made no volume for it: ${error.code} ${error.message}`}}
  }
}
