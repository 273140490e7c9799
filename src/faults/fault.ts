// What can be done to a call. One file each beside this one.
import type {Plan} from './plan.ts'

export interface Fault {
  /** 'lose-reply' */
  readonly kind: string
  readonly plan: Plan
}
