// A node with secrets in all that kubelimbo reads of one: served by fakes, and written to files as it is, for a search to find them there.
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {create, toBinary} from '@bufbuild/protobuf'
import {ListContainersResponseSchema, ListPodSandboxResponseSchema} from '../../src/wire/gen/cri_pb.ts'
import {fakeDriver, fakeRegistration} from './fake-driver.ts'
import {fakeServer} from './fake-kubelet-http.ts'
import {fakeRuntime} from './fake-runtime.ts'
import type {Garden} from './planted-secrets.ts'

export interface PlantedNode {
  /** What tells kubelimbo of it. */
  readonly flags: readonly string[]
}

const uid = '0f0f0f0f-1111-4222-8333-444444444444'
const labels = {
  'io.kubernetes.pod.name': 'web-0',
  'io.kubernetes.pod.namespace': 'default',
  'io.kubernetes.pod.uid': uid,
  'io.kubernetes.container.name': 'main',
}

/** It ends with the test. @param folder of the node's files and sockets @param sources of what is served, as it is */
export async function plantedNode(folder: string, sources: string, {plain, awkward}: Garden): Promise<PlantedNode> {
  const keep = (name: string, content: string | Uint8Array) => {
    const path = join(sources, name)
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, content)
    return path
  }
  const pods = (source: string) => JSON.stringify({kind: 'PodList', apiVersion: 'v1', items: [podOf(`${source} pod`, {plain, awkward})]})
  const kubeletPods = pods('kubelet')
  const running = pods('running')
  const apiPods = pods('api')
  const log = logOf(plain)
  const events = JSON.stringify({
    kind: 'EventList',
    items: [
      {
        metadata: {name: 'e1', namespace: 'default', annotations: {'example.com/token': plain('event annotation')}},
        involvedObject: {kind: 'Pod', name: 'web-0', namespace: 'default', uid},
        reason: 'FailedMount',
        type: 'Warning',
        message: `MountVolume.SetUp failed: mount -o username=u,password=${plain('event message')} failed`,
        lastTimestamp: '2026-11-30T03:00:00Z',
      },
    ],
  })
  const node = JSON.stringify({
    kind: 'Node',
    metadata: {name: 'n1', annotations: {'example.com/api-key': plain('node annotation')}},
    status: {nodeInfo: {kubeletVersion: 'v1.26.5'}},
  })
  const mountinfo = [
    '27 1 254:0 / / rw shared:1 - ext4 /dev/vda rw',
    `900 27 0:99 / /mnt/share rw - cifs //server/share rw,username=u,password=${plain('cifs option')}`,
    `901 27 0:98 / /mnt/ceph rw - ceph 10.0.0.1:/ rw,name=admin,secret=${plain('ceph option')}`,
    `902 27 0:97 / /mnt/dav rw - fuse.davfs https://u:${plain('mount source')}@dav.example.com rw`,
    '',
  ].join('\n')
  const kubelet = await fakeServer({
    '/pods': kubeletPods,
    '/runningpods/': running,
    '/healthz': 'ok',
    '/metrics': 'kubernetes_build_info{git_version="v1.26.5"} 1\n',
  })
  const api = await fakeServer({'/api/v1/pods': apiPods, '/api/v1/events': events, '/api/v1/nodes/n1': node})
  keep('kubelet/pods.json', kubeletPods)
  keep('kubelet/runningpods.json', running)
  keep('api/pods.json', apiPods)
  keep('api/events.json', events)
  keep('api/node.json', node)
  const key = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${plain('client key')}\n-----END PRIVATE KEY-----\n`).toString('base64')
  const kubeconfig = keep(
    'kubeconfig',
    `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "${api.url}"}}]
