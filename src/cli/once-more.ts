// Us once more, in a process of its own; a single executable has no script to name.
import {isSea} from 'node:sea'

export const onceMore = (args: readonly string[]): readonly string[] => [
  process.execPath,
  ...(isSea() ? [] : [process.argv[1] ?? '']),
  ...args,
]
