// The kubelet's log: the file that the user names; else the journal; else the usual files. Only its last minutes are looked at.
import {resolve} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import {withDeadline} from '../../wire/deadline.ts'
import type {Host} from '../endpoints/host.ts'
import {followLinks} from '../follow-links.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import {type KubeletLogLine, parseKubeletLog} from '../kubelet-log.ts'
import {absent, failed, type Read, type Reading, read} from '../reading.ts'
import {withinButLast} from '../rooted.ts'
import {readJournal} from './journal.ts'
import {type LogText, tailOfFile} from './log-file.ts'
import type {RunProgram} from './run-program.ts'
import {inUtc, zoneShown} from './zone.ts'

export interface LogQuestion {
  /** --kubelet-log */
  readonly file?: string
  readonly facts: Pick<KubeletFacts, 'root' | 'log'>
  /** The node. */
  readonly host: Host
  readonly run: RunProgram
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly deadlineMs: number
  /** How far this system's zone is ahead of UTC, in milliseconds. */
  readonly zoneOffset: number
  /** Keeps the text in the reading, for a bundle. */
  readonly keepReplies?: boolean
}

export interface LogAnswer {
  readonly reading: Reading<readonly KubeletLogLine[]>
  readonly how?: string
}

/** An owed call is found by its errors, and the kubelet retries at least every 2 min 2 s. */
const windowMs = 15 * 60_000
const keep = 32 * 1024 * 1024

/** @throws the signal's reason */
export async function readKubeletLog(question: LogQuestion): Promise<LogAnswer> {
  const {file, clock, signal, deadlineMs} = question
  const started = clock.now()
  const expired = new Error(`the log was not read within ${deadlineMs} ms`)
  try {
    return await withDeadline({clock, ms: deadlineMs, signal, expired: () => expired}, (each) =>
      file === undefined ? readFound({...question, signal: each}) : readNamed(file, question),
    )
  } catch (error) {
    signal.throwIfAborted()
    return {reading: failed(firstLine(error), clock.now() - started)}
  }
}

/** @throws Error, one sentence */
async function readNamed(path: string, question: LogQuestion): Promise<LogAnswer> {
  await followLinks(resolve(path), (each) => each, question.host.reach)
  const found = await tailOfFile(path, {keep, named: true})
  if (found === undefined) throw new Error(`${path} cannot be read: there is no such file`)
  const reading = readText(found, question)
  if (reading.value.length === 0 && found.text.trim() !== '') {
    throw new Error(`${path} cannot be read as its lines must be those of klog: not one of them is`)
  }
  return {reading, how: path}
}

async function readFound(question: LogQuestion): Promise<LogAnswer> {
  const {facts, host, run, clock, signal} = question
  const since = clock.now() - windowMs
  const {units} = facts.log
  // The journal of a kubelet in a root of its own lies in that root.
  const root = host.locate(facts.root === '' ? '/' : facts.root)
  await followLinks('/var/log/journal', (path) => host.locate(`${facts.root}${path}`), host.reach)
  const journal = await readJournal(run, {units: units.value, since, root: root === '/' ? '' : root}, {signal, keep})
  if (journal.state === 'quiet') return {reading: readText({text: '', cut: false}, question), how: 'the journal'}
  if (journal.state === 'lines') {
    const reading = readText(journal, question)
    if (reading.value.length > 0) return {reading, how: 'the journal'}
  }
  const whys = [journal.state === 'lines' ? `the journal's lines of ${units.value.join(', ')} are not klog's` : journal.why]
  for (const {value: path} of facts.log.files) {
    const place = host.locate(await withinButLast(host, facts.root, path))
    await host.reach(place)
    const found = await tailOfFile(place, {keep, named: false})
    if (found === undefined) continue
    const reading = readText(found, question)
    const newest = reading.value.findLast(({at}) => at !== undefined)?.at
    // A log that was given up with an older set-up says nothing of now.
    if (newest !== undefined && newest >= since) return {reading, how: path}
    whys.push(`${path} has no line of the last 15 minutes`)
  }
  const why = `${whys.join('; ')}; --kubelet-log FILE names another place`
  return {reading: journal.state === 'denied' ? failed(why) : absent(why)}
}

/** What was cut away matters only when it is of the last minutes. */
function readText({text, cut}: LogText, {clock, zoneOffset, keepReplies = false}: LogQuestion): Read<readonly KubeletLogLine[]> {
  const offset = zoneShown(text) ?? zoneOffset
  const lines = parseKubeletLog(text, {near: clock.now(), zoneOffset: offset})
  const oldest = lines.find(({at}) => at !== undefined)?.at
  const missing = cut && (oldest === undefined || oldest > clock.now() - windowMs)
  return {
    ...read(lines, missing ? 'the kubelet writes more than can be read: only the end of its last 15 minutes is here' : undefined),
    // A bundle does not say the zone of its node.
    ...(keepReplies && {raw: inUtc(text, offset, clock.now())}),
  }
}