users: [{name: u, user: {token: ${plain('kubeconfig token')}, client-key-data: ${key}}}]
`,
  )

  const root = join(folder, 'kubelet')
  const volume = join(root, `pods/${uid}/volumes`)
  const driver = join(root, 'plugins/csi.example.com/csi.sock')
  for (const path of ['plugins_registry', 'plugins/csi.example.com']) mkdirSync(join(root, path), {recursive: true})
  const volData = JSON.stringify({
    specVolID: 'pv1',
    volumeHandle: 'vol-planted',
    driverName: 'csi.example.com',
    volumeLifecycleMode: 'Persistent',
    'csi.storage.k8s.io/serviceAccount.tokens': awkward('vol_data.json'),
  })
  mkdirSync(join(volume, 'kubernetes.io~csi/pv1/mount'), {recursive: true})
  writeFileSync(join(volume, 'kubernetes.io~csi/pv1/vol_data.json'), volData)
  keep('vol_data.json', volData)
  mkdirSync(join(volume, 'kubernetes.io~secret/creds'), {recursive: true})
  const mounted = plain('file of a Secret')
  writeFileSync(join(volume, 'kubernetes.io~secret/creds/password'), mounted)
  keep('secret-file', mounted)

  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({env: awkward('sandbox annotation')}),
    'example.com/token': plain('sandbox token annotation'),
  }
  const sandboxes = [{id: 'sandbox1', metadata: {name: 'web-0', namespace: 'default', uid, attempt: 0}, labels, annotations}]
  const containerAnnotations = {'example.com/db-password': awkward('container annotation')}
  const containers = [
    {
      id: 'container1',
      podSandboxId: 'sandbox1',
      metadata: {name: 'main', attempt: 0},
      labels,
      annotations: containerAnnotations,
      image: {image: 'busybox'},
    },
  ]
  const info = JSON.stringify({pid: 1, config: {envs: [{key: 'DB', value: awkward('verbose info')}]}})
  const status = {status: {id: 'container1', annotations: containerAnnotations}, info: {info}}
  const reason = `pull failed: https://u:${plain('runtime condition')}@registry.example.com`
  const conditions = [{type: 'RuntimeReady', status: false, reason: 'Broken', message: reason}]
  keep('runtime/sandboxes.bin', toBinary(ListPodSandboxResponseSchema, create(ListPodSandboxResponseSchema, {items: sandboxes})))
  keep('runtime/containers.bin', toBinary(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers})))
  keep('runtime/rest.json', JSON.stringify([status, reason]))
  await fakeRuntime({path: join(folder, 'cri.sock'), sandboxes, containers, statuses: {container1: status}, conditions})
  await fakeDriver({path: driver})
  await fakeRegistration({path: join(root, 'plugins_registry/csi.example.com-reg.sock'), endpoint: driver})
  return {
    flags: [
      ...['-r', `unix://${join(folder, 'cri.sock')}`, '--kubelet-root', root, '--kubelet-url', kubelet.url, '--kubeconfig', kubeconfig],
      ...['--kubelet-log', keep('kubelet.log', log), '--mountinfo', keep('mountinfo', mountinfo)],
    ],
  }
}

function podOf(where: string, {plain, awkward}: Pick<Garden, 'plain' | 'awkward'>): object {
  const container = {
    name: 'main',
    image: 'busybox',
    env: [
      {name: 'DB_PASSWORD', value: awkward(`${where}: env`)},
      {name: 'PLAIN', value: plain(`${where}: env without a name that tells`)},
    ],
    args: [`--password=${plain(`${where}: argument`)}`, '--token', plain(`${where}: argument after its flag`)],
    livenessProbe: {httpGet: {path: '/', port: 80, httpHeaders: [{name: 'Authorization', value: `Bearer ${plain(`${where}: header`)}`}]}},
  }
  const spec = {
    nodeName: 'n1',
    containers: [container],
    volumes: [
      {
        name: 'inline',
        csi: {driver: 'csi.example.com', volumeAttributes: {password: awkward(`${where}: volume attribute`), shape: 'round'}},
      },
    ],
  }
  const applied = JSON.stringify({spec: {containers: [{env: [{name: 'X', value: awkward(`${where}: last applied`)}]}]}})
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': applied,
    'example.com/secret-token': plain(`${where}: annotation`),
  }
  return {
    metadata: {name: 'web-0', namespace: 'default', uid, creationTimestamp: '2026-11-30T02:00:00Z', annotations},
    spec,
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          restartCount: 0,
          state: {waiting: {reason: 'X', message: `login with password=${plain(`${where}: status`)}`}},
        },
      ],
    },
  }
}

function logOf(plain: Garden['plain']): string {
  const line = (second: number, text: string) => `I1130 03:09:0${second}.000000    2082 csi.go:1] ${text}\n`
  return [
    line(0, `planted-line Authorization: Bearer ${plain('log: bearer')}`),
    line(1, `GRPC request: {"node_publish_secrets":{"password":"${plain('log: CSI secrets')}"},"volume_id":"vol-planted"}`),
    line(2, `"Pulling" auth={"password":"${plain('log: registry auth')}"}`),
    line(3, `Mounting cmd (mount) with arguments (-t cifs -o username=u,password=${plain('log: mount option')} //s/s /mnt)`),
    line(4, `GET https://u:${plain('log: URL')}@registry.example.com/v2/`),
    JSON.stringify({ts: 1796007600000, caller: 'x.go:1', msg: 'planted-json', token: plain('log: JSON')}),
    '\n',
  ].join('')
}
