import {Ajv} from 'ajv'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {WhyReport} from '../../../src/findings/why/report.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {publishedSchema} from '../../support/published-schema.ts'
import {timestamp} from '../../support/timestamp.ts'
import {podForgotten, podHeldByFinalizer, podKilledBehindItsShim, podNobodyKnows, podOfDeadDriver} from '../../support/troubled-pods.ts'

const schema = publishedSchema('why')
const validate = new Ajv({strict: true, allErrors: true, allowUnionTypes: true}).compile(schema)
let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode({upMs: 600_000})
})
afterAll(() => node[Symbol.asyncDispose]())

/** As if an hour had passed: what is young may still heal. */
async function why(...words: readonly string[]) {
  const inAnHour = timestamp(Date.now() + 3_600_000)
  const {stdout, exitCode, stderr} = await kubelimbo(['why', ...words, ...node.flags, '--now', inAnHour, '-o', 'json'], node.env)
  expect(stderr).toBe('')
  const report: WhyReport = JSON.parse(stdout)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  const [answer] = report.answers
  const chain = answer?.chains[0]
  return {
    exitCode,
    standing: answer?.standing,
    /** The first chain: codes of findings, and the first words of what is none. */
    chain: chain?.links.map(({finding, what}) => finding?.code ?? what) ?? [],
    since: chain?.links.map(({since}) => since) ?? [],
    next: chain?.next ?? [],
    run: chain?.remedy.map(({command}) => command) ?? [],
  }
}

test('why finds nothing wrong with a healthy pod, its claim and its volume', async () => {
  const {volume} = node.web
  for (const words of [['default/web-0'], ['web-0'], ['PVC', 'default/claim-of-pv1'], [`${node.kubelet.root}/pods/${node.web.uid}`]])
    expect([words, await why(...words)]).toMatchObject([words, {exitCode: 0, standing: 'well'}])
  expect(volume?.specName).toBe('pv1')
})

test('why of a pod whose main process was killed behind its stopped shim: the runtime calls running what has no process', async () => {
  await using killed = await podKilledBehindItsShim(node)
  const answer = await why(`default/${killed.pod.name}`)
  expect(answer).toMatchObject({exitCode: 1, standing: 'stuck'})
  expect(answer.chain).toEqual(['default/killed-0 is Running.', 'R08'])
  expect(answer.run.join('\n')).toContain('systemctl restart containerd')
})

test('why of the same pod when it is deleted: it hangs in Terminating for that reason', async () => {
  await using killed = await podKilledBehindItsShim(node, {deleted: true})
  const answer = await why(`default/${killed.pod.name}`)
  expect(answer).toMatchObject({exitCode: 1, standing: 'stuck'})
  expect(answer.chain).toEqual([expect.stringMatching(/^default\/killed-0 is Terminating: it was deleted 1h /), 'P01', 'R08'])
  expect(answer.since[0]).toMatch(/Z$/)
})

test('why of a stuck pod with a dead driver: from the pod over its volume to the driver, and the pod of the driver is to be restarted', async () => {
  await using stuck = await podOfDeadDriver(node)
  const over = [
    expect.stringMatching(/^default\/stuck-0 is Terminating/),
    'P01',
    expect.stringMatching(/^Its volume pv-stuck .*is still published/),
    'C02',
  ]
  const answer = await why(`default/${stuck.pod.name}`)
  expect(answer).toMatchObject({exitCode: 1, standing: 'stuck', chain: over})
  expect(answer.next.join('\n')).toMatch(/NodeUnpublishVolume/)
  expect(answer.run[0]).not.toMatch(/--force/)
  const claim = await why('PVC', 'default/claim-of-pv-stuck')
  expect(claim.chain).toEqual(['The claim default/claim-of-pv-stuck is used by default/stuck-0, as the volume pv-stuck.', ...over])
  const socket = await why(node.driver.socket)
  expect([socket.exitCode, socket.chain.at(-1)]).toEqual([1, 'C02'])
})

test('why of a pod with a finalizer: the node has done its part', async () => {
  await using held = await podHeldByFinalizer(node)
  const answer = await why(`default/${held.pod.name}`)
  expect(answer).toMatchObject({exitCode: 0, standing: 'elsewhere'})
  expect(answer.chain).toEqual([
    expect.stringMatching(/^default\/held-0 is Terminating/),
    "The object waits for its finalizer example.test/backup: this is not the node's doing, which has nothing of the pod left.",
  ])
})

test("why of a pod that the kubelet has forgotten: nothing holds it but the kubelet's own state", async () => {
  await using forgotten = await podForgotten(node)
  const answer = await why(`default/${forgotten.pod.name}`)
  expect(answer).toMatchObject({exitCode: 1, standing: 'stuck'})
  expect(answer.chain.slice(1)).toEqual(['P01'])
  expect(answer.run[0]).toBe('systemctl restart kubelet')
})

test('why of a pod that only the runtime knows', async () => {
  await using _lost = await podNobodyKnows(node)
  const answer = await why('default/lost-0')
  expect(answer).toMatchObject({exitCode: 1, standing: 'stuck'})
  expect(answer.chain.at(-1)).toBe('R03')
})
