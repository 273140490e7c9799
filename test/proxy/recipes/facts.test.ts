import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {nodeHost} from '../../../src/node/endpoints/host.ts'
import type {Machine} from '../../../src/node/runtime-source.ts'
import {readFacts} from '../../../src/proxy/recipes/facts.ts'
import {findRecipe} from '../../../src/proxy/recipes/find-recipe.ts'
import {prepare} from '../../../src/proxy/recipes/prepare.ts'
import {bundleMachine} from '../../support/bundle-machine.ts'
import {fakeServer} from '../../support/fake-kubelet-http.ts'
import {snapshotOf} from '../../support/snapshot-builder.ts'

describe('readFacts()', () => {
  test('of a bundle has the bundle, and asks nobody', async () => {
    const snapshot = snapshotOf({})
    const facts = await readFacts(findRecipe('stage-hang'), {pvc: 'data'}, {from: 'bundle', deadlineMs: 1000}, bundleMachine(snapshot))
    expect(facts).toEqual({snapshot})
  })

  test('asks the API server for the claim, as --kubeconfig says', async () => {
    const server = await fakeServer({
      '/api/v1/namespaces/prod/persistentvolumeclaims/data': JSON.stringify({
        kind: 'PersistentVolumeClaim',
        metadata: {namespace: 'prod', name: 'data'},
        spec: {volumeName: 'pv-1'},
        status: {phase: 'Bound'},
      }),
      '/api/v1/persistentvolumes/pv-1': JSON.stringify({
        kind: 'PersistentVolume',
        metadata: {name: 'pv-1'},
        spec: {csi: {driver: 'csi.example.com', volumeHandle: 'vol-1'}},
      }),
    })
    const asked = {pvc: 'prod/data', upstream: 'unix:///csi/csi.sock'}
    const {folder, machine} = bareNode()
    const kubeconfig = '/kubeconfig'
    writeFileSync(
      join(folder, kubeconfig),
      `{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}], clusters: [{name: c, cluster: {server: "${server.url}"}}], users: [{name: u, user: {}}]}`,
    )
    const facts = await readFacts(
      findRecipe('stage-hang'),
      asked,
      {kubeconfig, kubeletUrl: 'https://127.0.0.1:1', runtimeEndpoint: `unix://${folder}/none.sock`, deadlineMs: 10_000},
      machine,
    )
    const {rules, aim} = prepare(findRecipe('stage-hang'), asked, facts)
    expect(rules[0]?.match.request).toEqual({volumeId: 'vol-1'})
    expect(aim[0]).toMatch(/^The claim prod\/data is bound to pv-1, .*: so says the API server\.$/)
  })

  test('of a recipe about the container runtime fails where there is none', async () => {
    const {folder, machine} = bareNode()
    const request = {kubeletUrl: 'https://127.0.0.1:1', runtimeEndpoint: `unix://${folder}/none.sock`, deadlineMs: 10_000}
    await expect(readFacts(findRecipe('runtime-hang'), {}, request, machine)).rejects.toThrow(/^Cannot reach the container runtime: /)
    await expect(readFacts(findRecipe('runtime-hang'), {upstream: '/run/cri.sock'}, request, machine)).resolves.not.toHaveProperty(
      'runtime',
    )
  })
})

/** A machine with nothing on it of a node. */
function bareNode(): {readonly folder: string; readonly machine: Machine} {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
  // What CRI_CONFIG_FILE names.
  mkdirSync(join(folder, 'dev'))
  writeFileSync(join(folder, 'dev/null'), '')
  return {
    folder,
    machine: {
      host: nodeHost({CRI_CONFIG_FILE: '/dev/null'}, folder),
      clock: systemClock,
      signal: new AbortController().signal,
      waiting: new Set(),
      spawnStatWorker: () => {
        throw new Error('there are no directories to look at')
      },
      openBundle: () => Promise.reject(new Error('there is no bundle')),
    },
  }
}
