// Where something stands in a file: 'steps[2].at'.

export type Path = readonly (string | number)[]

export function pathWords(path: Path): string {
  if (path.length === 0) return 'it'
  return `'${path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')}'`
}
