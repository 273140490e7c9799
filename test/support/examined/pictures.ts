// The pictures of the public reports, on an otherwise healthy node.
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {
  blockRecord,
  blockVolume,
  csi,
  ebs,
  ebsRegistration,
  ebsSocket,
  gone,
  publish,
  stage,
  uniqueName,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from './healthy.ts'
import {ago, day, type ExaminedNode, hour, minute, root} from './node.ts'

export type Change = (node: ExaminedNode) => void

/** k8s#105536: only vol_data.json is left of a pod. */
export function recordLeft(node: ExaminedNode, {spec = 'pvc-gone', age = hour as number | null, uid = gone} = {}): string {
  node.record(`${volumeDir(uid, spec)}/vol_data.json`, {driverName: ebs, specVolID: spec, volumeHandle: 'vol-gone', nodeName: 'n1'}, age)
  return volumeDir(uid, spec)
}

/** k8s#108217: the record of a pod that is Terminating for an hour has 0 bytes. */
export function recordEmpty(node: ExaminedNode, content = ''): void {
  terminating(node, web, hour)
  node.record(`${webVolume}/vol_data.json`, content, 3 * hour)
}

/** Its containers have exited and its sandbox is down. */
export function terminating(node: ExaminedNode, uid: string, seconds: number): void {
  const ids = {containerId: `c-${uid}`, terminatedId: `c-${uid}`}
  const end = {exitCode: 0, reason: 'Completed', startedAt: ago(day), finishedAt: ago(seconds)}
  node.changePod(uid, {deletedAt: ago(seconds), containers: [{name: 'app', kind: 'regular', state: 'terminated', ...ids, ...end}]})
  node.stop(uid)
  node.runs('terminating', uid, {ready: false, state: ContainerState.CONTAINER_EXITED})
}

/** k8s#92299: the volume of a pod that is gone is still mounted. */
export function publishLeft(node: ExaminedNode, {spec = 'pvc-gone', age = hour as number | null} = {}): string {
  return publish(node, gone, spec, 'vol-gone', {age})
}

/** k8s#85476: the kubelet died between NodeUnpublishVolume and NodeUnstageVolume. */
export function stagingLeft(node: ExaminedNode, {handle = 'vol-gone', bare = false} = {}): string {
  node.inUse = [...node.inUse, uniqueName(handle)]
  return stage(node, handle, {bare})
}

/** k8s#100182: a new pod waits while NodePublishVolume fails, since its volume was unstaged. */
export function publishWithoutStage(node: ExaminedNode, created = 20 * minute): void {
  node.remove(webStaging)
  node.unmount(`${webStaging}/globalmount`)
  node.unmount(`${webVolume}/mount`)
  node.remove(`${webVolume}/mount`)
  node.record(`${webVolume}/vol_data.json`, node.volData.get(`${webVolume}/vol_data.json`) ?? '', created)
  node.changePod(web, {
    ...{phase: 'Pending', createdAt: ago(created)},
    containers: [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}],
  })
  node.stop(web)
}

/** k8s#109955: the mount did not reach the node. */
export function volumeBare(node: ExaminedNode): void {
  node.unmount(`${webVolume}/mount`)
}

/** aws-efs-csi-driver#695: the kubelet's second call mounted it again. */
export function stacked(node: ExaminedNode, device = '8:16', path = `${webVolume}/mount`): void {
  const lower = node.mounts.find((line) => line.split(' ')[4] === `${root}/${path}`)?.split(' ')[0]
  node.mount(path, {device, parent: Number(lower)})
}

/** k8s#101622: an NFS server is gone, the look hangs, and so does the kubelet's loop. */
export function nfsGone(node: ExaminedNode, stuck = true): string {
  const path = volumeDir(web, 'pvc-web').replace('kubernetes.io~csi/pvc-web', 'kubernetes.io~nfs/share')
  node.dir(path)
  node.mount(path, {device: '0:70', fsType: 'nfs4', source: 'nas:/share'})
  node.looks.set(`${root}/${path}`, {state: 'silent', afterMs: 3000})
  if (stuck) node.healthz = {ok: false, text: '[+]ping ok\n[-]syncloop failed: reason withheld\nhealthz check failed'}
  return path
}

