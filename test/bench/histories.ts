// What random histories cost: how many a second of the processor, played on a kubelet and looked at.
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {type Family, randomHistory, seedOf} from '../../src/scenario/explore/generate/history.ts'
import {runHistory} from '../../src/scenario/explore/run-history.ts'

export interface HistoriesCost {
  readonly perSecond: number
  /** Simulated seconds a second of the processor. */
  readonly simulated: number
}

export async function historiesCost(version: string, family: Family, count: number): Promise<HistoriesCost> {
  const profile = profileOf(version)
  const histories = Array.from({length: count}, (_, index) => randomHistory(seedOf(1, index), family))
  let simulatedMs = 0
  const before = process.cpuUsage()
  for (const history of histories) {
    const {events} = await runHistory(history, profile, startLabNode)
    simulatedMs += (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)
  }
  const {user, system} = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  return {perSecond: (count * 1000) / cpuMs, simulated: simulatedMs / cpuMs}
}
