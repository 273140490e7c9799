import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {containerData, sandboxData} from '../../src/render/crictl-data.ts'
import type {PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {container, fullContainer, fullSandbox, sandbox} from '../support/cri-messages.ts'

describe('sandboxData()', () => {
  test('writes every field in the shape of crictl', () => {
    expect(JSON.parse(sandboxData([sandbox(fullSandbox)], 'json'))).toEqual({
      items: [{...fullSandbox, state: 'SANDBOX_NOTREADY', createdAt: '1764471064123456789'}],
    })
  })

  test('writes defaults, leaves absent messages out, and numbers what the enum does not know', () => {
    expect(JSON.parse(sandboxData([sandbox({state: 7 as unknown as PodSandboxState, createdAt: -1n})], 'json'))).toEqual({
      items: [{id: '', state: 7, createdAt: '-1', labels: {}, annotations: {}, runtimeHandler: ''}],
    })
  })

  test('writes an empty list', () => {
    expect(sandboxData([], 'json')).toBe('{\n  "items": []\n}\n')
    expect(sandboxData([], 'yaml')).toBe('items: []\n')
  })

  test('writes the same as YAML', () => {
    const items = [sandbox(fullSandbox), sandbox({labels: {on: 'yes', n: '1e3'}})]
    expect(parse(sandboxData(items, 'yaml'))).toEqual(JSON.parse(sandboxData(items, 'json')))
  })

  test('lets no control reach a terminal, and means the same', () => {
    const labels = {evil: '\u009b31m\u202e\u007f'}
    const text = sandboxData([sandbox({labels})], 'json')
    expect(text).toContain('"evil": "\\u009b31m\\u202e\\u007f"')
    expect(JSON.parse(text).items[0].labels).toEqual(labels)
  })
})

describe('containerData()', () => {
  test('writes every field in the shape of crictl', () => {
    expect(JSON.parse(containerData([container(fullContainer)], 'json'))).toEqual({
      containers: [{...fullContainer, state: 'CONTAINER_RUNNING', createdAt: '1764471065000000000'}],
    })
  })

  test('writes the same as YAML', () => {
    const containers = [container(fullContainer), container()]
    expect(parse(containerData(containers, 'yaml'))).toEqual(JSON.parse(containerData(containers, 'json')))
  })
})