/** k8s#135698: the pod was deleted by force while the kubelet was down; its hostPath has no directory in volumes/. */
export function subpathLeft(node: ExaminedNode, {device = '8:32', age = hour as number | null, volume = 'conf'} = {}): string {
  const path = `pods/${gone}/volume-subpaths/${volume}/app/0`
  node.dir(path, age)
  node.mount(path, {device, sub: '/srv/conf'})
  return path
}

/** k8s#99677: the device of a volume is still referenced from a pod that is gone, while another one uses it. */
export function deviceLeft(node: ExaminedNode, age: number | null = hour): string {
  const path = `${csi}/volumeDevices/pvc-db/dev/${gone}`
  node.put(path, 'block', age)
  node.mount(path, {device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
  return path
}

/** secrets-store#895: the driver was removed before its pods. */
export function driverRemoved(node: ExaminedNode): void {
  node.drivers = node.drivers.filter(({name}) => name !== ebs)
  node.registrations = node.registrations.filter(({name}) => name !== ebs)
  node.remove(ebsSocket)
  node.remove(ebsRegistration)
}

/** node-driver-registrar#206: after the node was switched off both sockets are left and nobody listens. */
export function socketsDead(node: ExaminedNode): void {
  const answer = {state: 'refused', why: 'ECONNREFUSED'} as const
  node.drivers = node.drivers.map((each) => (each.name === ebs ? {socket: each.socket, answer} : each))
  node.registrations = node.registrations.map((each) => (each.name === ebs ? {socket: each.socket, answer} : each))
}

/** k8s#129799, ceph-csi#4200: the driver accepts and says nothing; its registrar answers. */
export function driverSilent(node: ExaminedNode): void {
  const answer = {state: 'silent', why: 'no answer within 5 s'} as const
  node.drivers = node.drivers.map((each) => (each.name === ebs ? {socket: each.socket, answer} : each))
}

export const job = '66666666-6666-4666-8666-666666666666'

/** k8s#82190: NodeStageVolume hangs; the pod waits. */
export function stageHangs(node: ExaminedNode, {age = minute, handle = 'vol-job'} = {}): string {
  waiting(node, age)
  const dir = stage(node, handle, {age, bare: true})
  const target = `${root}/${dir}/globalmount`
  node.says(age, 'I', `"kubernetes.io/csi: calling NodeStageVolume rpc" volID=${JSON.stringify(handle)} stagingTargetPath="${target}"`)
  node.inUse = [...node.inUse, uniqueName(handle)]
  return dir
}

/** k8s#88086: NodePublishVolume of a raw block volume hangs: it is staged and there is no link. */
export function publishHangs(node: ExaminedNode, {age = minute} = {}): string {
  waiting(node, age)
  const at = `${csi}/volumeDevices`
  node.record(`${at}/pvc-job/data/vol_data.json`, blockRecord('pvc-job', 'vol-job'), age)
  node.dir(`${at}/staging/pvc-job`, age)
  node.dir(`${at}/publish/pvc-job`, age)
  const target = `${root}/${at}/publish/pvc-job/${job}`
  node.says(age, 'I', `"kubernetes.io/csi: calling NodePublishVolume rpc" volID="vol-job" targetPath="${target}"`)
  node.inUse = [...node.inUse, uniqueName('vol-job')]
  return `${at}/publish/pvc-job`
}

function waiting(node: ExaminedNode, age: number): void {
  const containers = [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}] as const
  node.pod('job-0', job, ['work'], {phase: 'Pending', createdAt: ago(age + 1), containers})
  node.put(`pods/${job}/etc-hosts`, 'file', age)
  node.dir(`pods/${job}/volumes`, age)
}

/** What the kubelet writes when an operation failed. */
export function operationFailed(node: ExaminedNode, secondsAgo: number, operation: string, code: string, handle = 'vol-job'): void {
  const until = new Date(ago(secondsAgo - 1)).toISOString().replace('T', ' ').replace('Z', '')
  node.says(
    secondsAgo,
    'E',
    `Operation for "{volumeName:${uniqueName(handle)} podName: nodeName:}" failed. No retries permitted until ${until} +0000 UTC m=+9.1 (durationBeforeRetry 500ms). Error: ${operation} failed for volume "pvc-job" (UniqueName: "${uniqueName(handle)}") pod "job-0" (UID: "${job}") : rpc error: code = ${code} desc = because`,
  )
}

/** A second pod of this node has the raw block volume, too. */
export function secondBlockPod(node: ExaminedNode): string {
  const uid = '77777777-7777-4777-8777-777777777777'
  node.pod('db-1', uid, ['disk'])
  node.runs('db-1', uid)
  blockVolume(node, uid, 'pvc-db', 'vol-db')
  return uid
}

/** k8s#76382: the kubelet refuses every status of the pod, and its runtime has nothing of it but the sandbox. */
export function statusRefused(node: ExaminedNode): void {
  node.version = '1.17.3'
  const bad = {name: 'bad', kind: 'regular', state: 'terminated', exitCode: 128, reason: 'StartError', terminatedId: 'b'} as const
  const ok = {name: 'app', kind: 'regular', state: 'running', startedAt: ago(day), containerId: `c-${web}`} as const
  node.changePod(web, {deletedAt: ago(hour), restartPolicy: 'Never', containers: [{...bad, finishedAt: ago(2 * hour)}, ok]})
  node.containers = node.containers.filter(({id}) => id !== `c-${web}`)
  for (const seconds of [300, 220, 150, 70])
    node.says(
      seconds,
      'E',
      'Status update on pod shop/web-0 aborted: terminated container bad attempted illegal transition to non-terminated state',
    )
}

/** cri-o#4693: the status has the id of a container that ended two hours ago. */
function otherContainerRuns(node: ExaminedNode): void {
  node.changePod(web, {containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: ago(day), containerId: 'c-before'}]})
}

