import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openBundle} from '../../src/node/bundle.ts'
import {known} from '../../src/node/reading.ts'
import {convertCapture} from './convert-capture.ts'

const fixtures = resolve(import.meta.dirname, '../../fixtures/nodes')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'))
})
afterAll(() => rmSync(folder, {recursive: true}))

function contents(top: string): Record<string, string> {
  const files = readdirSync(top, {recursive: true, encoding: 'utf8'}).filter((name) => statSync(join(top, name)).isFile())
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(top, name), 'utf8')]))
}

const capture: Readonly<Record<string, string>> = {
  when: '2026-11-30T02:56:44Z\n',
  'cri-pods.json': '{\n  "items": [\n  ]\n}\n',
  'cri-podstatus.jsonl': '{\n  "a": {\n    "b": 1\n  }\n}\n{\n  "c": []\n}\n',
  'cri-containerstatus.jsonl': '',
  'kubelet-tree.txt': 'd 755 4096 . -> \ns 700 0 ./plugins_registry/x-reg.sock -> \nl 777 5 ./pods/u/v/a -> b -> /x -> y\n',
  'vol_data.txt': '== ./pods/u/vol_data.json\n{"a":"1"}\n\n== ./b/vol_data.json\n\n== ./c/vol_data.json\nhalf\n',
}

describe('convertCapture()', () => {
  test('convertCapture() makes a bundle, the same every time', () => {
    const from = join(folder, 'capture')
    mkdirSync(from)
    for (const [name, text] of Object.entries(capture)) writeFileSync(join(from, name), text)
    convertCapture(from, join(folder, 'out'))
    const first = contents(join(folder, 'out'))
    convertCapture(from, join(folder, 'out'))
    expect(contents(join(folder, 'out'))).toEqual(first)
    expect(first).toMatchObject({
      'runtime/sandbox-status.jsonl': '{"a":{"b":1}}\n{"c":[]}\n',
      'runtime/container-status.jsonl': '',
      'disk/entries.jsonl':
        '{"path":"","type":"directory","mode":"755","size":4096}\n' +
        '{"path":"plugins_registry/x-reg.sock","type":"socket","mode":"700","size":0}\n' +
        '{"path":"pods/u/v/a","type":"link","mode":"777","size":5,"target":"b -> /x -> y"}\n',
      'disk/vol-data.jsonl':
        '{"path":"pods/u/vol_data.json","content":"{\\"a\\":\\"1\\"}\\n"}\n{"path":"b/vol_data.json","content":""}\n{"path":"c/vol_data.json","content":"half"}\n',
    })
    expect(JSON.parse(first['bundle.json'] ?? '')).toMatchObject({
      metadata: {node: 'n1', when: '2026-11-30T02:56:44Z'},
      readings: {
        'runtime.container-status': {state: 'read', file: 'runtime/container-status.jsonl'},
        'runtime.containers': {state: 'absent', why: 'not in the capture'},
        processes: {state: 'absent', why: 'not in the capture'},
      },
    })
  })
})

describe('fixtures/nodes', () => {
  test.each(readdirSync(fixtures))('openBundle() reads all of %s', async (name) => {
    const {readings, ...rest} = await openBundle(join(fixtures, name))
    expect(rest).toMatchObject({node: 'n1', kubeletRoot: '/var/lib/kubelet', kubeletVersion: '1.26.5'})
    const captured = Object.values(readings).filter(({state}) => state === 'read')
    expect(captured).toHaveLength(11)
    for (const reading of captured) expect(reading).toEqual({state: 'read', value: expect.any(Array)})
    const others = Object.values(readings).filter(({state}) => state !== 'read')
    for (const reading of others) expect(reading).toEqual({state: 'absent', why: 'not in the capture'})
    // Every line of the log is one of klog's, and of the minutes before the capture.
    const lines = known(readings['kubelet.log']) ?? []
    expect(lines).toHaveLength(
      readFileSync(join(fixtures, name, 'kubelet/log.txt'), 'utf8')
        .trimEnd()
        .split('\n').length,
    )
    for (const {at = 0} of lines) expect(rest.when - at).toBeLessThan(3_600_000)
    for (const {data} of known(readings['disk.vol-data']) ?? []) expect(data).toMatchObject({driverName: 'hostpath.csi.k8s.io'})
  })

  test('openBundle() reads what healthy tells', async () => {
    const {readings} = await openBundle(join(fixtures, 'healthy'))
    expect(
      known(readings['kubelet.pods'])?.map((pod) => [pod.name, pod.phase, pod.volumes.map(({kind}) => kind).join()]),
    ).toMatchInlineSnapshot(`
      [
        [
          "inline-0",
          "Running",
          "csi",
        ],
        [
          "web-0",
          "Pending",
          "persistentVolumeClaim",
        ],
        [
          "blk-0",
          "Running",
          "persistentVolumeClaim",
        ],
      ]
    `)
    expect(known(readings['runtime.containers'])?.map((container) => container.id)).toEqual(
      expect.arrayContaining(
        known(readings['kubelet.pods'])?.flatMap(({containers}) => containers.flatMap(({containerId}) => containerId ?? [])) ?? [],
      ),
    )
    expect(known(readings['kernel.mounts'])?.find((mount) => mount.mountPoint.endsWith('/pv1/mount'))).toMatchInlineSnapshot(`
      {
        "device": "254:0",
        "fsType": "ext4",
        "id": 43,
        "mountPoint": "/var/lib/kubelet/pods/59ee3536-836b-4a14-9dba-b0b55d1e0987/volumes/kubernetes.io~csi/pv1/mount",
        "optional": [
          "shared:2",
        ],
        "options": "rw,relatime",
        "parent": 42,
        "root": "/var/lib/csi-hostpath-data/48fb8f96-ec69-11f1-b476-7264fc4fb799",
        "source": "/dev/vda",
        "superOptions": "rw,discard,resv_strict,resuid=65534,resgid=65534",
      }
    `)
  })
})
