// A claim and the volume that it is bound to, as the API server has them: only what leads to the calls about it.

export interface Claim {
  readonly namespace: string
  readonly name: string
  /** 'Pending', 'Bound', 'Lost'. */
  readonly phase?: string
  /** The name of the PersistentVolume, once it is bound. */
  readonly volume?: string
  readonly mode: VolumeMode
}

export interface PersistentVolume {
  readonly name: string
  /** The key of its source: 'csi', 'nfs', 'hostPath' … */
  readonly kind: string
  /** Of kind csi alone, as is the handle. */
  readonly driver?: string
  readonly handle?: string
  readonly mode: VolumeMode
}

export type VolumeMode = 'filesystem' | 'block'