/** k8s#104107: exit 0, and the kubelet could not see it. */
function endLost(node: ExaminedNode): void {
  const end = {exitCode: 137, reason: 'ContainerStatusUnknown', containerId: `c-${web}`}
  node.changePod(web, {phase: 'Failed', createdAt: ago(hour), containers: [{name: 'app', kind: 'regular', state: 'terminated', ...end}]})
  node.stop(web)
  node.runs('web-0', web, {ready: false, started: hour, state: ContainerState.CONTAINER_EXITED})
}

/** k8s#58711: Succeeded with a container that failed, which runs. */
function succeededAndRuns(node: ExaminedNode): void {
  const end = {exitCode: 1, reason: 'Error', containerId: `c-${web}`, terminatedId: `c-${web}`, finishedAt: ago(hour)}
  node.changePod(web, {phase: 'Succeeded', containers: [{name: 'app', kind: 'regular', state: 'terminated', ...end}]})
}

export const pictures: Readonly<Record<string, Change>> = {
  'V01 k8s#105536': (node) => recordLeft(node),
  'V02 k8s#108217': (node) => recordEmpty(node),
  'V03 k8s#92299': (node) => publishLeft(node),
  'V04 k8s#85476': (node) => stagingLeft(node),
  'V05 k8s#100182': (node) => publishWithoutStage(node),
  'V06 k8s#109955': volumeBare,
  'V07 aws-efs-csi-driver#695': (node) => stacked(node),
  'V09 k8s#101622': (node) => nfsGone(node),
  'V10 k8s#135698': (node) => subpathLeft(node),
  'V11 k8s#99677': (node) => deviceLeft(node),
  'C01 secrets-store#895': driverRemoved,
  'C02 node-driver-registrar#206': socketsDead,
  'C03 k8s#129799': driverSilent,
  'P01 k8s#116954': (node) => terminating(node, web, hour),
  'P01 k8s#76382': statusRefused,
  'P02 cri-o#4693': otherContainerRuns,
  'P03 k8s#104107': endLost,
  'P04 k8s#58711': succeededAndRuns,
  'U01 k8s#82190': (node) => stageHangs(node),
  'U02 k8s#88086': (node) => publishHangs(node),
}
