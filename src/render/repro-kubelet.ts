// The report of `repro --kubelet` in the format that was asked for.
import type {KubeletReport, KubeletRunReport, KubeletScenarioReport, PlayedKubelet} from '../scenario/kubelet-report.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable} from './fitted-table.ts'
import {reproKubeletJunit} from './repro-kubelet-junit.ts'
import {unbounded, wrap} from './wrap.ts'

export const kubeletOutputs = ['table', 'json', 'yaml', 'junit'] as const
export type KubeletOutput = (typeof kubeletOutputs)[number]

/** @param columns of the terminal; only the table heeds them */
export async function renderReproKubelet(report: KubeletReport, output: KubeletOutput, columns: number = unbounded): Promise<string> {
  switch (output) {
    case 'table':
      return kubeletTable(report, columns)
    case 'json':
    case 'yaml':
      return await dataText(report, output)
    case 'junit':
      return reproKubeletJunit(report)
    default:
      return output satisfies never
  }
}

function kubeletTable({kubelets, scenarios}: KubeletReport, columns: number): string {
  const header = ['SCENARIO', 'LABEL', ...kubelets.map(({version}) => version)]
  const rows = scenarios.map(({name, label, runs}) => [name, label, ...runs.map(({verdict}) => verdict)])
  const told = scenarios.map((each) => `${scenarioLines(each, kubelets, columns).join('\n')}\n`)
  return `${fittedTable(header, rows, columns)}\n${told.join('\n')}\n${wrap(sumText(scenarios, kubelets), columns, 2).join('\n')}\n`
}

function scenarioLines({name, label, title, runs}: KubeletScenarioReport, kubelets: readonly PlayedKubelet[], columns: number) {
  return [
    ...wrap(oneLine(`${name} (${label}): ${title}`), columns, 2),
    ...runs.flatMap(({verdict, why, log = []}, index) => [
      ...wrap(`  ${kubelets[index]?.version} ${verdict}: ${oneLine(why)}`, columns, 4),
      ...log.flatMap((line) => wrap(`    ${oneLine(line)}`, columns, 6)),
    ]),
  ]
}

function sumText(scenarios: readonly KubeletScenarioReport[], kubelets: readonly PlayedKubelet[]): string {
  const sums = kubelets.map(({path, version}, index) => {
    const count = (wanted: KubeletRunReport['verdict']) => scenarios.filter(({runs}) => runs[index]?.verdict === wanted).length
    const inconclusive = count('inconclusive')
    const open = inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`
    return `${oneLine(path)}, which says that it is ${version}, has ${count('has the bug')} of ${scenarios.length}${open}`
  })
  return sums.join('; ')
}
