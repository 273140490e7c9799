// Recipes about the containers of a pod.
import type {Recipe} from '../recipe.ts'
import {checkFor, logOf, podEvents, podNow, ps, traced, whyPod} from './see-words.ts'

export const containerRecipes: readonly Recipe[] = [
  {
    name: 'create-container-lost',
    summary: 'the runtime makes a container of the pod, and the kubelet never hears of it',
    aim: 'pod',
    mayCome: true,
    rules: [{to: 'cri', method: 'CreateContainer', kind: 'hang-after-exec', limit: 1, per: 'pod'}],
    kubelet: [
      {
        text: 'It takes a pod that is new on this node, or a container that starts again; the first CreateContainer of the pod alone is taken.',
      },
      {
        text: 'CreateContainer gets 2 minutes. Then the container is waiting with CreateContainerError ("context deadline exceeded"), and a few seconds later it is made once more, as the next attempt: restartCount is 1 though it has never run.',
      },
      {text: 'The first one stays in the runtime as CREATED until container GC, each minute, removes it.'},
      {lacks: 'created-waits', text: 'Its lastState is told to have ended with exit code 0.'},
      {
        has: 'pod-worker-states',
        text: 'A pod that is deleted meanwhile is Terminating until the 2 minutes are over.',
      },
    ],
    see: [
      whyPod,
      ps,
      podNow,
      podEvents('Failed, with context deadline exceeded, after 2 minutes'),
      logOf(['CreateContainer.* failed', 'CreateContainerError'], 'after 2 minutes'),
      traced,
    ],
    issues: ['containerd/containerd#4604', 'kubernetes/kubernetes#134153'],
  },
  {
    name: 'start-container-lost',
    summary: 'the runtime starts a container of the pod, and the kubelet never hears of it',
    aim: 'pod',
    mayCome: true,
    rules: [{to: 'cri', method: 'StartContainer', kind: 'hang-after-exec', limit: 1, per: 'pod'}],
    kubelet: [
      {
        text: 'It takes a pod that is new on this node, or a container that starts again; the first StartContainer of the pod alone is taken.',
      },
      {
        text: 'StartContainer gets 2 minutes. The container runs from the first second on, and the API server is told ContainerCreating until they are over; other containers of the pod wait behind it.',
      },
      {
        text: 'Then the start counts as failed (RunContainerError, event Failed); a second later the kubelet sees that it runs, and lets it.',
      },
      {text: 'One that has ended by then is judged by its exit: with restartPolicy Always it starts again.'},
    ],
    see: [
      ps,
      whyPod,
      podNow,
      podEvents('Failed, with context deadline exceeded, after 2 minutes'),
      logOf(['StartContainer.* failed', 'RunContainerError'], 'after 2 minutes'),
      traced,
    ],
    issues: ['kubernetes/kubernetes#83705'],
  },
  {
    name: 'stop-container-hang',
    summary: 'the runtime never hears that it is to stop the containers of the pod, and nobody answers',
    aim: 'pod',
    rules: [{to: 'cri', method: 'StopContainer', kind: 'hang-call'}],
    kubelet: [
      {text: 'It takes that the pod is deleted, or a container that is to be restarted.'},
      {text: 'StopContainer gets the grace period and 2 minutes more. Until then the container runs on: it has got no SIGTERM.'},
      {
        text: 'Then the kubelet gives up ("Container termination failed", event FailedKillPod) and stops the sandbox, with which the runtime kills what is left: exit code 137.',
      },
      {has: 'pod-worker-states', text: 'After that the pod is gone a second or two later.'},
      {lacks: 'pod-worker-states', text: 'After that the pod is gone up to 10 s later.'},
      {lacks: 'ends-keep-exits', text: 'Right before that exit code 0 is written over it.'},
    ],
    see: [
      whyPod,
      ps,
      podNow,
      podEvents('FailedKillPod after the grace period and 2 minutes'),
      logOf(['termination failed with gracePeriod', 'KillContainerError'], 'after the grace period and 2 minutes'),
      traced,
    ],
    issues: ['cri-o/cri-o#6699', 'cri-o/cri-o#9754'],
  },
  {
    name: 'exec-hang',
    summary: 'commands in containers of the pod are never run, and nobody answers: exec probes and hooks',
    aim: 'pod',
    mayCome: true,
    rules: [{to: 'cri', method: 'ExecSync', kind: 'hang-call'}],
    kubelet: [
      {
        text: 'ExecSync gets the timeout of the probe (1 s by default) and 2 minutes more; so long the last result of the probe holds. Then it has failed, which ends a container by its liveness probe; up to 1.19 that is an error, which is tried three times and changes nothing.',
      },
      {
        text: 'A postStart hook has no deadline at all: the container and all that come after it wait, and the pod stays in ContainerCreating while the rule is in force.',
      },
      {text: 'A preStop hook is given up when the grace period is over; then the container is stopped.'},
    ],
    see: [
      whyPod,
      podNow,
      podEvents('Unhealthy, FailedPostStartHook'),
      logOf(['ExecSync.* failed', 'Probe errored'], 'of a probe, after 2 minutes'),
      traced,
    ],
    issues: [],
  },
  {
    name: 'image-pull-hang',
    summary: 'the runtime never hears that it is to pull an image for the pod, and nobody answers',
    aim: 'pod',
    mayCome: true,
    rules: [{to: 'cri', method: 'PullImage', kind: 'hang-call'}],
    kubelet: [
      {text: 'It takes a pod whose image is not on this node, or whose imagePullPolicy is Always.'},
      {text: 'PullImage has no deadline: the pod stays in ContainerCreating, with an event Pulling and nothing after it.'},
      {text: 'Images are pulled one after the other unless serializeImagePulls is false: every other pull of this node waits behind it.'},
    ],
    see: [
      whyPod,
      podEvents('Pulling, and nothing after it'),
      {command: 'kubectl get pods -A --field-selector spec.nodeName={node},status.phase=Pending', why: 'those that wait behind it'},
      traced,
    ],
    issues: [],
  },
  {
    name: 'exit-unknown',
    summary: 'how the container ended is CONTAINER_UNKNOWN, whatever the runtime says',
    aim: 'container',
    rules: [{to: 'cri', method: 'ContainerStatus', kind: 'rewrite', parameters: {reply: {'status.state': 'CONTAINER_UNKNOWN'}}}],
    kubelet: [
      {text: 'It takes that the container ends: the kubelet sees that in its list, each second, and asks for its status then.'},
      {lacks: 'missing-killed', text: 'It is told as waiting, as if it had never run.'},
      {has: 'missing-killed', text: 'It is told to have ended with 137 and ContainerStatusUnknown, whatever its real exit code is.'},
      {text: 'A container whose state is unknown is started again, with restartPolicy Never, too, unless its pod is deleted.'},
    ],
    see: [
      podNow,
      whyPod,
      checkFor('P03 made-up-exit', 'the status has not the exit that the runtime has'),
      {command: 'crictl inspect {container}', why: 'its real exit, where crictl does not ask through the proxy'},
      traced,
    ],
    issues: ['containerd/containerd#4655', 'kubernetes/kubernetes#104107', 'kubernetes/kubernetes#69060'],
    scenario: 'exit-137-after-exit-0',
  },
  {
    name: 'status-not-found',
    summary: 'the container is in the list of the runtime, and its status is NOT_FOUND',
    aim: 'container',
    rules: [
      {to: 'cri', method: 'ContainerStatus', kind: 'error', parameters: {code: 'NOT_FOUND', message: 'no such container, says kubelimbo'}},
    ],
    kubelet: [
      {text: 'The kubelet asks for the status of a container when something of its pod has changed.'},
      {
        text: 'Kubelets with #107670 (1.24, and the last ones of 1.22 and 1.23) take NOT_FOUND for gone: the container is told to have ended with 137 and ContainerStatusUnknown, and is started again beside the one that runs.',
      },
      {
        text: 'Those before cannot have the status of the whole pod then: it is asked for again each second, and the worker of the pod does nothing until there is an answer.',
      },
    ],
    see: [
      podNow,
      whyPod,
      checkFor('R06 duplicate-running', 'two of one name'),
      logOf(['ContainerStatus', 'getting pod status'], 'again and again'),
      traced,
    ],
    issues: ['kubernetes/kubernetes#107670', 'kubernetes/kubernetes#75065'],
  },
]
