// How a person ends what nobody will stop: after a look at what it does, as it may be the one whose data counts.
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import {checkAgain} from '../check-again.ts'
import type {Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import {crictl, someIds} from './crictl.ts'
import type {ForgottenContainer} from './forgotten-processes.ts'
import type {OwnerlessRunning} from './ownerless-running.ts'

export function lookAtProcesses(snapshot: Snapshot, {running, forgotten}: OwnerlessRunning): Remedy[] {
  return [
    checkAgain('look again in some minutes: it may end by itself'),
    ...(running.length === 0 ? [] : [inspect(snapshot, running)]),
    ...(forgotten.length === 0 ? [] : [show(forgotten)]),
  ]
}

export function stopRunning(snapshot: Snapshot, running: readonly Container[]): Remedy[] {
  if (running.length === 0) return []
  const ids = someIds(running.map(({id}) => id))
  const call = crictl(snapshot)
  return [
    inspect(snapshot, running),
    {
      command: `${call} stop --timeout 30 ${ids}`,
      why: 'ends it, with half a minute to write what it has',
      loses: 'what it has not written by then',
    },
    {
      command: `${call} rm ${ids}`,
      why: 'removes the record, so that the kubelet can remove the sandbox',
      loses: 'its log, and what it wrote outside of volumes',
    },
  ]
}

export function endForgotten(forgotten: readonly ForgottenContainer[]): Remedy[] {
  if (forgotten.length === 0) return []
  const kills = forgotten.slice(0, mostKilled).map(
    ({id, pids: [pid = 0]}): Remedy => ({
      // A pid may be another process's by then.
      command: `grep -q ${shellWord(id)} /proc/${pid}/cgroup && kill ${pid}`,
      why: 'ends the oldest process, the others of the container go with it as it is their first; its shim ends then, too',
      loses: 'what it has not written',
    }),
  )
  return [show(forgotten), ...kills]
}

const mostKilled = 5
const mostPids = 20

function inspect(snapshot: Snapshot, running: readonly Container[]): Remedy {
  const why = 'see what it mounts and whether another copy writes to the same volume, on this node or another'
  return {command: `${crictl(snapshot)} inspect ${someIds(running.map(({id}) => id))}`, why, loses: null}
}

function show(forgotten: readonly ForgottenContainer[]): Remedy {
  const pids = forgotten.flatMap((each) => each.pids).slice(0, mostPids)
  return {command: `ps -o pid,ppid,lstart,args -p ${pids.join(',')}`, why: 'see what they are and which shim is their parent', loses: null}
}
