// Recipes about the container runtime as a whole, and about one container that makes it slow.
import type {Recipe} from '../recipe.ts'
import {checkFor, logOf, nodeReady, sandboxes, traced} from './see-words.ts'

const notReady = 'pleg was last seen active'

export const runtimeRecipes: readonly Recipe[] = [
  {
    name: 'runtime-slow',
    summary: 'every call about one container takes 3 minutes longer',
    aim: 'container',
    rules: [{to: 'cri', kind: 'delay', parameters: {before: 181_000}}],
    kubelet: [
      {
        text: 'ContainerStatus, StopContainer, ExecSync and all else that names this container wait 181 s, one more than the 3 minutes after which the kubelet takes its list of pods for broken.',
      },
      {
        text: 'The kubelet asks for the status when something of the pod has changed, gives up after 2 minutes (runtimeRequestTimeout) and asks again with the next list: that list takes 2 minutes, and no pod of the node is synced before it has ended.',
      },
      {
        text: 'One such container keeps the node Ready, as each list begins in time; two pods with one each, or a runtimeRequestTimeout above 3 minutes, make it NotReady: "PLEG is not healthy: pleg was last seen active 3m… ago; threshold is 3m0s".',
      },
      {text: 'Other calls of the runtime are as fast as ever, and `crictl ps` shows nothing of it.'},
    ],
    see: [
      checkFor('R01 runtime-unresponsive', 'which container it is; K02 kubelet-not-syncing'),
      nodeReady,
      {command: 'kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep kubelet_pleg_relist', why: 'how long a list takes'},
      {command: 'crictl inspect {container}', why: 'hangs, where crictl asks through the proxy'},
      logOf([notReady, 'DeadlineExceeded'], 'each 2 minutes'),
      traced,
    ],
    issues: ['kubernetes/kubernetes#61117', 'kubernetes/kubernetes#45419', 'kubernetes/kubernetes#75065'],
  },
  {
    name: 'runtime-hang',
    summary: 'the runtime hears of nothing, and nobody answers',
    aim: 'runtime',
    rules: [{to: 'cri', kind: 'hang-call'}],
    kubelet: [
      {
        text: 'Each call gets 2 minutes (RunPodSandbox 4), then the kubelet makes it again. Containers run on; none is started, stopped or probed by a command.',
      },
      {
        text: 'After 3 minutes without a list of pods the node is NotReady: "PLEG is not healthy", "skipping pod synchronization". When the rule ends, it is Ready again within 10 s of the next list.',
      },
      {text: 'A kubelet that starts meanwhile exits, or waits for the runtime.'},
    ],
    see: [
      checkFor('R01 runtime-unresponsive', 'call by call; K02 kubelet-not-syncing'),
      nodeReady,
      logOf([notReady, 'skipping pod synchronization'], 'after 3 minutes'),
      traced,
    ],
    issues: ['containerd/containerd#12680', 'kubernetes/kubernetes#126607', 'kubernetes/kubernetes#94829'],
  },
  {
    name: 'list-hang',
    summary: 'nobody answers when all containers are asked for',
    aim: 'runtime',
    rules: [{to: 'cri', method: 'ListContainers', kind: 'hang-call'}],
    kubelet: [
      {
        text: 'ListContainers gets 2 minutes, and a list of pods needs it: what starts or ends meanwhile is not seen, and no pod is synced.',
      },
      {text: 'After 3 minutes the node is NotReady: "PLEG is not healthy", "skipping pod synchronization".'},
      {text: '`crictl ps` hangs, while `crictl pods` works.'},
    ],
    see: [
      checkFor('R01 runtime-unresponsive', 'the call that hangs; K02 kubelet-not-syncing'),
      sandboxes,
      nodeReady,
      logOf([notReady, 'ListContainers'], 'after 2 and 3 minutes'),
      traced,
    ],
    issues: ['containerd/containerd#12680'],
  },
  {
    name: 'list-stale',
    summary: 'lists of containers and sandboxes are those of the moment when it began',
    aim: 'runtime',
    rules: [
      {name: 'containers', to: 'cri', method: 'ListContainers', kind: 'list-edit', parameters: {stale: true}},
      {name: 'sandboxes', to: 'cri', method: 'ListPodSandbox', kind: 'list-edit', parameters: {stale: true}},
    ],
    kubelet: [
      {text: 'The first answer to each request passes, and is given again from then on. The node stays Ready, as every list is answered.'},
      {
        text: 'A container that ends is not noticed: it is told as running, and is not started again. Only its readiness goes, where a probe asks for it.',
      },
      {
        text: 'Of a new pod the containers start and are not noticed: it is told as ContainerCreating, and its next sync may make a second sandbox, which the runtime may refuse ("name is reserved for").',
      },
      {text: 'A pod that is deleted is stopped; as its containers are still in the list, what waits for them to be gone waits on.'},
    ],
    see: [
      {command: 'kubelimbo ps -a', why: 'what the runtime really has, where it is not asked through the proxy'},
      checkFor('P02 status-id-mismatch, R03 running-container-nobody-owns', 'where the kubelet and the runtime differ'),
      {command: 'kubectl get pods -A --field-selector spec.nodeName={node}', why: 'what the API server is told'},
      traced,
    ],
    issues: ['kubernetes/kubernetes#43021', 'kubernetes/kubernetes#76382'],
  },
  {
    name: 'events-cut',
    summary: "the runtime's stream of container events ends, again and again",
    aim: 'runtime',
    rules: [{to: 'cri', method: 'GetContainerEvents', kind: 'stream-cut', parameters: {after: 1, code: 'UNAVAILABLE'}}],
    kubelet: [
      {text: 'Only a kubelet with the feature gate EventedPLEG (alpha, off by default) asks for these events: any other feels nothing.'},
      {
        text: 'With it, the pods are listed when the stream has ended, and it is opened again; after the 5th time the kubelet lists each second as without the gate: what changed is seen late by a second at most.',
      },
    ],
    see: [
      {
        command: 'kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep evented_pleg',
        why: 'how often the stream was opened and failed',
      },
      logOf(['container events stream', 'Evented PLEG'], 'each time; more of it with -v 4'),
      traced,
    ],
    issues: [],
  },
]
