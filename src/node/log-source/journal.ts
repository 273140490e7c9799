// The kubelet's lines in the journal of systemd.
import type {RunOptions, RunProgram} from './run-program.ts'

export interface JournalQuestion {
  readonly units: readonly string[]
  /** Milliseconds since 1970. */
  readonly since: number
  /** Where the node's root is, when it is not ours. */
  readonly root: string
}

export type JournalAnswer =
  | {readonly state: 'lines'; readonly text: string; readonly cut: boolean}
  /** It has lines of these units, and none in that time. */
  | {readonly state: 'quiet'}
  | {readonly state: 'none'; readonly why: string}
  | {readonly state: 'denied'; readonly why: string}

/** A busy kubelet at -v=5 writes some 2,000 lines a minute. */
const mostLines = 200_000

/** @throws the signal's reason */
export async function readJournal(run: RunProgram, {units, since, root}: JournalQuestion, options: RunOptions): Promise<JournalAnswer> {
  const folders = root === '' ? [undefined] : [`${root}/var/log/journal`, `${root}/run/log/journal`]
  let answer: JournalAnswer = {state: 'none', why: 'there is no journal'}
  for (const folder of folders) {
    const ask = (more: readonly string[]) =>
      // short-iso: old systemds have it, and it says the zone.
      run(
        'journalctl',
        ['--no-pager', '-o', 'short-iso', ...(folder ? ['-D', folder] : []), ...units.flatMap((unit) => ['-u', unit]), ...more],
        options,
      )
    const {missing, exitCode, stdout, stderr, cut} = await ask(['--since', `@${Math.floor(since / 1000)}`, '-n', String(mostLines)])
    if (missing) return {state: 'none', why: 'there is no journalctl'}
    if (hasLines(stdout)) return {state: 'lines', text: stdout, cut: cut || stdout.split('\n').length > mostLines}
    // Whoever is in none of the right groups sees an empty journal and a hint.
    if (/insufficient permissions|not seeing messages from/i.test(stderr)) {
      answer = {state: 'denied', why: 'not allowed to read the journal: run it as root, or in the group systemd-journal'}
    } else if (exitCode !== 0 || /No journal files/i.test(stderr)) {
      answer = {state: 'none', why: 'there is no journal'}
    } else if (hasLines((await ask(['-n', '1'])).stdout)) return {state: 'quiet'}
    else answer = {state: 'none', why: `the journal has no lines of ${units.join(', ')}`}
  }
  return answer
}

function hasLines(text: string): boolean {
  return text.split('\n', 3).some((line) => line !== '' && !line.startsWith('-- '))
}
