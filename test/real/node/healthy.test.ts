import {mkdtemp, readFile, rename, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {gunzip} from 'node:zlib'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {detectors} from '../../../src/findings/detectors.ts'
import {sourceNames} from '../../../src/node/snapshot.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {planted} from '../../support/node-pods.ts'
import {timestamp} from '../../support/timestamp.ts'

let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode()
})
afterAll(() => node[Symbol.asyncDispose]())

const inAnHour = () => timestamp(Date.now() + 3_600_000)

async function report(...args: readonly string[]) {
  const {stdout, stderr, exitCode} = await kubelimbo(['check', ...node.flags, ...args, '-o', 'json'], node.env)
  return {...JSON.parse(stdout), stderr, exitCode}
}

test('check of a healthy node sees everything, looks for every code and finds nothing', async () => {
  expect(await report('--now', inAnHour())).toMatchObject({
    unseen: [],
    findings: [],
    partial: false,
    metadata: {node: 'n1'},
    looked: detectors.map(({code}) => code),
    stderr: '',
    exitCode: 0,
  })
})

test('check of a healthy node whose kubelet has just started calls no pod gone, and finds nothing', async () => {
  const {findings, unseen, looked} = await report()
  expect(findings).toEqual([])
  expect(unseen).toEqual([{source: 'kubelet.pods', why: 'the kubelet has just started: no pod can be called gone'}])
  expect(looked).toEqual(expect.arrayContaining(['C01', 'C02', 'C03', 'U01', 'U02', 'V02', 'V05', 'V06', 'V07', 'V09']))
})

test('a snapshot of the node gives the same report on another path, and does not hold what is secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kl-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  const [made, moved] = [join(folder, 'made.tar.gz'), join(folder, 'moved.tgz')]
  const kept = await kubelimbo(['snapshot', made, ...node.flags], node.env)
  expect(kept).toMatchObject({exitCode: 0, stdout: expect.stringContaining(`${sourceNames.length} sources`)})
  await rename(made, moved)
  const now = ['--now', inAnHour()]
  const {stderr: _stderr, exitCode: _exitCode, ...live} = await report(...now)
  const {stdout} = await kubelimbo(['check', '--from', moved, ...now, '-o', 'json'])
  expect(JSON.parse(stdout)).toEqual(live)
  const text = (await promisify(gunzip)(await readFile(moved))).toString('latin1')
  expect(text).toContain('kubelet.pods')
  for (const secret of Object.values(planted)) expect(text).not.toContain(secret)
})

test('check of a healthy node finds nothing after a pod was deleted, and after its volume went to another', async () => {
  await node.kubelet.deletePod(node.inline)
  expect(await report('--now', inAnHour())).toMatchObject({unseen: [], findings: []})
  await node.kubelet.runPod({name: 'inline-1', volume: {kind: 'inline', driver: node.driver.name}})
  expect(await report('--now', inAnHour())).toMatchObject({unseen: [], findings: []})
})

test('check of a healthy node with the newest containerd sees everything and finds nothing', async () => {
  await using own = await startHealthyNode({release: 'newest'})
  const {stdout, exitCode} = await kubelimbo(['check', ...own.flags, '--now', inAnHour(), '-o', 'json'], own.env)
  expect({...JSON.parse(stdout), exitCode}).toMatchObject({unseen: [], findings: [], partial: false, exitCode: 0})
})
