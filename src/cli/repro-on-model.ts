// `repro` on the model of the kubelet: what is printed of its report.
import {exitCodes} from '../base/exit-codes.ts'
import type {ReproOutput} from '../render/repro-output.ts'
import {onInterrupt} from './interrupted.ts'
import {type ReproValues, reproRequest} from './repro-flags.ts'
import {terminalColumns} from './terminal-columns.ts'

/** What a run needs beside its flags. */
export interface ReproPrinter {
  readonly names: readonly string[]
  /** 'kubelimbo 0.1.0' */
  readonly tool: string
  readonly output: ReproOutput
  /** What goes on. */
  readonly tell: (text: string) => void
  readonly print: (text: string) => void
}

/** @returns the exit code */
export async function reproOnModel(flags: ReproValues, {names, tool, output, tell, print}: ReproPrinter): Promise<number> {
  const controller = new AbortController()
  // In simulated time a run is over before anybody could be heard.
  const isReal = flags['runtime-endpoint'] !== undefined || flags['csi-endpoint'] !== undefined
  using _ = isReal ? onInterrupt((reason) => controller.abort(reason)) : undefined
  const request = reproRequest(flags, names, tool, controller.signal)
  const [{repro}, {renderRepro}] = await Promise.all([import('../repro.ts'), import('../render/repro.ts')])
  const report = await repro({...request, ...(isReal && {onRun: tell})})
  print(await renderRepro(report, output, terminalColumns(process.env, process.stdout)))
  return report.met ? exitCodes.clean : exitCodes.findings
}
