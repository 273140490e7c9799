// A finding as a scenario file, which `repro` plays and `repro validate` accepts.
import {Document} from 'yaml'
import {type Profile, profileVersions} from '../../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../../kubelet/switches.ts'
import {usualSeed} from '../../play.ts'
import type {Finding} from '../finding.ts'
import type {Family} from '../generate/history.ts'
import {invariants} from '../invariants.ts'
import type {StartNode} from '../run-history.ts'
import {historyInFile} from './history-in-file.ts'
import {verdictsOf} from './verdicts.ts'

export interface SaveOptions {
  readonly profile: Profile
  readonly family: Family
  readonly startNode: StartNode
  /** '--switch +a,-b' of the exploration, without which the scenario may not show it. */
  readonly turns?: string
}

export async function scenarioText(finding: Finding, {profile, family, startNode, turns}: SaveOptions): Promise<string> {
  const {violation, history, seed} = finding
  const {expect, sound} = await verdictsOf(finding, profile, startNode)
  const document = new Document(
    {
      apiVersion: 'kubelimbo/v1',
      kind: 'Scenario',
      name: fileName(finding),
      label: 'explored',
      title: sentence(violation.what),
      why: `Found by exploration: it must hold that ${invariants.find(({name}) => name === violation.invariant)?.says}.`,
      ...(finding.switches.length === 0 ? {} : {issues: issuesOf(finding.switches), switches: finding.switches}),
      profiles: [profile.version, ...nearest(profile.version, sound)],
      ...(history.seed === usualSeed ? {} : {seed: history.seed}),
      ...historyInFile(history),
      given: [],
      expect,
    },
    {aliasDuplicateObjects: false},
  )
  const options = [`--profile ${profile.version}`, ...(turns === undefined ? [] : [`--switch ${turns}`])]
  document.commentBefore = ` Found: kubelimbo repro explore${family === 'volumes' ? ' --volumes' : ''} ${options.join(' ')} --seed ${seed} --runs 1\n Play:  kubelimbo repro FILE ${options.join(' ')}`
  return document.toString({lineWidth: 0})
}

/** The first kubelet after it that is sound, or else the last one before. */
function nearest(version: string, sound: readonly string[]): readonly string[] {
  const all: readonly string[] = profileVersions
  const later = sound.find((each) => all.indexOf(each) > all.indexOf(version))
  const found = later ?? sound.at(-1)
  return found === undefined ? [] : [found]
}

/** Of the file and of the scenario in it. */
export const fileName = ({violation: {invariant, how}, seed}: Finding): string =>
  `${invariant}-${how.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${seed}`

const issuesOf = (names: readonly SwitchName[]): readonly string[] => [
  ...new Set(
    Object.values(switches)
      .filter(({name}) => names.includes(name))
      .map(({issue}) => issue),
  ),
]

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
