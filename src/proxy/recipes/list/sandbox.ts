// Recipes about the sandbox of a pod.
import type {Recipe} from '../recipe.ts'
import {checkFor, logOf, podEvents, podNow, sandboxes, traced, whyPod} from './see-words.ts'

export const sandboxRecipes: readonly Recipe[] = [
  {
    name: 'run-sandbox-lost',
    summary: 'the runtime makes the sandbox of the pod, and the kubelet never hears of it',
    aim: 'pod',
    mayCome: true,
    rules: [{to: 'cri', method: 'RunPodSandbox', kind: 'hang-after-exec', limit: 1, per: 'pod'}],
    kubelet: [
      {text: 'It takes a pod that is new on this node, and its first RunPodSandbox alone.'},
      {
        text: 'RunPodSandbox gets 4 minutes, twice what other calls get. The sandbox is there from the first second on; the pod is in ContainerCreating for 4 minutes, and then has an event FailedCreatePodSandBox.',
      },
      {text: 'Two seconds later the kubelet finds the sandbox in its list and uses it: the containers start, and nothing is left over.'},
      {
        lacks: 'pod-worker-states',
        text: 'A pod that is deleted meanwhile is gone within seconds, as nothing of it runs in its status; housekeeping, each 2 s, stops the sandbox.',
      },
      {
        has: 'pod-worker-states',
        text: 'A pod that is deleted meanwhile is Terminating until the 4 minutes are over; then the sandbox is stopped, and the pod is gone a second later.',
      },
    ],
    see: [
      whyPod,
      sandboxes,
      podEvents('FailedCreatePodSandBox after 4 minutes'),
      logOf(['RunPodSandbox from runtime service failed', 'CreatePodSandboxError'], 'after 4 minutes'),
      traced,
    ],
    issues: ['containerd/containerd#4604', 'containerd/containerd#9947'],
  },
  {
    name: 'stop-sandbox-lost',
    summary: 'the runtime stops the sandbox of the pod, and the kubelet never hears of it',
    aim: 'pod',
    rules: [{to: 'cri', method: 'StopPodSandbox', kind: 'hang-after-exec', limit: 1, per: 'pod'}],
    kubelet: [
      {
        text: 'It takes that the pod is deleted, or ends; its first StopPodSandbox alone is taken, which comes when its containers are stopped.',
      },
      {
        text: 'StopPodSandbox gets 2 minutes: so long the pod is Terminating, while nothing of it runs. 0.6 s later the kubelet calls it again, which is answered at once.',
      },
      {
        lacks: 'deleted-ignores-reasons',
        text: 'A pod with restartPolicy Never one of whose containers could not start is Terminating for good then: "Status update on pod aborted: attempted illegal transition to non-terminated state".',
      },
      {
        lacks: 'pod-worker-states',
        text: 'Its dead containers are removed meanwhile, so that how they ended is not told any more. It is gone up to 10 s after the second call.',
      },
      {has: 'pod-worker-states', text: 'It is gone one or two seconds after the second call.'},
    ],
    see: [
      whyPod,
      sandboxes,
      checkFor('P01 terminating-with-nothing-left', 'the runtime has nothing of it that runs'),
      podNow,
      logOf(['StopPodSandbox', 'KillPodSandboxError', 'Status update on pod'], 'after 2 minutes'),
      traced,
    ],
    issues: ['kubernetes/kubernetes#88440', 'kubernetes/kubernetes#76382'],
    scenario: 'reason-cache-blocks-deletion',
  },
]
