// Flags of exam, and the request that the verb takes.
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {boolean, option, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import type {ExamRequest} from '../exam.ts'
import {examOutputs} from '../render/exam.ts'
import {usualSeed} from '../scenario/play.ts'
import {given} from './flags.ts'
import {wholeNumber} from './whole-number.ts'

export const examFlags = {
  'csi-endpoint': string({
    required: true,
    helpValue: 'ENDPOINT',
    description: "the driver's socket, such as unix:///csi/csi.sock, with its node service and its controller",
  }),
  'volume-mode': option({
    options: ['filesystem', 'block', 'both'] as const,
    default: 'filesystem',
    description: 'what the volumes are; raw block volumes need root, for loop devices',
  })(),
  scale: wholeNumber(
    '--scale',
    1,
    50,
  )({
    helpValue: 'N',
    default: 10,
    description:
      "the kubelet's time runs that many times as fast: with 10 its two minutes of patience are 12 s, and a driver must be as quick",
  }),
  'restart-command': string({helpValue: 'COMMAND', description: 'for a shell: restarts the driver; without it, that case is not tried'}),
  parameter: string({
    helpValue: 'KEY=VALUE',
    multiple: true,
    multipleNonGreedy: true,
    description: 'of the storage class; may be repeated',
  }),
  'fs-type': string({helpValue: 'TYPE', default: '', description: 'of filesystem volumes (else what the driver takes)'}),
  root: string({
    helpValue: 'DIR',
    description:
      'where the staging and target paths are: the driver must see it under the same name, with Bidirectional mounts if it is in a container (else a folder in the temporary directory)',
  }),
  profile: string({
    helpValue: 'VERSION',
    default: '1.36.2',
    description: 'the kubelet that asks: 1.17.3, 1.18.2, 1.21.2, 1.26.5 or 1.36.2',
  }),
  seed: wholeNumber('--seed', 0)({helpValue: 'N', default: usualSeed, description: 'of all that is random in the kubelet'}),
  verbose: boolean({char: 'v', description: 'with the whole timeline of each case (json and yaml)'}),
  output: option({char: 'o', options: examOutputs, default: 'table', description: 'format'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

interface ExamValues {
  readonly 'csi-endpoint': string
  readonly 'volume-mode': 'filesystem' | 'block' | 'both'
  readonly scale: number
  readonly 'restart-command'?: string | undefined
  readonly parameter?: readonly string[] | undefined
  readonly 'fs-type': string
  readonly root?: string | undefined
  readonly profile: string
  readonly seed: number
  readonly verbose: boolean
}

/** @throws UserError */
export function examRequest(flags: ExamValues, cases: readonly string[], tool: string, signal: AbortSignal): ExamRequest {
  const {'csi-endpoint': endpoint, scale, profile: kubelet, seed, verbose: timelines, root, parameter = []} = flags
  const modes = {filesystem: ['Filesystem'], block: ['Block'], both: ['Filesystem', 'Block']} as const
  return {
    endpoint,
    cases,
    kubelet,
    scale,
    volumeModes: modes[flags['volume-mode']],
    parameters: Object.fromEntries(parameter.map(pairOf)),
    fsType: flags['fs-type'],
    ...given({restartCommand: flags['restart-command']}),
    root: root ?? join(tmpdir(), `kubelimbo-exam-${process.pid}`),
    seed,
    timelines,
    tool,
    clock: systemClock,
    signal,
  }
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UserError(`Cannot use --parameter as it must be KEY=VALUE: it is '${text}'`)
  return [text.slice(0, at), text.slice(at + 1)]
}
