// Another program's output, as much of its end as one wants. It is never waited for longer than the signal allows.

export interface ProgramResult {
  /** There is no such program. */
  readonly missing: boolean
  /** Undefined when it did not run, or was killed. */
  readonly exitCode: number | undefined
  /** The end of its output. */
  readonly stdout: string
  /** The output was longer. */
  readonly cut: boolean
  /** The beginning of it. */
  readonly stderr: string
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Bytes of the output's end to keep. */
  readonly keep: number
}

/** @throws the signal's reason */
export type RunProgram = (program: string, args: readonly string[], options: RunOptions) => Promise<ProgramResult>

export const runProgram: RunProgram = async (program, args, {signal, keep}) => {
  const {execa} = await import('execa')
  signal.throwIfAborted()
  // A child that hangs in the kernel cannot be killed: it must not keep us here either, hence unref.
  const child = execa(program, args, {
    stdin: 'ignore',
    buffer: false,
    reject: false,
    env: {LC_ALL: 'C', SYSTEMD_PAGER: '', SYSTEMD_COLORS: '0'},
    forceKillAfterDelay: 500,
  })
  const stdout = tailOf(keep)
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString('utf8')
  })
  const stop = () => {
    child.kill('SIGTERM')
    child.stdout.destroy()
    child.stderr.destroy()
    child.nodeChildProcess.unref()
  }
  signal.addEventListener('abort', stop, {once: true})
  try {
    const result = await child
    signal.throwIfAborted()
    return {missing: result.code === 'ENOENT', exitCode: result.exitCode, stdout: stdout.text(), cut: stdout.cut(), stderr}
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface Tail {
  add(chunk: Buffer): void
  text(): string
  cut(): boolean
}

function tailOf(keep: number): Tail {
  const chunks: Buffer[] = []
  let size = 0
  let cut = false
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.length
      while (size - (chunks[0]?.length ?? 0) >= keep) {
        size -= chunks.shift()?.length ?? 0
        cut = true
      }
    },
    text: () => {
      const all = Buffer.concat(chunks)
      return all.subarray(Math.max(0, all.length - keep)).toString('utf8')
    },
    cut: () => cut || size > keep,
  }
}
