// npm run bench:explore: do random histories find the documented bugs of 1.17.3 from any seed, and how soon? For each seed: the histories and the seconds of the processor until each
// of A2, A3 and A4 was found, shrunk and named. `-- [seeds] [seconds]`; exit 1 when one of them is found by fewer than nine seeds of ten.
import {cpuMs} from '../../src/base/cpu-time.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {exploreHistories} from '../../src/scenario/explore/explore-histories.ts'
import {documentedBugs, isOf} from '../support/documented-bugs.ts'

const [seeds = '20', seconds = '60'] = process.argv.slice(2)
const budget = Number(seconds) * 1000
const found = new Map<string, number>()
let histories = 0
let worked = 0

for (let seed = 1; seed <= Number(seeds); seed++) {
  const begun = cpuMs()
  const at = new Map<string, string>()
  const explored = await exploreHistories({
    profile: profileOf('1.17.3'),
    seed,
    startNode: startLabNode,
    goesOn: () => at.size < documentedBugs.length && cpuMs() - begun < budget,
    onHistory: (count, findings) => {
      for (const bug of documentedBugs) {
        if (at.has(bug.label) || !findings.some((finding) => isOf(bug, finding))) continue
        at.set(bug.label, `${count} (${((cpuMs() - begun) / 1000).toFixed(1)} s)`)
        found.set(bug.label, (found.get(bug.label) ?? 0) + 1)
      }
    },
  })
  histories += explored.histories
  worked += cpuMs() - begun
  process.stdout.write(`seed ${seed}: ${documentedBugs.map(({label}) => `${label} ${at.get(label) ?? 'not found'}`).join(', ')}\n`)
}
for (const {label} of documentedBugs) process.stdout.write(`${label}: found by ${found.get(label) ?? 0} of ${seeds} seeds\n`)
process.stdout.write(
  `${Math.round(histories / (worked / 1000))} histories a second of the processor, with all that is made of what they show\n`,
)
process.exitCode = documentedBugs.every(({label}) => (found.get(label) ?? 0) >= 0.9 * Number(seeds)) ? 0 : 1
