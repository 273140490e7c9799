// What is healthy and looks like a finding of several codes.
import {expect, test} from 'vitest'
import {PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {brief} from '../support/brief-findings.ts'
import {
  driver,
  gone,
  mounted,
  podRecord,
  readySandbox,
  root,
  runningPod,
  type SmallNode,
  smallNode,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from '../support/small-node.ts'
import {at} from '../support/snapshot-builder.ts'

const staticUid = '0123456789abcdef0123456789abcdef'

test.each<[string, (node: SmallNode) => void]>([
  ['a running pod with a volume', () => {}],
  ['nothing dated, no device known', (node) => Object.assign(node, {dated: false, devices: false})],
  [
    'the hostpath driver: an empty globalmount, the volume bound from the disk of the node',
    (node) => {
      node.mounts = [
        ...node.mounts.filter(({id}) => id === 1 || id === 50),
        mounted(`${webVolume}/mount`, {id: 52, device: '254:0', root: '/var/lib/csi-hostpath-data/h1', source: '/dev/vda'}),
      ]
    },
  ],
  [
    'the staging layout of 1.23 and before',
    (node) => {
      node.files = node.files.map((path) => path.replace(webStaging, 'plugins/kubernetes.io/csi/pv/pv1'))
      node.volData = {
        [`${webVolume}/vol_data.json`]: podRecord('pv1', 'h1'),
        'plugins/kubernetes.io/csi/pv/pv1/vol_data.json': {driverName: driver, volumeHandle: 'h1'},
      }
      node.mounts = node.mounts.map((mount) => ({
        ...mount,
        mountPoint: mount.mountPoint.replace(webStaging, 'plugins/kubernetes.io/csi/pv/pv1'),
      }))
    },
  ],
  [
    'a driver that mounts one level below its globalmount',
    (node) => {
      node.mounts = node.mounts.map((mount) => (mount.id === 51 ? {...mount, mountPoint: `${mount.mountPoint}/0001-h1`} : mount))
    },
  ],
  [
    'a root behind a link',
    (node) => {
      node.rootReal = '/data/kubelet'
      node.mounts = node.mounts.map((mount) => ({...mount, mountPoint: mount.mountPoint.replace(root, '/data/kubelet')}))
    },
  ],
  [
    'a root that is bound onto itself: each mount has a hidden copy beneath',
    (node) => {
      const self = {...mounted('', {id: 42, device: '254:0', root}), mountPoint: root}
      const copies = node.mounts.filter(({id}) => id > 1).map((mount) => ({...mount, id: mount.id + 100, parent: 42}))
      node.mounts = [...node.mounts, self, ...copies]
    },
  ],
  [
    'a root that shows under a second name (aws-ebs-csi-driver#1264)',
    (node) => {
      const alias = {...mounted('', {id: 42, device: '254:0', root}), mountPoint: '/mnt/kubelet'}
      const copies = node.mounts
        .filter(({id}) => id > 1)
        .map((mount) => ({...mount, id: mount.id + 100, parent: 42, mountPoint: mount.mountPoint.replace(root, '/mnt/kubelet')}))
      node.mounts = [...node.mounts, alias, ...copies]
    },
  ],
  [
    'a driver that mounts by the second name of the root alone',
    (node) => {
      const alias = {...mounted('', {id: 42, device: '254:0', root}), mountPoint: '/mnt/kubelet'}
      node.mounts = [
        alias,
        ...node.mounts.map((mount) => (mount.id > 50 ? {...mount, mountPoint: mount.mountPoint.replace(root, '/mnt/kubelet')} : mount)),
      ]
      node.devices = false
    },
  ],
  [
    'a completed pod, whose sandbox is not ready and whose directory is left',
    (node) => {
      node.pods.push(
        runningPod('job-0', gone, [], {
          phase: 'Succeeded',
          containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 0, finishedAt: at(-60)}],
        }),
      )
      node.files.push(`pods/${gone}/volumes/kubernetes.io~empty-dir/scratch/`)
    },
  ],
  [
    'a completed pod that only its sandbox knows',
    (node) => {
      node.sandboxes.push(readySandbox('job-0', gone, PodSandboxState.SANDBOX_NOTREADY))
      node.files.push(`pods/${gone}/etc-hosts`)
    },
  ],
  [
    'an inline volume without a mount',
    (node) => {
      node.volData[`${volumeDir(web, 'scratch')}/vol_data.json`] = podRecord('scratch', `csi-${'0a'.repeat(32)}`, 'Ephemeral')
      node.files.push(`${volumeDir(web, 'scratch')}/mount/`)
    },
  ],
  [
    'a static pod, whose mirror has another UID',
    (node) => {
      node.pods.push(runningPod('etcd-n1', staticUid, [], {configSource: 'file'}))
      node.apiPods = [...node.pods.slice(0, 1), runningPod('etcd-n1', gone, [], {staticUid})]
      node.sandboxes.push(readySandbox('etcd-n1', staticUid))
      node.files.push(`pods/${staticUid}/etc-hosts`)
    },
  ],
  [
    'a static pod that only its mirror tells of',
    (node) => {
      node.apiPods = [runningPod('etcd-n1', gone, [], {staticUid})]
      node.files.push(`pods/${staticUid}/etc-hosts`)
    },
  ],
  ['names in pods/ that are no UIDs', (node) => node.files.push('pods/lost+found/', 'pods/.snapshot/x', 'pods/README')],
  ['a file in pods/ with the name of a UID', (node) => node.files.push(`pods/${gone}`)],
  [
    "a driver's private directory below csi/pv (csm#1673)",
    (node) => node.files.push(`plugins/kubernetes.io/csi/pv/ephemeral/csi-${'0a'.repeat(32)}/id`),
  ],
  [
    'an empty globalmount without a record: a driver that does not stage',
    (node) => node.files.push(`plugins/kubernetes.io/csi/other.example/${'ab'.repeat(32)}/globalmount/`),
  ],
  [
    'a raw block volume',
    (node) => {
      const devices = 'plugins/kubernetes.io/csi/volumeDevices'
      node.files.push(
        `${devices}/staging/pv2/`,
        `${devices}/publish/pv2/${web}`,
        `${devices}/pv2/dev/${web}`,
        `pods/${web}/volumeDevices/kubernetes.io~csi/pv2`,
      )
      node.volData[`${devices}/pv2/data/vol_data.json`] = {specVolID: 'pv2', driverName: driver, volumeHandle: 'h2'}
    },
  ],
])('a check of %s finds nothing', (_what, change) => {
  expect(brief(smallNode(change))).toEqual([])
})
