// Whether a request can say which pod, container or volume it is about.
import type {DescMessage} from '@bufbuild/protobuf'

/** As describe-call.ts looks at them. */
const identifying: ReadonlySet<string> = new Set([
  'podSandboxId',
  'containerId',
  'config',
  'sandboxConfig',
  'volumeId',
  'sourceVolumeId',
  'targetPath',
  'volumePath',
  'stagingTargetPath',
  'volumeContext',
  'parameters',
])

const answers = new WeakMap<DescMessage, boolean>()

export function namesSomebody(request: DescMessage): boolean {
  const known = answers.get(request)
  if (known !== undefined) return known
  const answer = request.fields.some(({localName}) => identifying.has(localName))
  answers.set(request, answer)
  return answer
}
