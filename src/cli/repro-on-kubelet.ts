// `repro --kubelet`: the request that the verb takes, and what is printed of its report.
import {tmpdir} from 'node:os'
import {systemClock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {myUid} from './account.ts'
import {onInterrupt} from './interrupted.ts'
import type {ReproPrinter} from './repro-on-model.ts'
import {terminalColumns} from './terminal-columns.ts'

export interface KubeletValues {
  readonly kubelet: string
  readonly compare?: string | undefined
  readonly 'at-once'?: number | undefined
  readonly verbose: boolean
}

const usuallyAtOnce = 4

/** @returns the exit code: 1 where a kubelet has a bug, 3 where that could not be found out of some @throws UserError */
export async function reproOnKubelet(values: KubeletValues, {names, tool, output, tell, print}: ReproPrinter): Promise<number> {
  const {kubelet, compare, 'at-once': atOnce = usuallyAtOnce, verbose} = values
  if (output === 'tap' || output === 'html')
    throw new UserError(`Cannot print what a kubelet did as its format must be table, json, yaml or junit: it is ${output}`)
  const [{reproKubelet}, {renderReproKubelet}] = await Promise.all([import('../repro-kubelet.ts'), import('../render/repro-kubelet.ts')])
  const controller = new AbortController()
  using _ = onInterrupt((reason) => controller.abort(reason))
  const report = await reproKubelet({
    kubelets: [kubelet, ...(compare === undefined ? [] : [compare])],
    names,
    atOnce,
    timelines: verbose,
    tool,
    uid: myUid(),
    clock: systemClock,
    temporary: tmpdir(),
    signal: controller.signal,
    onRun: tell,
  })
  print(await renderReproKubelet(report, output, terminalColumns(process.env, process.stdout)))
  const verdicts = report.scenarios.flatMap(({runs}) => runs.map(({verdict}) => verdict))
  if (verdicts.includes('has the bug')) return exitCodes.findings
  return verdicts.includes('inconclusive') ? exitCodes.blind : exitCodes.clean
}
