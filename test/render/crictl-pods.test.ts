import {describe, expect, test} from 'vitest'
import {type PodsView, renderPods} from '../../src/render/crictl-pods.ts'
import type {ListStyle} from '../../src/render/list-style.ts'
import type {PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {fullSandbox, sandbox} from '../support/cri-messages.ts'

const style: ListStyle = {output: 'table', quiet: false, verbose: false, noTrunc: false}
const view: PodsView = {
  sandboxes: [sandbox(fullSandbox)],
  withoutSandbox: [],
  standings: {of: (uid) => ({kubelet: uid === fullSandbox.metadata.uid ? 'Running' : '-', verdict: '-'})},
  now: Date.parse('2025-11-30T03:01:05Z'),
}
const cells = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))

describe('renderPods()', () => {
  test("prints crictl's columns, and ours to their right", async () => {
    expect(await renderPods(view, style)).toBe(
      [
        'POD ID              CREATED             STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME             KUBELET             VERDICT\n',
        '1f73f2d81bf98       10 minutes ago      NotReady            web-0               default             2                   kata                Running             -\n',
      ].join(''),
    )
  })

  test('prints whole ids when told to', async () => {
    expect(await renderPods(view, {...style, noTrunc: true})).toContain(`\n${fullSandbox.id}   `)
  })

  test('prints pods without a sandbox below', async () => {
    const pod = {name: 'web-1', namespace: 'default', uid: 'u', finalizers: [], volumes: [], containers: []}
    const standings = {of: () => ({kubelet: 'Pending', verdict: 'waits for its volume'})}
    const text = await renderPods({...view, standings, withoutSandbox: [{...pod, createdAt: view.now - 120_000}, pod]}, style)
    expect(cells(text).slice(2)).toEqual([
      ['-', '2 minutes ago', '-', 'web-1', 'default', '-', '-', 'Pending', 'waits for its volume'],
      ['-', '-', '-', 'web-1', 'default', '-', '-', 'Pending', 'waits for its volume'],
    ])
  })

  test('prints what has no metadata, and a state beyond the enum', async () => {
    const odd = sandbox({id: 'x', state: 9 as unknown as PodSandboxState})
    expect(await renderPods({...view, sandboxes: [odd]}, style)).toContain('state 9')
    expect(await renderPods({...view, sandboxes: [odd]}, {...style, verbose: true})).toContain(
      'ID: x\nStatus: state 9\nCreated: 1970-01-01 00:00:00 +0000 UTC\nRuntime: (default)\n',
    )
  })

  test('prints whole ids and nothing else with -q, JSON even then', async () => {
    expect(await renderPods(view, {...style, quiet: true, verbose: true})).toBe(`${fullSandbox.id}\n`)
    expect(JSON.parse(await renderPods(view, {...style, quiet: true, output: 'json'}))).toMatchObject({items: [{id: fullSandbox.id}]})
  })

  test('prints a paragraph each with -v', async () => {
    expect(await renderPods(view, {...style, verbose: true})).toBe(`ID: ${fullSandbox.id}
Name: web-0
UID: 0e1b2c3d-1111-2222-3333-444455556666
Namespace: default
Attempt: 2
Status: NotReady
Created: 2025-11-30 02:51:04.123456789 +0000 UTC
Labels:
\tapp -> web
\tio.kubernetes.pod.uid -> 0e1b2c3d-1111-2222-3333-444455556666
Annotations:
\tkubernetes.io/config.source -> api
Runtime: kata

`)
  })

  test.for([0n, -1n, 1_764_471_064n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, -6_795_364_578_871_345_152n])(
    'survives createdAt %d',
    async (createdAt) => {
      const odd = {...view, sandboxes: [sandbox({...fullSandbox, createdAt})]}
      expect(await renderPods(odd, style)).toMatch(/ ago /)
      expect(await renderPods(odd, {...style, verbose: true})).toMatch(/Created: \d{4}-/)
    },
  )
})
