// Where a field is in a message: 'config.metadata.name', 'containers[].state', 'labels[app.kubernetes.io/name]'.

/** A field, a key of a map or an index of a list; or all entries of a list. */
export type PathStep = {readonly key: string} | 'each'

/** Undefined when it is no path. Keys that have a dot of their own are in brackets, where '[]' is all entries. */
export function parsePath(path: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  const pattern = /(?:^|(?!^)\.)([^.[\]]+)|\[([^[\]]*)\]/y
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path)
    if (found === null) return undefined
    const [, name, inside] = found
    steps.push(name !== undefined ? {key: name} : inside === '' ? 'each' : {key: inside ?? ''})
  }
  return steps.length === 0 ? undefined : steps
}

/** Whether a value there is like it; of a list with '[]', of any entry. */
export function someAt(message: unknown, path: string, isIt: (value: unknown) => boolean): boolean {
  // What has no nested messages may have its names with dots.
  if (isObject(message) && Object.hasOwn(message, path)) return isIt(message[path])
  const steps = parsePath(path)
  return steps !== undefined && someBelow(message, steps, 0, isIt)
}

function someBelow(value: unknown, steps: readonly PathStep[], from: number, isIt: (value: unknown) => boolean): boolean {
  const step = steps[from]
  if (step === undefined) return isIt(value)
  if (step === 'each') return Array.isArray(value) && value.some((entry) => someBelow(entry, steps, from + 1, isIt))
  return isObject(value) && hasKey(value, step.key) && someBelow(value[step.key], steps, from + 1, isIt)
}

/** Not the length of a list. */
const hasKey = (value: object, key: string): boolean => Object.prototype.propertyIsEnumerable.call(value, key)

/** Lists, too: their keys are the indexes. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
