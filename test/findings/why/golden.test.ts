// What `why` says of the captured nodes, as a person reads it: fixtures/why. `vitest -u` writes them anew.
import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import {openBundle} from '../../../src/node/bundle.ts'
import {renderWhy} from '../../../src/render/why.ts'
import {why} from '../../../src/why.ts'
import {bundleMachine} from '../../support/bundle-machine.ts'
import {goldenCases, openCase} from '../../support/golden-case.ts'
import {publishedSchema} from '../../support/published-schema.ts'

const schema = publishedSchema('why')
const validate = new Ajv({strict: true, allErrors: true, allowUnionTypes: true}).compile(schema)

const questions: readonly [file: string, node: string, words: string, exit: number][] = [
  ['stage-hang-terminating', 'fixtures/nodes/stage-hang-terminating', 'default/stage-0', 0],
  ['blockpub-hang-terminating', 'fixtures/nodes/blockpub-hang-terminating', 'default/pub-0', 0],
  ['after-delete', 'fixtures/nodes/after-delete', 'default/web-0', 0],
  ['healthy-waits', 'fixtures/nodes/healthy', 'default/web-0', 0],
  ['healthy-running', 'fixtures/nodes/healthy', 'default/blk-0', 0],
  ['runtime-errors', 'fixtures/nodes/runtime-errors', 'default/bad-0', 1],
  ['runtime-errors-job', 'fixtures/nodes/runtime-errors', 'default/job-0', 0],
  ['claim-of-a-staging', 'fixtures/nodes/stage-hang-terminating', 'PVC default/pvc1', 0],
  ['stage-hang-timed-out', 'fixtures/findings/stage-hang-timed-out', 'default/stage-0', 1],
  ['vol-data-empty', 'fixtures/findings/vol-data-empty', 'default/web-0', 1],
  ['path-of-a-gone-pod', 'fixtures/findings/orphan-still-mounted', '/var/lib/kubelet/pods/59ee3536-836b-4a14-9dba-b0b55d1e0987', 1],
]

async function explained(node: string, words: string) {
  const snapshot = node.startsWith('fixtures/findings/')
    ? (await openCase(node.slice('fixtures/findings/'.length))).snapshot
    : await openBundle(node)
  const request = {from: node, words: words.split(' '), labels: [], deadlineMs: 1000, tool: 'kubelimbo 0.0.0'}
  return why(request, bundleMachine(snapshot))
}

test.each(questions)('why of %s tells its chain', async (file, node, words, exit) => {
  const {report, exit: code} = await explained(node, words)
  await expect(await renderWhy(report, 'table')).toMatchFileSnapshot(`../../../fixtures/why/${file}.txt`)
  expect(validate(JSON.parse(await renderWhy(report, 'json'))), JSON.stringify(validate.errors)).toBe(true)
  expect(code).toBe(exit)
})

// Said apart from the files, which can be rewritten: what is behind each symptom.
test.each([
  ['fixtures/nodes/stage-hang-terminating', 'default/stage-0', 'waits', 'U01'],
  ['fixtures/nodes/blockpub-hang-terminating', 'default/pub-0', 'waits', 'U02'],
  ['fixtures/findings/stage-hang-timed-out', 'default/stage-0', 'stuck', 'U01'],
  ['fixtures/findings/vol-data-empty', 'default/web-0', 'stuck', 'V02'],
])('why of %s %s: it %s, and the root is %s', async (node, words, standing, code) => {
  const {report} = await explained(node, words)
  expect(report.answers.map((answer) => [answer.standing, answer.chains[0]?.links.at(-1)?.finding?.code])).toEqual([[standing, code]])
})

/** Every pod of every case: an answer is never an exception, and never against its schema. */
test.each(goldenCases)('why answers for each pod of %s', async (name) => {
  const {snapshot} = await openCase(name)
  const pods = (['kubelet.pods', 'api.pods'] as const).flatMap((source) => {
    const reading = snapshot.readings[source]
    return reading.state === 'read' ? reading.value : []
  })
  expect(pods.length).toBeGreaterThanOrEqual(0)
  for (const {namespace, name: pod, nodeName} of pods) {
    if (nodeName !== undefined && nodeName !== snapshot.node) continue
    const {report} = await explained(`fixtures/findings/${name}`, `${namespace}/${pod}`)
    expect(validate(JSON.parse(JSON.stringify(report))), `${pod}: ${JSON.stringify(validate.errors)}`).toBe(true)
    for (const {chains, standing} of report.answers) {
      expect(chains.length > 0 || standing === 'well' || standing === 'unknown').toBe(true)
      for (const {links} of chains) expect(links[0]?.finding).toBeUndefined()
    }
  }
})
