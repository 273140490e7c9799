// What detect() alone costs on a generated node: processor milliseconds of this process, the best of three.
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {generatedNode, generatedSnapshot} from '../support/generated-node.ts'

export function detectCost(pods: number): number {
  const profile = profileOf('1.36.2')
  const snapshot = generatedSnapshot(generatedNode({seed: 1, pods, volumes: 2 * pods}))
  const costs = Array.from({length: 3}, () => {
    // A new object: what is worked out once for each snapshot is worked out anew.
    const fresh = {...snapshot}
    const before = process.cpuUsage()
    detect(fresh, profile, detectors)
    const {user, system} = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}
