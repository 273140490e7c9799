// What a container mounts is a volume of its pod, in the way that its claim can be had.

import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import {claimsOf} from './claims.ts'
import type {Scenario} from './schema/scenario.ts'

const containerLists = ['initContainers', 'containers'] as const
const ways = ['volumeMounts', 'volumeDevices'] as const

export function mountProblems(scenario: Scenario): readonly Problem[] {
  const blocks = new Set(claimsOf(scenario).flatMap((claim) => (claim.volumeMode === 'Block' ? [`${claim.namespace}/${claim.name}`] : [])))
  return scenario.pods.flatMap(({metadata: {namespace = 'default'}, spec}, pod) =>
    containerLists.flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) =>
        ways.flatMap((way) =>
          (container[way] ?? []).flatMap(({name}, position) => {
            const path = ['pods', pod, 'spec', list, index, way, position, 'name']
            const volume = spec.volumes?.find((each) => each.name === name)
            if (volume === undefined) return [problem(path, `a volume of its pod: it is '${name}'`)]
            const isBlock = 'persistentVolumeClaim' in volume && blocks.has(`${namespace}/${volume.persistentVolumeClaim.claimName}`)
            if (isBlock && way === 'volumeMounts')
              return [problem(path, `among volumeDevices, as its claim has the volumeMode Block: it is '${name}'`)]
            if (!isBlock && way === 'volumeDevices')
              return [problem(path, `among volumeMounts, as it has the volumeMode Filesystem: it is '${name}'`)]
            return []
          }),
        ),
      ),
    ),
  )
}

const problem = (path: Path, must: string): Problem => ({what: `${pathWords(path)} must be ${must}`, path, ofKey: false})
