// A recipe: faults by their intent. What it does is data, so that what is printed and what is documented cannot say anything else.
import type {FaultParameters} from '../../faults/faults.ts'
import type {Callee, Rule} from '../../faults/rule.ts'
import type {KubeletWords} from './kubelet-words.ts'

export interface Recipe {
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  readonly aim: Aim
  /** It may be armed before there is such a pod. */
  readonly mayCome?: true
  /** What it aims at is added to each of them. */
  readonly rules: readonly RecipeRule[]
  readonly kubelet: readonly KubeletWords[]
  readonly see: readonly See[]
  /** kubernetes/kubernetes#88660; the reports that it follows. */
  readonly issues: readonly string[]
  /** The one of fixtures/scenarios that shows the same on the model. */
  readonly scenario?: string
}

/** pvc, driver: calls to a CSI driver. pod, container, runtime: calls to the container runtime. */
export type Aim = 'pvc' | 'driver' | 'pod' | 'container' | 'runtime'

export interface RecipeRule extends Pick<Rule, 'limit' | 'per'> {
  /** Where a recipe has several: what tells them apart. */
  readonly name?: string
  readonly to: Callee
  readonly method?: string
  readonly kind: string
  readonly parameters?: FaultParameters
}

/** What shows it, in the order in which a person would look. */
export interface See {
  /** A line for a shell; {pod}, {podName}, {namespace}, {claim}, {container}, {node} stand for what was found. Without it the line is left out. */
  readonly command: string
  readonly why: string
}
