// Next steps about a kubelet that does not go on: see where it hangs before it is restarted.
import {distributions} from '../../node/kubelet-facts/distributions.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Remedy} from '../finding.ts'

export function kubeletRemedies(snapshot: Snapshot): Remedy[] {
  const pid = snapshot.kubeletProcess?.pid ?? '$(pidof kubelet)'
  return [
    {
      command: `grep -l '^State:.D' /proc/${pid}/task/*/status`,
      why: 'threads in uninterruptible sleep: the stack file beside each names the file system that it waits for; mend that mount first',
      loses: null,
    },
    {command: `journalctl -u ${unitOf(snapshot)} -n 200 --no-pager`, why: 'what did it say last?', loses: null},
    restartKubelet(snapshot, 'once what it waits for is mended; before that it hangs again'),
  ]
}

export function restartKubelet(snapshot: Snapshot, why: string): Remedy {
  return {
    command: `systemctl restart ${unitOf(snapshot)}`,
    why,
    loses: 'what the kubelet remembers of volumes whose stage or publish timed out (U01, U02)',
  }
}

/** Of k3s and the like the kubelet is a part. Their own names only: that of the process may be a bundle's, and anything. */
function unitOf({kubeletProcess, kubeletRoot}: Snapshot): string {
  const program = kubeletProcess?.program
  const like = distributions.filter((each) => program === undefined || each.program === program)
  const own = like.find(({rootDir}) => rootDir === kubeletRoot) ?? (program === 'kubelet' || program === undefined ? undefined : like[0])
  return own?.units[0] ?? 'kubelet'
}
