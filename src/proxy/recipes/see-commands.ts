// Commands that show a fault, with the names that were found in them.
import {shellWord} from '../../findings/shell-word.ts'
import type {See} from './recipe.ts'

/** 'namespace/name' of pods and claims. */
export interface SeenNames {
  readonly pod?: string
  readonly claim?: string
  readonly container?: string
  readonly node?: string
}

export function seeCommands(see: readonly See[], {pod, claim, container, node}: SeenNames): readonly See[] {
  const [namespace, podName] = pod?.split('/') ?? []
  const values: Readonly<Record<string, string | undefined>> = {pod, podName, namespace, claim, container, node}
  return see.flatMap(({command, why}) => {
    const needed = [...command.matchAll(placeholder)].map(([, name = '']) => name)
    if (needed.some((name) => !values[name])) return []
    return [{command: command.replace(placeholder, (_, name: string) => shellWord(values[name] ?? '')), why}]
  })
}

const placeholder = /\{(pod|podName|namespace|claim|container|node)\}/g
