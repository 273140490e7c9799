// A finding as a scenario file, which `repro` plays and `repro validate` accepts.
import {Document} from 'yaml'
import {type Profile, profileOf, profileVersions} from '../../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../../kubelet/switches.ts'
import {start} from '../../play.ts'
import {type Finding, kindOf} from '../finding.ts'
import {invariants} from '../invariants.ts'
import {runHistory, type StartNode} from '../run-history.ts'
import {usualSeed} from '../shrink/simpler.ts'
import {expectationsOf} from './expectations.ts'
import {historyInFile} from './history-in-file.ts'

export interface SaveOptions {
  readonly profile: Profile
  readonly startNode: StartNode
  /** '--switch +a,-b' of the exploration, without which the scenario may not show it. */
  readonly turns?: string
}

export async function scenarioText(finding: Finding, {profile, startNode, turns}: SaveOptions): Promise<string> {
  const {violation, history, seed} = finding
  const {events} = await runHistory(history, profile, startNode)
  const {there, absent} = expectationsOf(violation, {events, end: start + history.until}, start)
  const broken: string[] = []
  const held: string[] = []
  for (const version of profileVersions) {
    // The kubelet that it was found on shows it, with its switches turned or not.
    const breaks = version === profile.version || (await showsOn(version, finding, startNode))
    ;(breaks ? broken : held).push(version)
  }
  const document = new Document(
    {
      apiVersion: 'kubelimbo/v1',
      kind: 'Scenario',
      name: fileName(finding),
      label: 'explored',
      title: sentence(violation.what),
      why: `Found by exploration: it must hold that ${invariants.find(({name}) => name === violation.invariant)?.says}.`,
      ...(finding.switches.length === 0 ? {} : {issues: issuesOf(finding.switches), switches: finding.switches}),
      profiles: [profile.version, ...nearest(profile.version, held)],
      ...historyInFile(history),
      given: [],
      expect: {
        [broken.join(', ')]: {verdict: 'reproduced', that: there},
        ...(held.length === 0 ? {} : {[held.join(', ')]: {verdict: 'fixed', that: absent}}),
      },
    },
    {aliasDuplicateObjects: false},
  )
  const options = [`--profile ${profile.version}`, ...(turns === undefined ? [] : [`--switch ${turns}`])]
  const played = [...options, ...(history.seed === usualSeed ? [] : [`--seed ${history.seed}`])]
  document.commentBefore = ` Found: kubelimbo repro explore ${options.join(' ')} --seed ${seed} --runs 1\n Play:  kubelimbo repro FILE ${played.join(' ')}`
  return document.toString({lineWidth: 0})
}

async function showsOn(version: string, {violation, history}: Finding, startNode: StartNode): Promise<boolean> {
  const {violations} = await runHistory(history, profileOf(version), startNode)
  return violations.some((each) => kindOf(each) === kindOf(violation))
}

/** The first kubelet after it that is sound, or else the last one before. */
function nearest(version: string, held: readonly string[]): readonly string[] {
  const all: readonly string[] = profileVersions
  const later = held.find((each) => all.indexOf(each) > all.indexOf(version))
  const found = later ?? held.at(-1)
  return found === undefined ? [] : [found]
}

/** Of the file and of the scenario in it. */
export const fileName = ({violation: {invariant}, seed}: Finding): string => `${invariant}-${seed}`

const issuesOf = (names: readonly SwitchName[]): readonly string[] => [
  ...new Set(
    Object.values(switches)
      .filter(({name}) => names.includes(name))
      .map(({issue}) => issue),
  ),
]

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
