// What oclif's plugin loader would read from files, handed to it: the manifest, and commands from a table.
import type {Command} from '@oclif/core/command'
import type {Manifest, PJSON, Plugin} from '@oclif/core/interfaces'

/** How each command is loaded, by its id. */
export type CommandTable = Readonly<Record<string, () => Promise<{readonly default: Command.Class}>>>

export interface BuiltIn {
  readonly pjson: PJSON
  readonly manifest: Manifest
  readonly table: CommandTable
  /** A folder, which nothing is read from. */
  readonly root: string
}

export function builtInPlugin({pjson, manifest, table, root}: BuiltIn): Plugin {
  const load = async (id: string): Promise<Command.Class> => {
    const found = await table[id]?.()
    if (found === undefined) throw new Error(`the command ${id} is in the manifest and not in the table`)
    return Object.assign(found.default, {id})
  }
  // By their code units: a first collation by language costs 5 ms.
  const commands = Object.values(manifest.commands)
    .map((command): Command.Loadable => ({...command, pluginAlias: pjson.name, pluginType: 'core', load: () => load(command.id)}))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    _base: '',
    alias: pjson.name,
    commandIDs: commands.map(({id}) => id),
    commands,
    commandsDir: undefined,
    findCommand: load,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => {},
    moduleType: 'module',
    name: pjson.name,
    options: {root},
    pjson,
    root,
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({...topic, name})),
    type: 'core',
    valid: true,
    version: pjson.version,
  }
}
