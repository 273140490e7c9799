// CSI drivers by their names, and the registrations of plugins by their sockets.
import {joinDrivers} from '../../csi/join-drivers.ts'
import {absent, known} from '../../reading.ts'
import type {Thing} from '../thing.ts'
import type {View} from '../view.ts'

export const csiViews: readonly View[] = [
  {
    group: 'drivers',
    sources: ['csi.registrations', 'csi.drivers'],
    things: ({readings}) => {
      // A driver that only a volume names has no socket that could come or go.
      const drivers = joinDrivers({...readings, 'disk.vol-data': absent('not asked')})
      return drivers.map(({name, ownName, version, socket, answer, ready, registered, capabilities, nodeId}): Thing => {
        const answers = answer?.state === 'answers'
        return {
          key: name ?? socket ?? '',
          name: name ?? socket ?? 'a driver without a name',
          facts: {
            registered: registered.state,
            answer: answer?.state ?? null,
            socket: socket ?? null,
            // Of one that does not answer, nobody can say.
            'own name': answers ? (ownName ?? null) : undefined,
            version: answers ? (version ?? null) : undefined,
            ready: answers ? (ready ?? true) : undefined,
            capabilities: answers ? (capabilities?.toSorted().join(', ') ?? null) : undefined,
            'node id': answers ? (nodeId ?? null) : undefined,
          },
        }
      })
    },
  },
  {
    group: 'registrations',
    sources: ['csi.registrations'],
    things: ({readings}) =>
      (known(readings['csi.registrations']) ?? []).map(({socket, answer, type, name, endpoint, versions}) => {
        const answers = answer.state === 'answers'
        return {
          key: socket,
          name: socket,
          facts: {
            answer: answer.state,
            type: answers ? (type ?? null) : undefined,
            name: answers ? (name ?? null) : undefined,
            endpoint: answers ? (endpoint ?? null) : undefined,
            versions: answers ? (versions?.join(', ') ?? null) : undefined,
          },
        }
      }),
  },
]
