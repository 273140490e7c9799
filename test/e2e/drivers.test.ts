// The built command, as a user runs it, on bundles.
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {kubelimbo} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'

const lines = (...records: readonly unknown[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`

const kubelet = '/var/lib/kubelet'
const registrations = lines(
  {
    socket: `${kubelet}/plugins_registry/nfs.csi.k8s.io-reg.sock`,
    answer: {state: 'answers'},
    type: 'CSIPlugin',
    name: 'nfs.csi.k8s.io',
    endpoint: `${kubelet}/plugins/csi-nfsplugin/csi.sock`,
    versions: ['1.0.0'],
  },
  {socket: `${kubelet}/plugins_registry/smb.csi.k8s.io-reg.sock`, answer: {state: 'refused', why: 'nobody listens on it'}},
)
const sockets = lines(
  {
    socket: `${kubelet}/plugins/csi-nfsplugin/csi.sock`,
    answer: {state: 'answers'},
    name: 'nfs.csi.k8s.io',
    version: 'v4.11.0',
    ready: true,
    capabilities: ['GET_VOLUME_STATS', 'SINGLE_NODE_MULTI_WRITER'],
    nodeId: 'n1',
  },
  {socket: `${kubelet}/plugins/smb/csi.sock`, answer: {state: 'silent', why: '\u001b[2Jit says nothing'}},
)
const volData = lines(
  ...['nfs.csi.k8s.io', 'smb.csi.k8s.io', 'old.csi.k8s.io'].map((driverName) => ({
    path: `pods/u/volumes/kubernetes.io~csi/${driverName}/vol_data.json`,
    content: JSON.stringify({driverName, volumeHandle: 'h'}),
  })),
)

function bundle(files: Readonly<Record<string, string>>): string {
  const folder = tempDir()
  const manifest = {
    apiVersion: 'kubelimbo/v1',
    kind: 'NodeBundle',
    metadata: {node: 'n1', when: '2026-11-30T03:00:00Z'},
    kubelet: {root: kubelet},
    readings: Object.fromEntries(Object.keys(files).map((source) => [source, {state: 'read', file: `${source}.jsonl`}])),
  }
  const all = {
    'bundle.json': JSON.stringify(manifest),
    ...Object.fromEntries(Object.entries(files).map(([source, text]) => [`${source}.jsonl`, text])),
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true})
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('kubelimbo drivers', () => {
  test('lists the drivers of a bundle', async () => {
    const from = bundle({'csi.registrations': registrations, 'csi.drivers': sockets, 'disk.vol-data': volData})
    const {stdout, stderr, exitCode} = await kubelimbo(['drivers', '--from', from])
    expect([stderr, exitCode]).toEqual(['', 0])
    expect(stdout.split('\n').map((line) => line.split(/ {3,}/).slice(0, 5))).toEqual([
      ['NAME', 'VERSION', 'STATE', 'REGISTERED', 'VOLUMES'],
      ['nfs.csi.k8s.io', 'v4.11.0', 'answers', 'yes', '1'],
      ['old.csi.k8s.io', '-', '-', 'no: no registration names it', '1'],
      ['smb.csi.k8s.io', '-', '-', 'fails: nobody listens on it', '1'],
      ['-', '-', 'silent', 'unknown: /var/lib/kubelet/plugins_registry/smb.csi.k8s.io-reg.sock does not say whose registration it is', '-'],
    ])
  })

  test('prints the same as JSON and as YAML, and no escape of a hostile driver', async () => {
    const from = bundle({'csi.registrations': registrations, 'csi.drivers': sockets, 'disk.vol-data': volData})
    const json = await kubelimbo(['drivers', '--from', from, '--json'])
    const yaml = await kubelimbo(['drivers', '--from', from, '-o', 'yaml'])
    const data = JSON.parse(json.stdout)
    expect(parse(yaml.stdout)).toEqual(data)
    expect(json.stdout + yaml.stdout).not.toContain('\u001b')
    expect(data).toMatchObject({
      apiVersion: 'kubelimbo/v1',
      kind: 'Drivers',
      metadata: {node: 'n1', when: '2026-11-30T03:00:00Z', tool: expect.stringMatching(/^kubelimbo \d/)},
      items: [
        {name: 'nfs.csi.k8s.io', capabilities: ['GET_VOLUME_STATS', 'SINGLE_NODE_MULTI_WRITER'], nodeId: 'n1', ready: true},
        {},
        {},
        {},
      ],
    })
  })

  test('exits 3 on a bundle that has nothing of sockets, and lists what vol_data.json files name', async () => {
    const {stdout, stderr, exitCode} = await kubelimbo(['drivers', '--from', bundle({'disk.vol-data': volData})])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('unknown: not in the bundle')
    expect(stderr).toBe('warning: the list is incomplete: csi.registrations: not in the bundle; csi.drivers: not in the bundle')
  })

  test('exits 2 on what is no bundle', async () => {
    expect(await kubelimbo(['drivers', '--from', '/nowhere'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^kubelimbo: Cannot open/),
    })
  })
})
