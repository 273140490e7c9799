// The kubelet itself, and what the node object says is attached and in use.
import {known} from '../../reading.ts'
import type {Thing} from '../thing.ts'
import type {View} from '../view.ts'

export const kubeletViews: readonly View[] = [
  {
    group: 'kubelet',
    sources: [],
    things: ({kubeletVersion, kubeletRoot, kubeletProcess, readings}, {sameNode}) => [
      {
        key: 'kubelet',
        name: 'the kubelet',
        facts: {
          version: kubeletVersion,
          root: kubeletRoot,
          // Where none was seen it may have ended, or we cannot see it.
          pid: sameNode ? kubeletProcess?.pid : undefined,
          program: kubeletProcess?.program,
          healthy: known(readings['kubelet.healthz'])?.ok,
        },
      },
    ],
  },
  {
    group: 'attachments',
    sources: ['api.node'],
    things: ({readings}) => {
      const {volumesInUse = [], volumesAttached = []} = known(readings['api.node']) ?? {}
      const inUse = new Set(volumesInUse)
      const attached = new Set(volumesAttached)
      return [...new Set([...volumesInUse, ...volumesAttached])].map(
        (name): Thing => ({key: name, name, facts: {'in use': inUse.has(name), attached: attached.has(name)}}),
      )
    },
  },
]
