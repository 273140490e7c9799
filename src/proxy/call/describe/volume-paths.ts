// What the paths in a CSI call tell of its volume: the pod's uid and the name of the persistent volume (csi_mounter.go, csi_block.go).

export interface PathFacts {
  readonly podUid?: string
  /** Of an inline volume, its name in the pod. */
  readonly pv?: string
}

const shapes: readonly (readonly [RegExp, (found: readonly string[]) => PathFacts])[] = [
  [/\/pods\/([^/]+)\/volumes\/kubernetes\.io~csi\/([^/]+)(?:\/mount)?\/?$/, ([, podUid = '', pv = '']) => ({podUid, pv})],
  [/\/pods\/([^/]+)\/volumeDevices\/kubernetes\.io~csi\/([^/]+)\/?$/, ([, podUid = '', pv = '']) => ({podUid, pv})],
  [/\/volumeDevices\/publish\/([^/]+)\/([^/]+)\/?$/, ([, pv = '', podUid = '']) => ({podUid, pv})],
  [/\/volumeDevices\/staging\/([^/]+)\/?$/, ([, pv = '']) => ({pv})],
  // Up to 1.23; since then it is a hash of the volume's handle.
  [/\/plugins\/kubernetes\.io\/csi\/pv\/([^/]+)\/globalmount\/?$/, ([, pv = '']) => ({pv})],
]

export function pathFacts(path: string): PathFacts {
  for (const [shape, facts] of shapes) {
    const found = shape.exec(path)
    if (found !== null) return facts(found)
  }
  return {}
}
