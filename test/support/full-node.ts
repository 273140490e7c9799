// A captured healthy node with every source, those that no capture has made up: to change one thing of.
import {openBundle} from '../../src/node/bundle.ts'
import {read} from '../../src/node/reading.ts'
import type {Snapshot, SourceName, Sources} from '../../src/node/snapshot.ts'

export async function fullNode(): Promise<Snapshot> {
  const node = await openBundle('fixtures/nodes/healthy')
  const root = node.kubeletRoot
  const driver = `${root}/plugins/hostpath.csi.k8s.io/csi.sock`
  const made: Partial<Sources> = {
    'runtime.answers': {
      endpoint: 'unix:///run/containerd/containerd.sock',
      source: 'a usual place',
      told: false,
      name: 'containerd',
      version: '1.6.20',
      calls: [{method: 'Version', outcome: {state: 'answered', tookMs: 3}}],
      conditions: [{type: 'NetworkReady', status: true, reason: '', message: ''}],
    },
    'kubelet.healthz': {ok: true, text: 'ok'},
    'disk.mounts': [
      {
        mountPoint: `${root}/pods/59ee3536-836b-4a14-9dba-b0b55d1e0987/volumes/kubernetes.io~csi/pv1/mount`,
        outcome: {state: 'ok', device: '254:0'},
      },
    ],
    'csi.registrations': [
      {
        socket: `${root}/plugins_registry/hostpath.csi.k8s.io-reg.sock`,
        answer: {state: 'answers'},
        type: 'CSIPlugin',
        name: 'hostpath.csi.k8s.io',
        endpoint: driver,
        versions: ['1.0.0'],
      },
    ],
    'csi.drivers': [
      {
        socket: driver,
        answer: {state: 'answers'},
        name: 'hostpath.csi.k8s.io',
        version: '1.9.0',
        capabilities: ['STAGE_UNSTAGE_VOLUME'],
        nodeId: 'n1',
      },
    ],
    'kernel.devices': [{device: '7:0', name: 'loop0', backingFile: '/var/lib/csi-hostpath-data/x'}],
    'kernel.boot': {id: 'boot-1', at: node.when - 3_600_000},
    takeovers: [{path: '/run/kubelimbo/takeover/0a0b0c0d.json', socket: driver, expiresAt: node.when + 600_000}],
    'api.node': {name: 'n1', volumesInUse: ['kubernetes.io/csi/hostpath.csi.k8s.io^a'], volumesAttached: []},
  }
  const readings = Object.fromEntries(Object.entries(made).map(([name, value]) => [name, read(value)]))
  // The first of one list is the first of the other.
  const pods = ['kubelet.pods', 'api.pods'] as const
  return pods.reduce((each, source) => withSource(each, source, (list) => list.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))), {
    ...node,
    readings: {...node.readings, ...readings},
  })
}

/** With the value of one source changed. */
export function withSource<Name extends SourceName>(node: Snapshot, name: Name, change: (value: Sources[Name]) => Sources[Name]): Snapshot {
  const reading = node.readings[name]
  if (reading.state !== 'read') throw new Error(`Cannot change ${name} as it must have been read: ${reading.why}`)
  return {...node, readings: {...node.readings, [name]: {...reading, value: change(reading.value as Sources[Name])}}}
}

/** With the first of a list changed. */
export function withFirst<Name extends SourceName>(
  node: Snapshot,
  name: Name,
  change: (first: Sources[Name] extends readonly (infer Item)[] ? Item : never) => unknown,
): Snapshot {
  return withSource(node, name, (value) => {
    const [first, ...rest] = value as unknown as never[]
    return [change(first as never), ...rest] as unknown as Sources[Name]
  })
}
