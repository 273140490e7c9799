// Flags of the commands about scenarios, and the request that the verb takes.
import {randomInt} from 'node:crypto'
import {tmpdir} from 'node:os'
import {boolean, option, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {seeded} from '../base/dice.ts'
import {UserError} from '../base/errors.ts'
import {reproOutputs} from '../render/repro-output.ts'
import type {ReproRequest} from '../repro.ts'
import type {RealPlay} from '../scenario/play-on-real.ts'
import {given} from './flags.ts'
import {wholeNumber} from './whole-number.ts'

export const reproFlags = {
  profile: string({
    helpValue: 'A,B',
    description: 'the kubelets to play on: 1.17.3, 1.18.2, 1.21.2, 1.26.5, 1.36.2 (else those of the scenario)',
  }),
  switch: string({helpValue: '+NAME,-NAME', description: 'turn single changes of the kubelet on or off'}),
  seed: wholeNumber(
    '--seed',
    0,
  )({
    helpValue: 'N',
    description: 'of all that is random in a run; the same seed, the same run (else that of the scenario, or 1)',
  }),
  sockets: boolean({
    description:
      'the kubelet reaches the runtime, the drivers and the API server of the lab by real sockets, still in simulated time (else by direct calls)',
  }),
  'runtime-endpoint': string({
    helpValue: 'ENDPOINT',
    exclusive: ['sockets'],
    description:
      'play on this real container runtime, unix:///run/containerd/containerd.sock, in real time; only pods of our own are touched',
  }),
  'csi-endpoint': string({
    helpValue: 'ENDPOINT',
    exclusive: ['sockets'],
    description:
      "play with this real CSI driver, unix:///csi/csi.sock with its node service and its controller, and on this machine's disk; as root where the driver mounts",
  }),
  root: string({
    helpValue: 'DIR',
    dependsOn: ['csi-endpoint'],
    description:
      'where the staging and target paths are: the driver must see it under the same name, with Bidirectional mounts if it is in a container (else the temporary directory)',
  }),
  image: string({
    helpValue: 'REF',
    dependsOn: ['runtime-endpoint'],
    description: 'an image of that runtime, with sh and sleep, for all containers (else the one that a scenario names, or some busybox)',
  }),
  scale: wholeNumber(
    '--scale',
    1,
    50,
  )({
    helpValue: 'N',
    exclusive: ['sockets'],
    description: "the kubelet's time goes that many times as fast as the real parts', 1 to 50 (else 1)",
  }),
  kubelet: string({
    helpValue: 'PATH',
    exclusive: ['profile', 'switch', 'seed', 'sockets', 'runtime-endpoint', 'csi-endpoint', 'scale'],
    description:
      "play on this kubelet, the binary, in real time: it runs as a process of its own on the lab's runtime, drivers and API server, and each verdict is whether it has the bug; as root",
  }),
  compare: string({helpValue: 'PATH', dependsOn: ['kubelet'], description: 'and on this one'}),
  'at-once': wholeNumber(
    '--at-once',
    1,
    50,
  )({helpValue: 'N', dependsOn: ['kubelet'], description: 'so many kubelets side by side, 1 to 50 (else 4)'}),
  verbose: boolean({char: 'v', description: 'with the timelines, side by side where there is room (junit and tap have none)'}),
  output: option({char: 'o', options: reproOutputs, default: 'table', description: 'format'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

export interface ReproValues {
  readonly profile?: string | undefined
  readonly switch?: string | undefined
  readonly seed?: number | undefined
  readonly sockets: boolean
  readonly 'runtime-endpoint'?: string | undefined
  readonly 'csi-endpoint'?: string | undefined
  readonly root?: string | undefined
  readonly image?: string | undefined
  readonly scale?: number | undefined
  readonly verbose: boolean
}

/** @throws UserError */
export function reproRequest(flags: ReproValues, names: readonly string[], tool: string, signal: AbortSignal): ReproRequest {
  const {profile, switch: turns, seed, sockets, verbose} = flags
  const real = realRequest(flags, signal)
  return {
    names,
    ...given({profiles: profile, turns, seed, real}),
    ...(sockets && {socketsBelow: tmpdir()}),
    timelines: verbose,
    tool,
  }
}

function realRequest(flags: ReproValues, signal: AbortSignal): RealPlay | undefined {
  const {'runtime-endpoint': runtimeEndpoint, 'csi-endpoint': csiEndpoint, root, image, scale} = flags
  if (runtimeEndpoint !== undefined || csiEndpoint !== undefined) {
    const machine = {clock: systemClock, temporary: tmpdir(), uids: seeded(randomInt(2 ** 32)), signal}
    return {...given({runtimeEndpoint, csiEndpoint, root, image}), scale: scale ?? 1, ...machine}
  }
  if (scale === undefined) return undefined
  throw new UserError('Cannot use --scale as some part must be real: none is named', {
    hint: 'name one with --runtime-endpoint or --csi-endpoint',
  })
}
