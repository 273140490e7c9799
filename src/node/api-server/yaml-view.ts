// A YAML document looked at piece by piece, each piece with its line. Nothing of the document is ever quoted: a secret may stand anywhere.
import type {LineCounter, Node, YAMLMap} from 'yaml'

export interface YamlView {
  /** 1 for the first. Of the value of a key, or of the map itself. */
  line(key?: string): number
  has(key: string): boolean
  /** Undefined when it is absent, null or empty. @throws YamlProblem for anything but a text. */
  text(key: string): string | undefined
  isTrue(key: string): boolean
  /** Undefined when it is absent or null. @throws YamlProblem for anything but a map. */
  map(key: string): YamlView | undefined
  /** The maps in a list; none when there is no list. */
  maps(key: string): readonly YamlView[]
}

export class YamlProblem extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** @throws YamlProblem when it is no YAML map. */
export async function viewYaml(text: string): Promise<YamlView> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const {contents, errors} = yaml.parseDocument(text, {lineCounter: lines})
  const [error] = errors
  if (error) throw new YamlProblem(`it must be YAML: ${error.code.toLowerCase().replaceAll('_', ' ')}`, lines.linePos(error.pos[0]).line)
  if (!yaml.isMap(contents)) throw new YamlProblem('it must be a YAML map: it is none', 1)
  return viewOf(yaml, contents, lines)
}

function viewOf(yaml: typeof import('yaml'), top: YAMLMap, lines: LineCounter): YamlView {
  const lineOf = (node: unknown) => lines.linePos((node as Node | undefined)?.range?.[0] ?? 0).line || 1
  /** Undefined when it is absent or null. */
  const get = (key: string): unknown => {
    const node = top.get(key, true)
    return yaml.isScalar(node) && node.value === null ? undefined : node
  }
  return {
    line: (key) => lineOf(key === undefined ? top : (top.get(key, true) ?? top)),
    has: (key) => get(key) !== undefined,
    text: (key) => {
      const node = get(key)
      if (node === undefined) return undefined
      if (!yaml.isScalar(node) || typeof node.value !== 'string')
        throw new YamlProblem(`its '${key}' must be a text: it is none`, lineOf(node))
      return node.value === '' ? undefined : node.value
    },
    isTrue: (key) => top.get(key) === true,
    map: (key) => {
      const node = get(key)
      if (node === undefined) return undefined
      if (!yaml.isMap(node)) throw new YamlProblem(`its '${key}' must be a map: it is none`, lineOf(node))
      return viewOf(yaml, node, lines)
    },
    maps: (key) => {
      const node = get(key)
      return yaml.isSeq(node) ? node.items.filter(yaml.isMap).map((map) => viewOf(yaml, map, lines)) : []
    },
  }
}
