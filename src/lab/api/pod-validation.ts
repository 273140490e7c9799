// What a new pod must have. Upstream: ValidatePodCreate and validateContainers in pkg/apis/core/validation/validation.go
import {UserError} from '../../base/errors.ts'
import {programOf} from '../runtime/container-program.ts'
import {type FieldError, invalidValue, required} from './api-status.ts'
import {at, type JsonObject, objects, text} from './json.ts'

const restartPolicies = ['Always', 'OnFailure', 'Never']

/** @param programs whether the lab has to understand what the containers run */
export function podErrors({spec = {}}: JsonObject, programs: boolean): readonly FieldError[] {
  const policy = text(spec, 'restartPolicy') ?? ''
  const volumes = objects(spec, 'volumes').map((volume) => text(volume, 'name') ?? '')
  return [
    ...volumes.flatMap((name, index) => nameErrors(name, volumes.slice(0, index), `spec.volumes[${index}].name`)),
    ...(['containers', 'initContainers'] as const).flatMap((field) => containersErrors(spec, field, volumes, programs)),
    ...(restartPolicies.includes(policy) ? [] : [notSupported('spec.restartPolicy', policy, restartPolicies)]),
  ]
}

function containersErrors(
  spec: unknown,
  field: 'containers' | 'initContainers',
  volumes: readonly string[],
  programs: boolean,
): readonly FieldError[] {
  const containers = objects(spec, field)
  if (field === 'containers' && containers.length === 0) return [required('spec.containers')]
  const names = containers.map((container) => text(container, 'name') ?? '')
  return containers.flatMap((container, index) => {
    const path = `spec.${field}[${index}]`
    return [
      ...nameErrors(names[index] ?? '', names.slice(0, index), `${path}.name`),
      ...(text(container, 'image') ? [] : [required(`${path}.image`)]),
      ...mountErrors(container, path, volumes),
      ...(programs ? programErrors(container, path) : []),
    ]
  })
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

function nameErrors(name: string, before: readonly string[], path: string): readonly FieldError[] {
  if (name === '') return [required(path)]
  if (!label.test(name) || name.length > 63) return [invalidValue(path, name, labelRule)]
  return before.includes(name) ? [{reason: 'FieldValueDuplicate', field: path, message: `Duplicate value: ${JSON.stringify(name)}`}] : []
}

const notSupported = (field: string, value: string, values: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values.map((each) => JSON.stringify(each)).join(', ')}`,
})

function mountErrors(container: JsonObject, path: string, volumes: readonly string[]): readonly FieldError[] {
  return (['volumeMounts', 'volumeDevices'] as const).flatMap((field) =>
    objects(container, field).flatMap((mount, index) => {
      const name = text(mount, 'name') ?? ''
      if (volumes.includes(name)) return []
      return [
        {reason: 'FieldValueNotFound' as const, field: `${path}.${field}[${index}].name`, message: `Not found: ${JSON.stringify(name)}`},
      ]
    }),
  )
}

function programErrors(container: JsonObject, path: string): readonly FieldError[] {
  const command = ['command', 'args'].flatMap((field) => at(container, field) ?? []).map(String)
  const hook = at(container, 'lifecycle', 'postStart', 'exec', 'command')
  return [
    ...programError(command, `${path}.command`),
    ...(Array.isArray(hook) ? programError(hook.map(String), `${path}.lifecycle.postStart.exec.command`) : []),
  ]
}

function programError(command: readonly string[], path: string): readonly FieldError[] {
  try {
    programOf(command)
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [invalidValue(path, command, [error.message, error.hint].filter((part) => part !== undefined).join('. '))]
  }
}
