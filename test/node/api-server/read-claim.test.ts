import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {readClaim} from '../../../src/node/api-server/read-claim.ts'
import {type Answer, closedPort, fakeServer} from '../../support/fake-kubelet-http.ts'

const claimPath = '/api/v1/namespaces/prod/persistentvolumeclaims/data'
const volumePath = '/api/v1/persistentvolumes/pv-1'

const claim = (spec: object, status: object = {phase: 'Bound'}) =>
  JSON.stringify({kind: 'PersistentVolumeClaim', metadata: {namespace: 'prod', name: 'data'}, spec, status})
const volume = (spec: object) => JSON.stringify({kind: 'PersistentVolume', metadata: {name: 'pv-1'}, spec})

async function ask(answers: Readonly<Record<string, Answer>>) {
  const server = await fakeServer(answers)
  const answer = await readClaim({
    credentials: [{source: 'the test', server: new URL(server.url), tls: {verify: true}}],
    namespace: 'prod',
    name: 'data',
    clock: systemClock,
    signal: new AbortController().signal,
    deadlineMs: 20_000,
  })
  return {...answer, asked: server.asked.map(({method, url}) => `${method} ${url}`)}
}

describe('readClaim()', () => {
  test('reads the claim and the volume that it is bound to, in two GETs', async () => {
    const {
      claim: reading,
      volume: bound,
      asked,
      missing,
    } = await ask({
      [claimPath]: claim({volumeName: 'pv-1', volumeMode: 'Block', resources: {}}),
      [volumePath]: volume({
        capacity: {storage: '1Gi'},
        claimRef: {namespace: 'prod', name: 'data'},
        volumeMode: 'Block',
        csi: {driver: 'csi.example.com', volumeHandle: 'vol-1', volumeAttributes: {}},
        nodeAffinity: {required: {}},
      }),
    })
    expect(reading).toEqual({state: 'read', value: {namespace: 'prod', name: 'data', phase: 'Bound', volume: 'pv-1', mode: 'block'}})
    expect(bound).toEqual({state: 'read', value: {name: 'pv-1', kind: 'csi', driver: 'csi.example.com', handle: 'vol-1', mode: 'block'}})
    expect(asked).toEqual([`GET ${claimPath}`, `GET ${volumePath}`])
    expect(missing).toBe(false)
  })

  test("says of which kind a volume is that is no CSI driver's", async () => {
    const {volume: bound} = await ask({
      [claimPath]: claim({volumeName: 'pv-1'}),
      [volumePath]: volume({capacity: {storage: '1Gi'}, nfs: {server: 's', path: '/'}}),
    })
    expect(bound).toEqual({state: 'read', value: {name: 'pv-1', kind: 'nfs', mode: 'filesystem'}})
  })

  test('asks for no volume of a claim that is not bound', async () => {
    const {claim: reading, volume: bound, asked} = await ask({[claimPath]: claim({}, {phase: 'Pending'})})
    expect(reading).toMatchObject({state: 'read', value: {phase: 'Pending', mode: 'filesystem'}})
    expect(bound).toEqual({state: 'absent', why: 'the claim is not bound to a volume'})
    expect(asked).toHaveLength(1)
  })

  test('takes 404 for an answer: there is no such claim', async () => {
    expect(await ask({})).toMatchObject({claim: {state: 'absent'}, volume: {state: 'absent'}, missing: true})
  })

  test('says what it takes where it is not let in', async () => {
    const {claim: reading, missing} = await ask({[claimPath]: [403, 'Forbidden']})
    expect(reading).toMatchObject({state: 'failed', kind: 'denied', why: expect.stringMatching(/may get persistentvolumeclaims$/)})
    expect(missing).toBe(false)
  })

  test.each([
    ['<html>', 'it is HTML or XML'],
    ['{', 'it is no JSON'],
    ['{"kind":"Pod","metadata":{"name":"data"}}', 'it is none'],
  ])('says of %s that it is no claim', async (text, words) => {
    expect((await ask({[claimPath]: text})).claim).toMatchObject({state: 'failed', why: expect.stringContaining(words)})
  })

  test('is absent without credentials, and failed where nobody listens', async () => {
    const work = {namespace: 'prod', name: 'data', clock: systemClock, signal: new AbortController().signal, deadlineMs: 20_000}
    expect(await readClaim({...work, credentials: []})).toMatchObject({
      claim: {state: 'absent', why: 'there are no credentials for the API server'},
      missing: false,
    })
    const server = new URL(`http://127.0.0.1:${await closedPort()}`)
    const refused = await readClaim({...work, credentials: [{source: 'the test', server, tls: {verify: true}}]})
    expect(refused).toMatchObject({claim: {state: 'failed', kind: 'refused'}, volume: {state: 'absent'}, missing: false})
  })
})
