// The built command, as a user runs it.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {generatedNode, writeGenerated} from '../support/generated-node.ts'
import {kubelimbo} from '../support/kubelimbo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))
const healthy = ['volumes', '--from', 'fixtures/nodes/healthy']

test('volumes prints a row a volume', async () => {
  const {stdout, stderr, exitCode} = await kubelimbo(healthy)
  expect([exitCode, stderr]).toEqual([0, ''])
  const [header, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/))
  expect(header).toEqual(['POD', 'VOLUME', 'DRIVER', 'HANDLE', 'MODE', 'STAGE', 'PUBLISH', 'DEVICE', 'STATE', 'VERDICT'])
  expect(rows.map(([pod, volume]) => [pod, volume])).toEqual([
    ['default/blk-0', 'pv2'],
    ['default/inline-0', 'scratch'],
    ['default/web-0', 'pv1'],
  ])
})

test('volumes -o json and -o yaml say the same', async () => {
  const [json, yaml] = await Promise.all([kubelimbo([...healthy, '--json']), kubelimbo([...healthy, '-o', 'yaml'])])
  const {parse} = await import('yaml')
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
  expect(JSON.parse(json.stdout)).toMatchObject({apiVersion: 'kubelimbo/v1', kind: 'Volumes', metadata: {node: 'n1'}})
})

test.each([
  [['--pod', 'default/web-0'], ['pv1']],
  [['--pod', 'default/nobody'], []],
  [
    ['--driver', 'hostpath.csi.k8s.io'],
    ['pv2', 'scratch', 'pv1'],
  ],
  [['--driver', 'hostpath'], []],
])('volumes %j lists %j', async (flags, expected) => {
  const {stdout} = await kubelimbo([...healthy, ...flags, '--json'])
  expect(JSON.parse(stdout).items.map(({volume}: {volume: string}) => volume)).toEqual(expected)
})

test.each([
  ['a pod without a namespace', [...healthy, '--pod', 'web-0'], 2, "Cannot select the pod as --pod must be NAMESPACE/NAME: it is 'web-0'"],
  ['a bundle that is not there', ['volumes', '--from', `${folder}/none`], 2, 'Cannot open the bundle'],
  ['an unknown profile', [...healthy, '--profile', '1.2.3'], 2, 'Cannot use the profile'],
])('volumes: %s', async (_what, args, exit, message) => {
  const {stdout, stderr, exitCode} = await kubelimbo(args)
  expect([exitCode, stdout]).toEqual([exit, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('check and volumes agree on a generated node', async () => {
  await writeGenerated(generatedNode({seed: 5, pods: 30, volumes: 80}), folder)
  const [check, volumes] = await Promise.all([
    kubelimbo(['check', '--from', folder, '--json']),
    kubelimbo(['volumes', '--from', folder, '--json']),
  ])
  expect([check.exitCode, volumes.exitCode]).toEqual([1, 0])
  const found = JSON.parse(check.stdout).findings as {code: string; subject: {handle?: string}}[]
  const shown = JSON.parse(volumes.stdout).items as {handle?: string; codes: string[]}[]
  for (const {code, subject} of found) {
    const row = shown.find(({handle}) => handle === subject.handle)
    if (subject.handle !== undefined && row !== undefined) expect(row.codes).toContain(code)
  }
  expect(shown.some(({codes}) => codes.length > 0)).toBe(true)
})
