// How a person wants a list.
import type {DataFormat} from './data.ts'

export interface ListStyle {
  readonly output: 'table' | DataFormat
  /** Ids only, in full. */
  readonly quiet: boolean
  /** A paragraph each, with labels and annotations. */
  readonly verbose: boolean
  readonly noTrunc: boolean
}
