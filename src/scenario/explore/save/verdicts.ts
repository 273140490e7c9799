// What the saved scenario expects of each kubelet: what it did when it was saved.
import * as v from 'valibot'
import type {Profile} from '../../../kubelet/profiles.ts'
import {profileOf, profileVersions} from '../../../kubelet/profiles.ts'
import {check} from '../../expect/check.ts'
import {start} from '../../play.ts'
import {expectationSchema} from '../../schema/expectation.ts'
import {type Finding, kindOf} from '../finding.ts'
import {runHistory, type StartNode} from '../run-history.ts'
import type {Plain} from './claims.ts'
import {claimsOf} from './expectations.ts'

export interface Verdicts {
  /** By the versions of kubelets, as the file has them. */
  readonly expect: Readonly<Record<string, Plain>>
  /** Versions that do not show it. */
  readonly sound: readonly string[]
}

/** @param profile that it was found on, with its switches turned or not */
export async function verdictsOf({violation, history}: Finding, profile: Profile, startNode: StartNode): Promise<Verdicts> {
  const record = ({events}: {readonly events: Awaited<ReturnType<typeof runHistory>>['events']}) => ({
    events,
    start,
    end: start + history.until,
  })
  const found = await runHistory(history, profile, startNode, {whole: true})
  const claims = claimsOf(violation, record(found), start)
  const sound: string[] = []
  const groups = new Map<string, {readonly versions: string[]; readonly expected: Plain}>()
  for (const version of profileVersions) {
    const outcome = version === profile.version ? found : await runHistory(history, profileOf(version), startNode, {whole: true})
    const breaks = outcome.violations.some((each) => kindOf(each) === kindOf(violation))
    if (!breaks) sound.push(version)
    const that = firstThatHolds(breaks ? claims.there : claims.absent, record(outcome))
    const expected = {verdict: breaks ? 'reproduced' : 'fixed', that}
    const key = JSON.stringify(expected)
    const group = groups.get(key) ?? {versions: [] as string[], expected}
    groups.set(key, group)
    group.versions.push(version)
  }
  return {expect: Object.fromEntries([...groups.values()].map(({versions, expected}) => [versions.join(', '), expected])), sound}
}

function firstThatHolds(ways: readonly (readonly Plain[])[], record: Parameters<typeof check>[1]): readonly Plain[] {
  const holds = (each: Plain) => check(v.parse(expectationSchema, each), record).held
  return ways.find((way) => way.every(holds)) ?? ways[0] ?? []
}
