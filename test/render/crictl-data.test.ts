import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {containerData, sandboxData} from '../../src/render/crictl-data.ts'
import type {PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {container, fullContainer, fullSandbox, sandbox} from '../support/cri-messages.ts'

describe('sandboxData()', () => {
  test('writes every field in the shape of crictl', async () => {
    expect(JSON.parse(await sandboxData([sandbox(fullSandbox)], 'json'))).toEqual({
      items: [{...fullSandbox, state: 'SANDBOX_NOTREADY', createdAt: '1764471064123456789'}],
    })
  })

  test('writes defaults, leaves absent messages out, and numbers what the enum does not know', async () => {
    expect(JSON.parse(await sandboxData([sandbox({state: 7 as unknown as PodSandboxState, createdAt: -1n})], 'json'))).toEqual({
      items: [{id: '', state: 7, createdAt: '-1', labels: {}, annotations: {}, runtimeHandler: ''}],
    })
  })

  test('writes an empty list', async () => {
    expect(await sandboxData([], 'json')).toBe('{\n  "items": []\n}\n')
    expect(await sandboxData([], 'yaml')).toBe('items: []\n')
  })

  test('writes the same as YAML', async () => {
    const items = [sandbox(fullSandbox), sandbox({labels: {on: 'yes', n: '1e3'}})]
    expect(parse(await sandboxData(items, 'yaml'))).toEqual(JSON.parse(await sandboxData(items, 'json')))
  })

  test('lets no control reach a terminal, and means the same', async () => {
    const labels = {evil: '\u009b31m\u202e\u007f'}
    const text = await sandboxData([sandbox({labels})], 'json')
    expect(text).toContain('"evil": "\\u009b31m\\u202e\\u007f"')
    expect(JSON.parse(text).items[0].labels).toEqual(labels)
  })
})

describe('containerData()', () => {
  test('writes every field in the shape of crictl', async () => {
    expect(JSON.parse(await containerData([container(fullContainer)], 'json'))).toEqual({
      containers: [{...fullContainer, state: 'CONTAINER_RUNNING', createdAt: '1764471065000000000'}],
    })
  })

  test('writes the same as YAML', async () => {
    const containers = [container(fullContainer), container()]
    expect(parse(await containerData(containers, 'yaml'))).toEqual(JSON.parse(await containerData(containers, 'json')))
  })
})
