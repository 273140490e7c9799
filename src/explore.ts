// Plays random histories on a modelled kubelet and tells which of them break what must always hold.
import {access, constants, mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {firstLine, UserError} from './base/errors.ts'
import {startLabNode} from './lab/lab-node.ts'
import {exploreHistories} from './scenario/explore/explore-histories.ts'
import {type ExploreReport, exploreReport} from './scenario/explore/explore-report.ts'
import type {Finding} from './scenario/explore/finding.ts'
import type {Family} from './scenario/explore/generate/history.ts'
import {fileName, scenarioText} from './scenario/explore/save/scenario-text.ts'
import {parseTurns, switchedProfile} from './scenario/switched-profile.ts'

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
  /** A file for the first finding, or a folder (it ends in /) for all of them. */
  readonly save?: string
  readonly tool: string
}

export interface ExploreWorld {
  /** Milliseconds that this process has worked. */
  readonly worked: () => number
  /** What is found so far, in a line. */
  readonly tell: (text: string) => void
}

/** How many histories when nobody says. */
const usualRuns = 200

export async function explore(request: ExploreRequest, {worked, tell}: ExploreWorld): Promise<ExploreReport> {
  const {profile: version, turns, seed, family, budgetMs, tool, save} = request
  const runs = request.runs ?? (budgetMs === undefined ? usualRuns : Number.POSITIVE_INFINITY)
  const profile = switchedProfile(version, turns === undefined ? [] : parseTurns(turns))
  if (save !== undefined) await prepare(save)
  const begun = worked()
  let told = 0
  const explored = await exploreHistories({
    profile,
    seed,
    family,
    startNode: startLabNode,
    goesOn: (histories) => histories < runs && (budgetMs === undefined || worked() - begun < budgetMs),
    onHistory: (histories, findings) => {
      for (const finding of findings.slice(told))
        tell(`history ${histories}: ${finding.violation.what} (${finding.violation.pod ?? finding.violation.volume})`)
      told = findings.length
    },
  })
  if (save !== undefined)
    await saveAll(explored.findings, save, (finding) =>
      scenarioText(finding, {profile, family, startNode: startLabNode, ...(turns === undefined ? {} : {turns})}),
    )
  return exploreReport(explored, {tool, profile, turns, seed, family})
}

const isFolder = (path: string): boolean => path.endsWith('/')

/** Before the work is done, so that it is not in vain. */
async function prepare(path: string): Promise<void> {
  try {
    if (isFolder(path)) await mkdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unsaved(path, error)
  }
  const folder = isFolder(path) ? path : dirname(path)
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw unsaved(path, error)
  })
}

async function saveAll(findings: readonly Finding[], path: string, textOf: (finding: Finding) => Promise<string>): Promise<void> {
  for (const finding of isFolder(path) ? findings : findings.slice(0, 1)) {
    const file = isFolder(path) ? join(path, `${fileName(finding)}.yaml`) : path
    const text = await textOf(finding)
    await writeFile(file, text).catch((error: unknown) => {
      throw unsaved(file, error)
    })
  }
}

const unsaved = (path: string, cause: unknown): UserError =>
  new UserError(`Cannot save scenarios as ${path} must be what can be written: ${firstLine(cause)}`, {cause})
