// Next steps about a kubelet that does not go on: see where it hangs before it is restarted.
import type {SeenKubelet} from '../../node/kubelet-seen.ts'
import type {Remedy} from '../finding.ts'

export function kubeletRemedies(process: SeenKubelet | undefined): Remedy[] {
  const pid = process === undefined ? '$(pidof kubelet)' : `${process.pid}`
  // k3s and the like are one process with it; their unit has their name.
  const unit = process === undefined || process.program === 'kubelet' ? 'kubelet' : process.program
  return [
    {
      command: `grep -l '^State:.D' /proc/${pid}/task/*/status`,
      why: 'threads in uninterruptible sleep: the stack file beside each names the file system that it waits for; mend that mount first',
      loses: null,
    },
    {command: `journalctl -u ${unit} -n 200 --no-pager`, why: 'what did it say last?', loses: null},
    {
      command: `systemctl restart ${unit}`,
      why: 'once what it waits for is mended; before that it hangs again',
      loses: 'what it knows of calls to CSI drivers that have not ended (U01, U02)',
    },
  ]
}
