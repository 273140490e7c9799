// npm run bench:explore: do random histories find the documented bugs of 1.17.3 from any seed, and how soon? For each seed: the histories and the seconds of the processor until each
// of A2, A3 and A4, and with volumes each of B1, B2 and B3, was found, shrunk and named. `-- [seeds] [seconds] [pods|volumes]`; exit 1 when one of them is found by fewer than
// nine seeds of ten.
import {cpuMs} from '../../src/base/cpu-time.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {exploreHistories} from '../../src/scenario/explore/explore-histories.ts'
import type {Family} from '../../src/scenario/explore/generate/history.ts'
import {bugsOf, isOf} from '../support/documented-bugs.ts'

const [seeds = '20', seconds = '60', only] = process.argv.slice(2)
const budget = Number(seconds) * 1000

/** @returns whether nine of ten seeds find each bug */
async function bench(family: Family): Promise<boolean> {
  const bugs = bugsOf(family)
  const found = new Map<string, number[]>(bugs.map(({label}) => [label, []]))
  let histories = 0
  let worked = 0
  for (let seed = 1; seed <= Number(seeds); seed++) {
    const begun = cpuMs()
    const at = new Map<string, string>()
    const explored = await exploreHistories({
      profile: profileOf('1.17.3'),
      seed,
      family,
      startNode: startLabNode,
      goesOn: () => at.size < bugs.length && cpuMs() - begun < budget,
      onHistory: (count, findings) => {
        const took = (cpuMs() - begun) / 1000
        for (const bug of bugs) {
          // One that was under way when the time was over is too late.
          if (at.has(bug.label) || took > Number(seconds) || !findings.some((finding) => isOf(bug, finding))) continue
          at.set(bug.label, `${count} (${took.toFixed(1)} s)`)
          found.get(bug.label)?.push(took)
        }
      },
    })
    histories += explored.histories
    worked += cpuMs() - begun
    process.stdout.write(`seed ${seed}: ${bugs.map(({label}) => `${label} ${at.get(label) ?? 'not found'}`).join(', ')}\n`)
  }
  for (const [label, times] of found) {
    const mean = times.reduce((sum, each) => sum + each, 0) / times.length
    process.stdout.write(
      `${label}: found by ${times.length} of ${seeds} seeds, after ${mean.toFixed(1)} s of the processor on average, ${Math.max(...times).toFixed(1)} s at most\n`,
    )
  }
  const rate = Math.round(histories / (worked / 1000))
  process.stdout.write(`${rate} histories about ${family} a second of the processor, with all that is made of what they show\n\n`)
  return [...found.values()].every((times) => times.length >= 0.9 * Number(seeds))
}

const met: boolean[] = []
for (const family of ['pods', 'volumes'] as const) if (only === undefined || only === family) met.push(await bench(family))
process.exitCode = met.every((each) => each) ? 0 : 1
