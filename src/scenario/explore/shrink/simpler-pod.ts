// A pod with one thing plainer.
import type {ContainerManifest, PodManifest} from '../../../lab/api-server/pod-manifest.ts'

export function* simplerPods(pod: PodManifest): Generator<PodManifest> {
  const {finalizers, ...metadata} = pod.metadata
  if (finalizers !== undefined) yield {...pod, metadata}
  const {activeDeadlineSeconds, ...spec} = pod.spec
  if (activeDeadlineSeconds !== undefined) yield {...pod, spec}
  for (const [index, container] of pod.spec.containers.entries()) {
    for (const plainer of simplerContainers(container))
      yield {...pod, spec: {...pod.spec, containers: pod.spec.containers.with(index, plainer)}}
  }
  const {terminationGracePeriodSeconds: grace = 30} = pod.spec
  for (const less of [1, 2, 5, 10]) if (less < grace) yield {...pod, spec: {...pod.spec, terminationGracePeriodSeconds: less}}
}

/** From the plainest on. */
const plainest: readonly (readonly string[] | undefined)[] = [
  undefined,
  ['sleep', 'infinity'],
  ['sh', '-c', 'exit 0'],
  ['sh', '-c', 'exit 1'],
  ['sh', '-c', "trap 'exit 1' TERM; while :; do sleep 0.1; done"],
]

function* simplerContainers(container: ContainerManifest): Generator<ContainerManifest> {
  const {lifecycle, readinessProbe, image, command, ...rest} = container
  const kept = {...(command === undefined ? {} : {command})}
  if (readinessProbe !== undefined)
    yield {...rest, ...kept, ...(lifecycle === undefined ? {} : {lifecycle}), ...(image === undefined ? {} : {image})}
  if (image !== undefined) yield {...rest, ...kept}
  if (lifecycle !== undefined) yield {...rest, ...kept}
  const {command: _, ...bare} = container
  const rank = plainest.findIndex((each) => each?.join(' ') === command?.join(' '))
  for (const plainer of plainest.slice(0, rank === -1 ? undefined : rank)) yield plainer === undefined ? bare : {...bare, command: plainer}
}
