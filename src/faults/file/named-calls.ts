// Which calls can have a pod, a container or a claim at all: requests lead to those by these fields of theirs (src/proxy/call/describe).
import type {DescMethod} from '@bufbuild/protobuf'
import {calleeOf} from '../match/callee.ts'

export const nameFacts = ['pod', 'podUid', 'container', 'pvc'] as const
export type NameFact = (typeof nameFacts)[number]

export const isNameFact = (word: string): word is NameFact => (nameFacts as readonly string[]).includes(word)

export function canHave(fact: NameFact, {name, parent, input}: DescMethod): boolean {
  const has = (...fields: readonly string[]) => input.fields.some(({jsonName}) => fields.includes(jsonName))
  const callee = calleeOf(parent.typeName)
  switch (fact) {
    case 'pod':
    case 'podUid':
      // Where a volume is staged says nothing of pods.
      if (callee === 'csi') return has('targetPath', 'volumePath')
      return callee === 'cri' && (name === 'RunPodSandbox' || has('sandboxConfig', 'podSandboxId', 'containerId'))
    case 'container':
      return callee === 'cri' && (name === 'CreateContainer' || has('containerId'))
    case 'pvc':
      return callee === 'csi' && has('volumeId', 'sourceVolumeId', 'targetPath', 'volumePath', 'stagingTargetPath', 'parameters')
    default:
      return fact satisfies never
  }
}
