import {describe, expect, test} from 'vitest'
import {type PsView, renderPs} from '../../src/render/crictl-ps.ts'
import type {ListStyle} from '../../src/render/list-style.ts'
import type {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {container, fullContainer} from '../support/cri-messages.ts'

const style: ListStyle = {output: 'table', quiet: false, verbose: false, noTrunc: false}
const view: PsView = {
  containers: [container(fullContainer)],
  standings: {of: () => ({kubelet: 'Running', verdict: '-'})},
  now: Date.parse('2025-11-30T03:01:05Z'),
}

describe('renderPs()', () => {
  test("prints crictl's columns, and ours to their right", async () => {
    const [header, row] = (await renderPs(view, style)).split('\n').map((line) => line.split(/ {2,}/))
    expect(header).toEqual([
      'CONTAINER',
      'IMAGE',
      'CREATED',
      'STATE',
      'NAME',
      'ATTEMPT',
      'POD ID',
      'POD',
      'NAMESPACE',
      'KUBELET',
      'VERDICT',
    ])
    expect(row).toEqual([
      '87d3992f84f74',
      'a1a1a1a1a1a1a',
      '10 minutes ago',
      'Running',
      'app',
      '3',
      '1f73f2d81bf98',
      'web-0',
      'default',
      'Running',
      '-',
    ])
  })

  test('cuts no image that has a name, and nothing when told so', async () => {
    const named = container({...fullContainer, image: {image: 'example.test/pause:3.10'}})
    expect(await renderPs({...view, containers: [named]}, style)).toContain('example.test/pause:3.10')
    expect(await renderPs(view, {...style, noTrunc: true})).toContain(fullContainer.image.image)
  })

  test('prints what has no metadata, no image, no labels, and a state beyond the enum', async () => {
    const odd = {...view, containers: [container({id: 'x', state: 9 as unknown as ContainerState})]}
    expect(await renderPs(odd, style)).toMatch(/^x +56 years|^x {2,}/m)
    expect(await renderPs(odd, style)).toContain('state 9')
    expect(await renderPs(odd, {...style, verbose: true})).toBe(
      'ID: x\nPodID: \nNamespace: unknown\nState: state 9\nCreated: 55 years ago\n\n',
    )
  })

  test('prints a paragraph each with -v', async () => {
    expect(await renderPs(view, {...style, verbose: true})).toBe(`ID: ${fullContainer.id}
PodID: ${fullContainer.podSandboxId}
Namespace: default
Name: app
Attempt: 3
State: Running
Image: ${fullContainer.image.image}
Created: 10 minutes ago
Labels:
\tio.kubernetes.container.name -> app
\tio.kubernetes.pod.name -> web-0
\tio.kubernetes.pod.namespace -> default
\tio.kubernetes.pod.uid -> 0e1b2c3d-1111-2222-3333-444455556666
Annotations:
\tio.kubernetes.container.restartCount -> 3

`)
  })

  test('prints whole ids with -q', async () => {
    expect(await renderPs(view, {...style, quiet: true})).toBe(`${fullContainer.id}\n`)
  })
})
