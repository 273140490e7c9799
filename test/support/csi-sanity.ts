// csi-sanity, the peer: the conformance tests of CSI, at a given socket.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import * as v from 'valibot'
import {builtPeers} from './built-peers.ts'

export interface SanityRun {
  /** Names of all specs and what became of them: 'passed', 'failed', 'skipped', 'pending'. */
  readonly states: Readonly<Record<string, string>>
  readonly output: string
}

const reports = v.tuple([
  v.object({
    SpecReports: v.array(
      v.object({
        LeafNodeType: v.string(),
        ContainerHierarchyTexts: v.nullable(v.array(v.string())),
        LeafNodeText: v.string(),
        State: v.string(),
      }),
    ),
  }),
])

/** All specs, in a fixed order, with filesystem volumes. @param folder for its report, the targets and the staging paths */
export async function runCsiSanity(socket: string, folder: string): Promise<SanityRun> {
  const [sanity = ''] = await builtPeers('csi-sanity')
  const report = join(folder, 'report.json')
  const flags = {
    'csi.endpoint': `unix://${socket}`,
    'csi.mountdir': join(folder, 'mount'),
    'csi.stagingdir': join(folder, 'staging'),
    'ginkgo.seed': '1',
    'ginkgo.json-report': report,
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const {stdout} = await execa(sanity, [...args, '--ginkgo.no-color'], {reject: false, cwd: folder})
  const [{SpecReports: specs}] = v.parse(reports, JSON.parse(readFileSync(report, 'utf8')))
  const its = specs.filter(({LeafNodeType}) => LeafNodeType === 'It')
  const named = its.map(({ContainerHierarchyTexts, LeafNodeText, State}) => [
    [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' / '),
    State,
  ])
  return {states: Object.fromEntries(named), output: stdout}
}
