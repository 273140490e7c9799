// A healthy node: a filesystem volume, a raw block volume, an inline volume and a static pod, all running since yesterday, all sources read.
import {createHash} from 'node:crypto'
import {day, ExaminedNode, hour, minute, root} from './node.ts'

export const ebs = 'ebs.csi.example'
export const inline = 'inline.csi.example'
export const web = '11111111-1111-4111-8111-111111111111'
export const db = '22222222-2222-4222-8222-222222222222'
export const scratch = '33333333-3333-4333-8333-333333333333'
export const proxy = '44444444444444444444444444444444'
export const gone = '99999999-9999-4999-8999-999999999999'
export const csi = 'plugins/kubernetes.io/csi'
export const webVolume = volumeDir(web, 'pvc-web')
export const webStaging = stagingDir(ebs, 'vol-web')
export const ebsSocket = `plugins/${ebs}/csi.sock`
export const ebsRegistration = `plugins_registry/${ebs}-reg.sock`

export function volumeDir(uid: string, spec: string): string {
  return `pods/${uid}/volumes/kubernetes.io~csi/${spec}`
}

export function stagingDir(driver: string, handle: string): string {
  return `${csi}/${driver}/${createHash('sha256').update(handle).digest('hex')}`
}

export function podRecord(spec: string, handle: string, more: Readonly<Record<string, string>> = {}) {
  const attachmentID = 'csi-0123'
  return {attachmentID, driverName: ebs, nodeName: 'n1', specVolID: spec, volumeHandle: handle, volumeLifecycleMode: 'Persistent', ...more}
}

export function blockRecord(spec: string, handle: string) {
  return {attachmentID: 'csi-0123', driverName: ebs, nodeName: 'n1', specVolID: spec, volumeHandle: handle}
}

/** The volume in its staging directory and nowhere else. */
export function stage(node: ExaminedNode, handle: string, {age = day as number | null, device = '8:32', bare = false} = {}): string {
  const dir = stagingDir(ebs, handle)
  node.dir(`${dir}/globalmount`, age)
  node.record(`${dir}/vol_data.json`, {driverName: ebs, volumeHandle: handle}, age)
  if (!bare) node.mount(`${dir}/globalmount`, {device, source: '/dev/sdc'})
  return dir
}

/** The volume in the directory of a pod. */
export function publish(node: ExaminedNode, uid: string, spec: string, handle: string, {age = day as number | null, device = '8:32'} = {}) {
  const dir = volumeDir(uid, spec)
  node.dir(`${dir}/mount`, age)
  node.record(`${dir}/vol_data.json`, podRecord(spec, handle), age)
  node.mount(`${dir}/mount`, {device, source: '/dev/sdc'})
  return dir
}

export function blockVolume(node: ExaminedNode, uid: string, spec: string, handle: string, age: number | null = day): void {
  const at = `${csi}/volumeDevices`
  node.record(`${at}/${spec}/data/vol_data.json`, blockRecord(spec, handle), age)
  node.dir(`${at}/staging/${spec}`, age)
  node.put(`${at}/publish/${spec}/${uid}`, 'block', age)
  node.put(`${at}/${spec}/dev/${uid}`, 'block', age)
  node.put(`pods/${uid}/volumeDevices/kubernetes.io~csi/${spec}`, 'link', age, {target: `${root}/${at}/publish/${spec}/${uid}`})
  for (const place of [`${at}/publish/${spec}/${uid}`, `${at}/${spec}/dev/${uid}`])
    node.mount(place, {device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
}

export function uniqueName(handle: string): string {
  return `kubernetes.io/csi/${ebs}^${handle}`
}

export function healthy(change: (node: ExaminedNode) => void = () => {}): ExaminedNode {
  const node = new ExaminedNode()
  node.mount('/', {id: 1, parent: 0, device: '254:0', source: '/dev/vda'})
  node.dir('pods', 2 * hour)
  for (const [device, name] of [
    ['254:0', 'vda'],
    ['8:16', 'sdb'],
    ['8:32', 'sdc'],
    ['8:48', 'sdd'],
    ['7:1', 'loop1'],
  ] as const)
    node.devices.push({device, name, ...(name === 'loop1' && {backingFile: `${root}/${csi}/volumeDevices/pvc-db/dev/${db}`})})
  addPods(node)
  stage(node, 'vol-web', {device: '8:16'})
  publish(node, web, 'pvc-web', 'vol-web', {device: '8:16'})
  blockVolume(node, db, 'pvc-db', 'vol-db')
  node.dir(`${volumeDir(scratch, 'scratch')}/mount`)
  const ephemeral = {driverName: inline, volumeLifecycleMode: 'Ephemeral'}
  node.record(`${volumeDir(scratch, 'scratch')}/vol_data.json`, podRecord('scratch', `csi-${'ab'.repeat(32)}`, ephemeral))
  node.mount(`${volumeDir(scratch, 'scratch')}/mount`, {device: '0:60', fsType: 'tmpfs', source: 'tmpfs'})
  addDriver(node, ebs, ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS'])
  addDriver(node, inline, [])
  node.inUse = ['vol-web', 'vol-db'].map(uniqueName)
  for (let each = 60; each >= 0; each--) node.says(each * minute + 1, 'I', '"SyncLoop (housekeeping)"')
  change(node)
  return node
}

function addPods(node: ExaminedNode): void {
  node.pod('web-0', web, ['data'])
  node.pod('db-0', db, ['disk'])
  node.pod('inline-0', scratch, [], {volumes: [{name: 'scratch', kind: 'csi', driver: inline}]})
  node.pod('kube-proxy-n1', proxy, [], {configSource: 'file', namespace: 'kube-system'})
  // Its mirror has a UID of its own.
  const mirror = {uid: '55555555-5555-4555-8555-555555555555', staticUid: proxy}
  node.apiPods = node.apiPods.map((pod) => (pod.uid === proxy ? {...pod, ...mirror} : pod))
  for (const [name, uid] of [
    ['web-0', web],
    ['db-0', db],
    ['inline-0', scratch],
    ['kube-proxy-n1', proxy],
  ] as const) {
    node.runs(name, uid)
    node.put(`pods/${uid}/etc-hosts`, 'file')
    node.dir(`pods/${uid}/containers/app`)
    node.dir(`pods/${uid}/plugins`)
    node.dir(`pods/${uid}/volumes/kubernetes.io~projected/token`)
    node.mount(`pods/${uid}/volumes/kubernetes.io~projected/token`, {device: '0:50', fsType: 'tmpfs', source: 'tmpfs'})
  }
}

export function addDriver(node: ExaminedNode, name: string, capabilities: readonly string[]): void {
  const socket = `plugins/${name}/csi.sock`
  const registration = `plugins_registry/${name}-reg.sock`
  node.put(socket, 'socket')
  node.put(registration, 'socket')
  node.drivers.push({
    socket: `${root}/${socket}`,
    answer: {state: 'answers'},
    name,
    version: '1.0.0',
    ready: true,
    capabilities,
    nodeId: 'n1',
  })
  const said = {type: 'CSIPlugin', name, endpoint: `${root}/${socket}`, versions: ['1.0.0']}
  node.registrations.push({socket: `${root}/${registration}`, answer: {state: 'answers'}, ...said})
}
