// Each folder of fixtures/diff is a case: two bundles, and what differs, as data and for people. `vitest -u` writes both anew.
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import {afterAll, expect, test} from 'vitest'
import {parse} from 'yaml'
import {diff} from '../src/diff.ts'
import {type DiffReport, differs} from '../src/findings/diff-report.ts'
import {bundleContent, writeBundle} from '../src/node/bundle/write.ts'
import {openBundle} from '../src/node/bundle.ts'
import {renderDiff} from '../src/render/diff.ts'
import {bundleMachine} from './support/bundle-machine.ts'
import {fullNode} from './support/full-node.ts'
import {publishedSchema} from './support/published-schema.ts'

const machine = {...bundleMachine(await fullNode()), openBundle}
const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))
const diffed = (a: string, b: string) => diff({a, b, deadlineMs: 1000, tool: 'kubelimbo 0.0.0'}, machine)
const validate = new Ajv({strict: true, allErrors: true, allowUnionTypes: true}).compile(publishedSchema('diff'))
const valid = (report: unknown) => expect(validate(report), JSON.stringify(validate.errors)).toBe(true)

test.each(readdirSync('fixtures/diff'))('diff of %s gives its report', async (name) => {
  const {a, b} = parse(readFileSync(`fixtures/diff/${name}/case.yaml`, 'utf8'))
  const {report} = await diffed(a, b)
  const json = await renderDiff(report, 'json')
  valid(JSON.parse(json))
  expect(parse(await renderDiff(report, 'yaml'))).toEqual(JSON.parse(json))
  await expect(json).toMatchFileSnapshot(`../fixtures/diff/${name}/report.json`)
  await expect(await renderDiff(report, 'table')).toMatchFileSnapshot(`../fixtures/diff/${name}/report.txt`)
})

// What must be told, said apart from the golden files.
test('diff of a node whose stage hangs and the node after the deletion: its pod is gone and the finding is cleared', async () => {
  const {report, differs: does} = await diffed('fixtures/nodes/stage-hang-terminating', 'fixtures/nodes/after-delete')
  expect(does).toBe(true)
  expect(report.findings.map(({change, code}) => `${change} ${code}`)).toEqual(expect.arrayContaining(['cleared U01']))
  expect(report.differences).toContainEqual(expect.objectContaining({group: 'pods', change: 'gone', name: 'default/stage-0'}))
})

test('diff of a folder and the bundle that was made of it: no difference, whatever was redacted', async () => {
  const node = await openBundle('fixtures/nodes/healthy', {keepReplies: true})
  const mounts = node.readings['kernel.mounts']
  if (mounts.state !== 'read') throw new Error('not read')
  // Of an option that is a credential, a bundle has only the name.
  const raw = `${mounts.raw}900 27 0:99 / /mnt/share rw - cifs //server/share rw,username=u,password=hunter2\n`
  const plain = join(folder, 'plain')
  const {files} = bundleContent(node, 'kubelimbo 0.0.0')

  for (const [name, text] of files) {
    mkdirSync(join(plain, name, '..'), {recursive: true})
    writeFileSync(join(plain, name), name === 'kernel/mountinfo' ? raw : text)
  }
  const again = await openBundle(plain, {keepReplies: true})
  await writeBundle(join(folder, 'redacted.tar.gz'), bundleContent(again, 'kubelimbo 0.0.0'), again.when)
  const {report} = await diffed(plain, join(folder, 'redacted.tar.gz'))
  expect([report.differences, differs(report)]).toEqual([[], false])
  const {report: other} = await diffed('fixtures/nodes/healthy', plain)
  expect(other.differences).toMatchObject([
    {group: 'mounts', change: 'appeared', facts: {superOptions: 'rw,username=u,password=[redacted]'}},
  ])
  expect(JSON.stringify(other)).not.toContain('hunter2')
})

test('diff of bundles that have no source in common tells nothing, and says so', async () => {
  const of = async (name: string, file: string, source: string, text: string) => {
    mkdirSync(join(folder, name))
    const metadata = {node: 'n1', when: '2026-11-30T03:11:04Z'}
    const readings = {[source]: {state: 'read', file}}
    writeFileSync(
      join(folder, name, 'bundle.json'),
      JSON.stringify({apiVersion: 'kubelimbo/v1', kind: 'NodeBundle', metadata, kubelet: {root: '/r'}, readings}),
    )
    writeFileSync(join(folder, name, file), text)
    return join(folder, name)
  }
  const one = await of('one', 'boot.json', 'kernel.boot', '{"id":"b","at":1}')
  const other = await of('other', 'health.json', 'kubelet.healthz', '{"ok":true,"text":"ok"}')
  await expect(diffed(one, other)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Cannot tell what differs as a source must be read on both sides: none is, and .* is not in A: not in the bundle$/,
    ),
    exit: 3,
  })
})

const full: DiffReport = {
  apiVersion: 'kubelimbo/v1',
  kind: 'Diff',
  metadata: {
    tool: 'kubelimbo 0.0.0',
    a: {bundle: 'a\u001b[2J', node: 'n1', when: '2026-11-30T03:11:04Z'},
    b: {node: '', when: '2026-11-30T03:11:05Z'},
  },
  partial: true,
  differences: [
    {
      group: 'pods',
      change: 'changed',
      key: 'u1',
      name: 'default/w\u001b]0;x\u0007',
      sources: ['api.pods'],
      fields: [{field: 'reason\n', from: null, to: '\u202eEvil'}],
    },
    {
      group: 'mounts',
      change: 'appeared',
      key: '/m',
      name: '/m\r',
      sources: ['kernel.mounts'],
      facts: {type: 'ext4\u009b', stacked: 1, dead: false},
    },
  ],
  findings: [
    {
      change: 'still',
      code: 'U01',
      name: 'stage-uncertain',
      severity: 'error',
      was: 'info',
      subject: {kind: 'Volume', name: 'pv\u001b1'},
      message: 'm\n\u001b[31m',
    },
  ],
  notCompared: [{source: 'kubelet.log', side: 'a', why: 'no\u001b answer'}],
}

test('the schema accepts a report with everything in it', () => valid(full))

test.each(['apiVersion', 'kind', 'metadata', 'partial', 'differences', 'findings', 'notCompared'] as const)(
  'the schema refuses a report without %s',
  (field) => {
    const {[field]: _, ...less} = full
    expect(validate(less)).toBe(false)
    expect(validate({...less, [`${field}X`]: full[field]})).toBe(false)
  },
)

test('renderDiff lets nothing through that a terminal would take for a command', async () => {
  for (const output of ['table', 'json', 'yaml'] as const) {
    const text = await renderDiff(full, output)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  }
  expect(await renderDiff(full, 'table')).toBe(`A  a\\x1b[2J: node n1 at 2026-11-30T03:11:04Z
B  this node at 2026-11-30T03:11:05Z

findings
  ~ U01 stage-uncertain info -> error Volume pv\\x1b1: m\\n\\x1b[31m

pods
  ~ default/w\\x1b]0;x\\x07: reason\\n none -> \\u202eEvil (api.pods)

mounts
  + /m\\r: type ext4\\x9b, stacked 1, dead false

not compared
  kubelet.log: A: no\\x1b answer

3 differences.
`)
})
