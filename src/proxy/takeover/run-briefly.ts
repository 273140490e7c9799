// A small program of the system's, without a shell and not for long: node has no calls for some of what a file is.

export interface BriefRun {
  /** There is no such program. */
  readonly missing: boolean
  /** It ended with 0. */
  readonly ok: boolean
  readonly stdout: string
  /** The first line of what it complained of, or how it ended. */
  readonly why: string
}

/** Never throws. @param input what it reads on its standard input */
export type RunBriefly = (program: string, args: readonly string[], input?: string) => Promise<BriefRun>

const patienceMs = 5000

export const runBriefly: RunBriefly = async (program, args, input = '') => {
  const {execa} = await import('execa')
  const result = await execa(program, args, {
    input,
    reject: false,
    env: {LC_ALL: 'C'},
    timeout: patienceMs,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
    stripFinalNewline: false,
  })
  const {code, failed, stdout, stderr} = result
  const [complaint = ''] = stderr.split('\n', 1)
  const ended = failed ? (complaint === '' ? (result.shortMessage ?? 'it failed') : complaint) : ''
  return {missing: code === 'ENOENT', ok: !failed, stdout, why: ended}
}
