// Whether what a kubelet finds on the disk when it starts is in doubt, or counts as mounted. Upstream: volumemanager/reconciler/reconstruct.go
import type {Profile} from '../profiles.ts'

export const uncertainAtStart = (profile: Profile): boolean => profile.switches.has('reconstruct-uncertain')
