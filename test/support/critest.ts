// critest, the peer: the conformance tests of CRI, at a given endpoint.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import * as v from 'valibot'

export interface CritestReport {
  /** Names to states: 'passed', 'failed', 'skipped' and so on, of all cases that critest has. */
  readonly states: ReadonlyMap<string, string>
  /** What it printed, to be shown when a case did not pass. */
  readonly output: string
}

const reports = v.tuple([
  v.object({
    SpecReports: v.array(
      v.object({
        ContainerHierarchyTexts: v.nullable(v.array(v.string())),
        LeafNodeType: v.string(),
        LeafNodeText: v.string(),
        State: v.string(),
      }),
    ),
  }),
])

/**
 * Runs the cases that are named, in a fixed order.
 * @param folder for its report
 */
export async function runCritest(path: string, endpoint: string, cases: readonly string[], folder: string): Promise<CritestReport> {
  const report = join(folder, 'critest.json')
  const own = [
    '-config',
    '/dev/null',
    '-runtime-endpoint',
    endpoint,
    '--ginkgo.seed',
    '1',
    '--ginkgo.no-color',
    '--ginkgo.json-report',
    report,
  ]
  const focus = cases.flatMap((name) => ['--ginkgo.focus', name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')])
  const {all = ''} = await execa(path, [...own, ...focus], {
    cwd: folder,
    reject: false,
    all: true,
    extendEnv: false,
    env: {PATH: '/usr/bin:/bin'},
  })
  const [{SpecReports: specs}] = v.parse(reports, JSON.parse(readFileSync(report, 'utf8')))
  const its = specs.filter(({LeafNodeType}) => LeafNodeType === 'It')
  return {
    states: new Map(
      its.map(({ContainerHierarchyTexts, LeafNodeText, State}) => [[...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' '), State]),
    ),
    output: all,
  }
}
