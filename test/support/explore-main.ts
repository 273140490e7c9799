// A child process of the test of planted defects: explores with the sources of a folder until it has found something, and prints it.
// `node explore-main.ts FOLDER PROFILE FAMILY SEED HISTORIES 'KNOWN…'`
import {pathToFileURL} from 'node:url'
import type {Family} from '../../src/scenario/explore/generate/history.ts'

const [folder = '', version = '', family = 'pods', seed = '1', most = '100', known = '[]'] = process.argv.slice(2)
const from = <Module>(path: string): Promise<Module> => import(pathToFileURL(`${folder}/src/${path}`).href)
const [{exploreHistories}, {profileOf}, {startLabNode}, {kindOf}] = await Promise.all([
  from<typeof import('../../src/scenario/explore/explore-histories.ts')>('scenario/explore/explore-histories.ts'),
  from<typeof import('../../src/kubelet/profiles.ts')>('kubelet/profiles.ts'),
  from<typeof import('../../src/lab/lab-node.ts')>('lab/lab-node.ts'),
  from<typeof import('../../src/scenario/explore/finding.ts')>('scenario/explore/finding.ts'),
])

const expected = (JSON.parse(known) as readonly string[]).map((pattern) => new RegExp(pattern))
let found: {readonly kind: string; readonly what: string; readonly switches: readonly string[]} | undefined
const {histories} = await exploreHistories({
  profile: profileOf(version),
  family: family as Family,
  seed: Number(seed),
  startNode: startLabNode,
  goesOn: (count) => found === undefined && count < Number(most),
  onHistory: (_, findings) => {
    const news = findings.find(({violation}) => !expected.some((pattern) => pattern.test(kindOf(violation))))
    if (news !== undefined) found = {kind: kindOf(news.violation), what: news.violation.what, switches: news.switches}
  },
})
process.stdout.write(JSON.stringify({histories, found}))
