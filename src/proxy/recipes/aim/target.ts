// What a recipe aims at on this node, once it is found.
import type {VolumeMode} from '../../../node/claim.ts'
import type {Narrowing} from '../rules-of.ts'
import type {SeenNames} from '../see-commands.ts'

export interface Target {
  readonly narrowing: Narrowing
  /** The socket of the server that the calls go to: a path, or '@name'. */
  readonly upstream: string
  /** What was found and who says so, a sentence each. */
  readonly words: readonly string[]
  readonly names: SeenNames
  readonly mode?: VolumeMode
}
