// R08: the runtime calls a container running whose main process is gone.
import {formatDuration} from '../../base/duration.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext, Detector, Unseen} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import {whyUnusable} from '../usable.ts'
import {containerWords, listedSubject, nameEvidence} from './container-subject.ts'
import {crictl} from './crictl.ts'
import {type DeadContainer, deadContainers, exitMs} from './dead-containers.ts'
import {momentText} from './impossible-time.ts'
import {restartRuntime} from './runtime-remedies.ts'

const links = [
  'https://github.com/containerd/containerd/issues/12678',
  'https://github.com/cri-o/cri-o/issues/9274',
  'https://github.com/containers/conmon/issues/545',
]

const severityOf: Readonly<Record<DeadContainer['proof'], Severity>> = {certain: 'error', doubtful: 'warning', young: 'info'}

export const processGone: Detector = {
  code: 'R08',
  name: 'container-running-but-process-gone',
  severities: [
    {severity: 'error', when: 'nothing else lives in its cgroup either'},
    {severity: 'warning', when: 'something else does, or not all processes were seen'},
    {
      severity: 'info',
      when: `it started less than ${formatDuration(exitMs)} ago, or nothing tells when: its end may be on its way into the record`,
    },
  ],
  graceMs: exitMs,
  sampleTwice: true,
  needs: () => [['runtime.containers']],
  cannotLook,
  besides: unknownProcesses,
  helpedBy: ['runtime.container-status', 'processes', 'runtime.sandboxes', 'runtime.answers'],
  explain: {
    what: 'ContainerStatus of a container says RUNNING, and the pid that the runtime names is gone, a zombie, or another process by now.',
    how:
      'The runtime lost the exit: containerd deletes the task before it saves the state and fails halfway when somebody holds the root file ' +
      "system; CRI-O's conmon died, or had no disk left for the exit file. The kubelet goes by the record: it restarts nothing, and the pod never ends.",
    lookAlikes: [
      'a process that ended just now: it is asked twice, and once more by the next look',
      'a virtual machine or a sandbox (kata, gVisor): the pid is that of somebody else',
      'a runtime in another pid namespace than ours: then no pid is looked at',
      'a process that left its first thread: the others live on',
      'a clock that was set: processes then seem to have started at another time than their containers',
    ],
    links,
  },
  detect: (context) => [...deadContainers(context.snapshot).dead.values()].map((dead) => finding(context, dead)),
}

function cannotLook(context: DetectContext): Unseen | undefined {
  const source = 'runtime.container-status'
  const {readings} = context.snapshot
  if (known(readings[source]) === undefined) return {source, why: whyUnusable(context.snapshot, source) ?? 'it was not read'}
  const {running, unknown} = deadContainers(context.snapshot)
  return running > 0 && unknown.length === running ? unknownProcesses(context) : undefined
}

function finding(context: DetectContext, dead: DeadContainer): Finding {
  const {snapshot} = context
  const subject = listedSubject(snapshot, dead.id)
  const since = sinceOf(dead, snapshot.when)
  return {
    code: 'R08',
    name: 'container-running-but-process-gone',
    severity: severityOf[dead.proof],
    subject,
    message: `The runtime calls ${containerWords(subject)} running, and its main process ${dead.pid} ${wordsOf(dead)}.${doubtOf(dead)}`,
    ...(since !== undefined && {since}),
    next:
      "The kubelet goes by the runtime's word and restarts nothing. Once the pod is deleted, each StopContainer takes the grace period and 2m more, " +
      'and is sent again 10s to 15s later.',
    evidence: evidenceOf(context, dead),
    cause: null,
    remedy: remediesOf(context, dead),
    links,
  }
}

function wordsOf({how}: DeadContainer): string {
  if (how.state === 'gone') return 'is gone'
  if (how.state === 'zombie') return 'is a zombie: it has ended, and nobody has waited for it'
  const whose = how.containerId === undefined ? '' : ` and is one of container ${how.containerId}`
  return `is another one by now: it started at ${momentText(how.startedAt)}${whose}`
}

function doubtOf({proof, others}: DeadContainer): string {
  if (proof === 'young') return ' It may have ended a moment ago.'
  if (proof === 'certain') return ''
  if (others.length === 0) return ' Not all processes were seen, so something else of it may still live.'
  return ` ${others.length === 1 ? 'Another process' : `${others.length} other processes`} of it still live${others.length === 1 ? 's' : ''}.`
}

/** Whoever has its pid now could not have it before it was gone. */
function sinceOf({how}: DeadContainer, when: number): string | undefined {
  return how.state === 'there' && how.startedAt > 0 && how.startedAt <= when ? momentText(how.startedAt) : undefined
}

function evidenceOf({snapshot}: DetectContext, {id, pid, how, proof, others}: DeadContainer): Evidence[] {
  const source = 'runtime.container-status'
  const {readings} = snapshot
  const runtime = known(readings[source])?.find((look) => look.id === id)?.runtime
  const shown = others.slice(0, 3).map(({pid: each, state, cgroup}) => {
    const asleep = state === 'D' ? ', in uninterruptible sleep: nothing can end it' : ''
    return {source: 'processes', fact: `process ${each} lives in ${cgroup}${asleep}`}
  })
  const none = {source: 'processes', fact: `no living process is in a cgroup of ${id}`}
  return [
    {source, fact: `${id} is CONTAINER_RUNNING with pid ${pid}`},
    {source, fact: `/proc/${pid}: ${how.state === 'there' ? 'another process' : how.state}`},
    ...nameEvidence(listedSubject(snapshot, id)),
    ...(runtime === undefined
      ? [{source: 'runtime.sandboxes', fact: 'its sandbox has a handler whose pids are those of its processes'}]
      : []),
    ...(shown.length > 0 ? shown : proof === 'certain' ? [none] : []),
  ]
}

function remediesOf({snapshot}: DetectContext, {id, proof}: DeadContainer): Remedy[] {
  const look: Remedy = {
    command: `${crictl(snapshot)} inspect ${shellWord(id)}`,
    why: proof === 'young' ? 'look again in a minute: is it still CONTAINER_RUNNING?' : 'what the runtime says of it: state and pid',
    loses: null,
  }
  if (proof === 'young') return [look]
  return [
    look,
    restartRuntime(known(snapshot.readings['runtime.answers']), 'it then looks at its tasks anew and records the exit'),
    {
      command: `grep -l ${shellWord(id)} /proc/[0-9]*/mountinfo`,
      why: 'who holds its root file system (agents that watch a node do): with that mounted the exit is lost again',
      loses: null,
    },
  ]
}

/** Of a virtual machine no pid says anything; without its /proc no pid is looked at. */
function unknownProcesses(context: DetectContext): Unseen | undefined {
  const {unknown} = deadContainers(context.snapshot)
  const [first] = unknown
  if (first === undefined) return undefined
  const whose = unknown.length === 1 ? `container ${first}` : `${unknown.length} containers`
  return {
    source: 'runtime.container-status',
    why: `nothing tells whether the main process of ${whose} lives: no pid of its own is known, or /proc may not be the node's`,
  }
}
