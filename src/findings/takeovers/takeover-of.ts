// The takeover of a socket, as the cause of what else is found about that socket.
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Finding} from '../finding.ts'
import {kubeletsPath} from './kubelets-path.ts'
import {isServers, takeoverState} from './takeover-state.ts'

/** T01 when somebody has it, or had it and it was not given back. @param path as a configuration names it: a journal has the links resolved, and /var/run is one */
export function takeoverOf(path: string | undefined, snapshot: Snapshot): Finding['cause'] {
  if (path === undefined) return null
  const names = [path, path.replace(/^\/var\/run\//, '/run/')]
  for (const journal of known(snapshot.readings.takeovers) ?? []) {
    if (isServers(takeoverState(journal, snapshot.when))) continue
    const {socket} = journal
    const told = socket === undefined ? undefined : kubeletsPath(socket, snapshot)
    if (told !== undefined && names.includes(told)) return {code: 'T01', subject: {kind: 'Path', path: told}}
  }
  return null
}
