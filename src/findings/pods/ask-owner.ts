// The next step about an end that was told wrong: whoever counts pods may have counted it.
import type {Pod} from '../../node/pod.ts'
import type {Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'

export function askOwner({namespace, name}: Pod, why: string): Remedy {
  return {
    command: `kubectl get pod -n ${shellWord(namespace)} ${shellWord(name)} -o jsonpath='{.metadata.ownerReferences}'`,
    why,
    loses: null,
  }
}
