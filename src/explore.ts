// Plays random histories on a modelled kubelet and tells which of them break what must always hold.
import {join} from 'node:path'
import {startLabNode} from './lab/lab-node.ts'
import {exploreHistories} from './scenario/explore/explore-histories.ts'
import {commandOf, type ExploreReport, exploreReport} from './scenario/explore/explore-report.ts'
import {type Finding, kindOf} from './scenario/explore/finding.ts'
import type {Family} from './scenario/explore/generate/history.ts'
import {fileName, scenarioText} from './scenario/explore/save/scenario-text.ts'
import {type SaveTarget, saveFile, saveTarget} from './scenario/explore/save/target.ts'
import {parseTurns, switchedProfile, turnText} from './scenario/switched-profile.ts'
import {wholeRun} from './scenario/whole-run.ts'

export interface ExploreRequest {
  readonly profile: string
  /** '+name,-name' */
  readonly turns?: string
  readonly seed: number
  readonly family: Family
  /** How many histories at most. */
  readonly runs?: number
  /** Milliseconds of work after which no new history is begun. */
  readonly budgetMs?: number
  /** A file for the first finding, or a folder for all of them. */
  readonly save?: string
  readonly tool: string
}

export interface ExploreWorld {
  /** Milliseconds that this process has worked. */
  readonly worked: () => number
  /** What is found so far, in a line. */
  readonly tell: (text: string) => void
  /** Whoever waits has enough: what was found until then is the result. */
  readonly signal?: AbortSignal
}

export interface ExploreResult {
  readonly report: ExploreReport
  /** In sentences: what was broken and not looked at to the end, as it was told to stop. */
  readonly cut: readonly string[]
  /** Why findings could not be saved: the report is whole all the same. */
  readonly unsaved: readonly unknown[]
}

/** How many histories when nobody says. */
const usualRuns = 200

/** @throws UserError for what is wrong with the request */
export async function explore(request: ExploreRequest, {worked, tell, signal}: ExploreWorld): Promise<ExploreResult> {
  const {profile: version, seed, family, budgetMs, tool, save} = request
  const runs = request.runs ?? (budgetMs === undefined ? usualRuns : Number.POSITIVE_INFINITY)
  const turns = request.turns === undefined ? [] : parseTurns(request.turns)
  const profile = switchedProfile(version, turns)
  const target = save === undefined ? undefined : await saveTarget(save)
  const begun = worked()
  const told = new Set<string>()
  const what = `the exploration of ${version} from the seed ${seed}`
  const search = () =>
    exploreHistories({
      profile,
      seed,
      family,
      startNode: startLabNode,
      // The first is played whatever the budget: nothing can be said of none.
      goesOn: (histories) => histories === 0 || (histories < runs && (budgetMs === undefined || worked() - begun < budgetMs)),
      ...(signal === undefined ? {} : {signal}),
      onHistory: (histories, findings) => {
        for (const {violation} of findings) {
          // One of the same kind that other switches mend is a row of the report and the same words here.
          if (told.has(kindOf(violation))) continue
          told.add(kindOf(violation))
          tell(`history ${histories}: ${violation.invariant}: ${violation.what} (${violation.pod ?? violation.volume})`)
        }
      },
    })
  const explored = await wholeRun(what, search)
  const turned = turns.length === 0 ? {} : {turns: turns.map(turnText).join(',')}
  const textOf = (finding: Finding) => scenarioText(finding, {profile, family, startNode: startLabNode, ...turned})
  const circumstances = {tool, profile, turns, seed, family}
  const {cut} = explored
  return {
    report: exploreReport(explored, circumstances),
    cut:
      cut?.violations.map(
        ({invariant, how}) => `${invariant}, ${how}, was not looked at to the end: ${commandOf(cut.seed, circumstances)}`,
      ) ?? [],
    unsaved: target === undefined ? [] : await saveAll(explored.findings, target, textOf),
  }
}

async function saveAll(
  findings: readonly Finding[],
  {path, isFolder}: SaveTarget,
  textOf: (finding: Finding) => Promise<string>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const finding of isFolder ? findings : findings.slice(0, 1)) {
    try {
      await saveFile(isFolder ? join(path, `${fileName(finding)}.yaml`) : path, await textOf(finding))
    } catch (error) {
      failures.push(error)
    }
  }
  return failures
}
