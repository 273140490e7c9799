import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {decoders} from '../../../src/node/bundle/decode.ts'
import {sourceNames} from '../../../src/node/snapshot.ts'
import {ContainerState, PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'

const context = {when: Date.parse('2026-11-30T03:11:04Z')}
const sandboxes = (...items: unknown[]) => decoders['runtime.sandboxes'](JSON.stringify({items}), context)
const containers = (...items: unknown[]) => decoders['runtime.containers'](JSON.stringify({containers: items}), context)
const entries = (...lines: string[]) => decoders['disk.entries'](lines.join('\n'), context)
const volData = (...lines: object[]) => decoders['disk.vol-data'](lines.map((line) => JSON.stringify(line)).join('\n'), context)

describe('decoders: the runtime', () => {
  test.each<[string, object, object]>([
    [
      'a sandbox',
      {id: 'a', metadata: {name: 'n', uid: 'u', namespace: 'ns', attempt: 2}, state: 'SANDBOX_NOTREADY'},
      {state: PodSandboxState.SANDBOX_NOTREADY},
    ],
    ['a moment as text', {id: 'a', createdAt: '1796007370975078366'}, {createdAt: 1796007370975078366n}],
    ['a moment as a number', {id: 'a', createdAt: 1796007370975078400}, {createdAt: 1796007370975078400n}],
    ['a moment before all', {id: 'a', createdAt: '-6795364578871345152'}, {createdAt: -6795364578871345152n}],
    ['no moment', {id: 'a', createdAt: '0'}, {createdAt: 0n}],
    ['a state of later as none of ours', {id: 'a', state: 'SANDBOX_FROZEN'}, {state: -1}],
    ['a state that is a number', {id: 'a', state: 1}, {state: PodSandboxState.SANDBOX_NOTREADY}],
    ['a number beyond the states', {id: 'a', state: 7}, {state: 7}],
    ['metadata null', {id: 'a', metadata: null, labels: null}, {id: 'a', labels: {}}],
    ['fields of later', {id: 'a', later: {x: 1}}, {id: 'a'}],
  ])('runtime.sandboxes reads %s', (_, item, expected) => {
    const reading = sandboxes(item)
    expect(reading.incomplete).toBeUndefined()
    expect(reading.value).toEqual([expect.objectContaining(expected)])
  })

  test('runtime.containers reads states, known or not', () => {
    const {value} = containers(
      {id: 'a', state: 'CONTAINER_EXITED'},
      {id: 'b', state: 'CONTAINER_UNKNOWN'},
      {id: 'c', state: 'CONTAINER_FROZEN'},
    )
    expect(value.map(({state}) => state)).toEqual([ContainerState.CONTAINER_EXITED, ContainerState.CONTAINER_UNKNOWN, -1])
  })

  test('runtime.sandboxes keeps the same id twice', () => {
    expect(sandboxes({id: 'a'}, {id: 'a'}).value).toHaveLength(2)
  })

  test('runtime.sandboxes says how many it could not read', () => {
    const reading = sandboxes({id: 'a'}, null, {id: 5}, {id: 'b', labels: {x: null}}, 'x')
    expect(reading.value.map(({id}) => id)).toEqual(['a'])
    expect(reading.incomplete).toBe('4 of 5 entries cannot be read')
  })

  test.each(['{}', '{"items":null}'])('runtime.sandboxes reads %s as none', (text) => {
    expect(decoders['runtime.sandboxes'](text, context)).toEqual({state: 'read', value: []})
  })

  test.each(['[]', 'null', '"x"', '{"items":{}}'])('runtime.sandboxes throws one sentence on %s', (text) => {
    expect(() => decoders['runtime.sandboxes'](text, context)).toThrow(
      "Cannot read it as it must be an object with a list 'items', as crictl prints it: it is not",
    )
  })
})

describe('decoders: the disk', () => {
  test.each<[string, object]>([
    ['{"path":"pods","type":"directory","mode":"750","size":4096}', {path: 'pods', type: 'directory', mode: 0o750, size: 4096}],
    ['{"path":"a","type":"l","mode":"777","size":3,"target":"../x"}', {path: 'a', type: 'link', mode: 0o777, size: 3, target: '../x'}],
    ['{"path":"a","type":"p","mode":"0600","size":0}', {path: 'a', type: 'fifo', mode: 0o600, size: 0}],
    ['{"path":"a","type":"constructor","mode":"600","size":0}', {path: 'a', type: 'other', mode: 0o600, size: 0}],
    ['{"path":"","type":"d","mode":"2755","size":0}', {path: '', type: 'directory', mode: 0o2755, size: 0}],
    [
      '{"path":"a","type":"f","mode":"600","size":0,"modifiedAt":"2026-11-30T03:11:04Z"}',
      {path: 'a', type: 'file', mode: 0o600, size: 0, modifiedAt: context.when},
    ],
  ])('disk.entries reads %s', (line, expected) => {
    expect(entries(line, '')).toEqual({state: 'read', value: [expected]})
  })

  test('disk.entries says how many lines it could not read', () => {
    const whole = '{"path":"a","type":"f","mode":"600","size":0}'
    expect(entries(whole, '{"path":"b"}', '[]', '{"path":"c","type":"f","mode":"9","size":0}', whole.slice(0, 20)).incomplete).toBe(
      '4 of 5 entries cannot be read',
    )
  })

  test('disk.vol-data reads a file as text, as base64, or takes why it could not be read', () => {
    const {value} = volData(
      {path: 'a', content: '{"driverName":"d"}'},
      {path: 'b', base64: Buffer.from('{"driverName":"\xff"}', 'latin1').toString('base64')},
      {path: 'c', unreadable: 'permission denied'},
      {path: 'd', content: '\ufeff{}'},
      {path: 'e', content: ''},
    )
    expect(value).toEqual([
      {path: 'a', data: {driverName: 'd'}},
      {path: 'b', data: {driverName: '\ufffd'}},
      {path: 'c', data: {unreadable: 'permission denied'}},
      {path: 'd', data: {unreadable: 'it starts with a byte order mark'}},
      {path: 'e', data: {unreadable: 'it is empty'}},
    ])
  })
})

describe('decoders', () => {
  test.each(['kernel.mounts', 'kubelet.metrics'] as const)('%s takes an empty file for none', (name) => {
    expect(() => decoders[name]('', context)).toThrow(/at least: it has none/)
  })

  test('kernel.mounts says that its last line was torn', () => {
    const line = '42 27 254:0 / /var/lib/kubelet rw shared:1 - ext4 /dev/vda rw\n'
    expect(decoders['kernel.mounts'](line + line.slice(0, 30), context).incomplete).toBe('1 of 2 entries cannot be read')
  })

  test('kubelet.pods says how many items were no pods', () => {
    expect(decoders['kubelet.pods']('{"items":[{},{"metadata":{"name":"a","uid":"u"}}]}', context).incomplete).toBe(
      '1 of 2 entries cannot be read',
    )
  })

  test('kubelet.log throws one sentence when no line is of klog', () => {
    expect(() => decoders['kubelet.log']('<html>', context)).toThrow(
      'Cannot read it as its lines must be those of klog: not one of them is',
    )
    expect(() => decoders['kubelet.log']('\n', context)).toThrow('it is empty')
  })

  test.each([
    ['', 'it is empty'],
    ['<!DOCTYPE html>', 'it is HTML or XML'],
  ])('kubelet.pods throws one sentence on %j', (text, why) => {
    expect(() => decoders['kubelet.pods'](text, context)).toThrow(`Cannot read it as it must be JSON: ${why}`)
  })

  test.each(sourceNames)('%s ends with a reading or an Error of one line, whatever text comes', (name) => {
    const item = fc.object({
      key: fc.constantFrom('id', 'metadata', 'state', 'createdAt', 'labels', 'path', 'type', 'mode', 'size', 'content'),
      maxDepth: 3,
    })
    const documents = fc
      .array(item)
      .map((items) => [JSON.stringify({items, containers: items}), items.map((one) => JSON.stringify(one)).join('\n')])
    fc.assert(
      fc.property(
        fc.oneof(
          documents,
          fc.string().map((text) => [text]),
          fc.json().map((text) => [text]),
        ),
        (texts) => {
          for (const text of texts) {
            try {
              expect(decoders[name](text, context).state).toBe('read')
            } catch (error) {
              expect((error as Error).constructor).toBe(Error)
              expect((error as Error).message).toMatch(/^Cannot read /)
            }
          }
        },
      ),
    )
  })

  test('decoders throw no RangeError on a document as deep as a file may be', () => {
    const deep = '['.repeat(5_000_000)
    expect(() => decoders['api.pods'](deep, context)).toThrow(/^Cannot read it as it must be JSON/)
    expect(() => decoders['api.pods'](deep + ']'.repeat(5_000_000), context)).toThrow(
      'Cannot read it as it must be a v1 PodList: it is an array',
    )
  })
})
