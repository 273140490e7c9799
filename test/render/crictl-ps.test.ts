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
  test("prints crictl's columns, and ours to their right", () => {
    const [header, row] = renderPs(view, style)
      .split('\n')
      .map((line) => line.split(/ {2,}/))
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

  test('cuts no image that has a name, and nothing when told so', () => {
    const named = container({...fullContainer, image: {image: 'registry.k8s.io/pause:3.10'}})
    expect(renderPs({...view, containers: [named]}, style)).toContain('registry.k8s.io/pause:3.10')
    expect(renderPs(view, {...style, noTrunc: true})).toContain(fullContainer.image.image)
  })

  test('prints what has no metadata, no image, no labels, and a state beyond the enum', () => {
    const odd = {...view, containers: [container({id: 'x', state: 9 as unknown as ContainerState})]}
    expect(renderPs(odd, style)).toMatch(/^x +56 years|^x {2,}/m)
    expect(renderPs(odd, style)).toContain('state 9')
    expect(renderPs(odd, {...style, verbose: true})).toBe('ID: x\nPodID: \nNamespace: unknown\nState: state 9\nCreated: 55 years ago\n\n')
  })

  test('prints a paragraph each with -v', () => {
    expect(renderPs(view, {...style, verbose: true})).toBe(`ID: ${fullContainer.id}
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

  test('prints whole ids with -q', () => {
    expect(renderPs(view, {...style, quiet: true})).toBe(`${fullContainer.id}\n`)
  })
})
