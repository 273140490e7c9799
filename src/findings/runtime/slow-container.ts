// A container whose own ContainerStatus hangs, or takes long, while the runtime answers for others.
import {formatDuration} from '../../base/duration.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Finding} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import {containerWords, listedSubject, nameEvidence} from './container-subject.ts'
import {crictl} from './crictl.ts'
import {dumpStacks, restartRuntime} from './runtime-remedies.ts'
import type {RuntimeTroubles} from './runtime-troubles.ts'

type SlowContainer = RuntimeTroubles['containers'][number]

export function slowContainerFinding(
  snapshot: Snapshot,
  {answers}: RuntimeTroubles,
  {id, ms, hangs}: SlowContainer,
): Omit<Finding, 'links'> {
  const subject = listedSubject(snapshot, id)
  const name = containerWords(subject)
  const time = formatDuration(ms)
  return {
    code: 'R01',
    name: 'runtime-unresponsive',
    severity: hangs ? 'error' : 'warning',
    subject,
    message: hangs
      ? `The runtime did not answer ContainerStatus of ${name} within ${time}, and answers other calls.`
      : `The runtime took ${time} to answer ContainerStatus of ${name}.`,
    next: hangs
      ? 'The kubelet waits 2m for it whenever its relist looks at the pod; 3m without the end of a relist make the node NotReady.'
      : 'The kubelet waits for it in its relist: many like it make 3m, and the node NotReady.',
    evidence: [
      {
        source: 'runtime.container-status',
        fact: `ContainerStatus of ${id}: ${hangs ? `nothing within ${time}` : `answered after ${time}`}`,
      },
      ...nameEvidence(subject),
    ],
    cause: null,
    remedy: [
      ...(hangs ? [dumpStacks(answers)] : []),
      {
        command: `${crictl(snapshot)} --timeout 30s inspect ${shellWord(id)}`,
        why: 'does it answer later? Its mounts, and the disk of its logs, are what it may wait for',
        loses: null,
      },
      ...(hangs
        ? [
            restartRuntime(answers, 'it lets go of all locks'),
            {
              command: `${crictl(snapshot)} rm -f ${shellWord(id)}`,
              why: 'when it hangs again after the restart; the kubelet makes another one',
              loses: 'the container, with what it wrote outside of volumes',
            },
          ]
        : []),
    ],
  }
}
