// What a driver is told of the pod that a volume is published for. Upstream: volume/csi/csi_util.go, getPodInfoAttrs
//
// Accounts are not modelled: each pod has that of its namespace.

/** Of a pod that there is, by its uid. */
export type PodNames = (uid: string) => {readonly namespace: string; readonly name: string} | undefined

/** Of a file system below pods/<uid>/, of a block volume the last name of publish/<volume>/<uid>. */
const uidIn = /\/pods\/([^/]+)\/|\/volumeDevices\/publish\/[^/]+\/([^/]+)$/

export function podInfo(targetPath: string, ephemeral: boolean, podNames: PodNames): Readonly<Record<string, string>> {
  const [, ofFilesystem, ofBlock] = uidIn.exec(targetPath) ?? []
  const uid = ofFilesystem ?? ofBlock ?? ''
  const {namespace = '', name = ''} = podNames(uid) ?? {}
  return {
    'csi.storage.k8s.io/pod.name': name,
    'csi.storage.k8s.io/pod.namespace': namespace,
    'csi.storage.k8s.io/pod.uid': uid,
    'csi.storage.k8s.io/serviceAccount.name': 'default',
    'csi.storage.k8s.io/ephemeral': `${ephemeral}`,
  }
}
