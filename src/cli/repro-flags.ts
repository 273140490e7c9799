// Flags of the commands about scenarios, and the request that the verb takes.
import {tmpdir} from 'node:os'
import {boolean, option, string} from '@oclif/core/flags'
import {reproOutputs} from '../render/repro-output.ts'
import type {ReproRequest} from '../repro.ts'
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
  verbose: boolean({char: 'v', description: 'with the timelines, side by side where there is room (junit and tap have none)'}),
  output: option({char: 'o', options: reproOutputs, default: 'table', description: 'format'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

interface ReproValues {
  readonly profile?: string | undefined
  readonly switch?: string | undefined
  readonly seed?: number | undefined
  readonly sockets: boolean
  readonly verbose: boolean
}

export function reproRequest(
  {profile, switch: turns, seed, sockets, verbose}: ReproValues,
  names: readonly string[],
  tool: string,
): ReproRequest {
  return {names, ...given({profiles: profile, turns, seed}), ...(sockets && {socketsBelow: tmpdir()}), timelines: verbose, tool}
}
