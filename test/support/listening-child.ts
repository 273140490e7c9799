// A program that listens, and says so on stdout, in a process of its own.
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {execa} from 'execa'

export interface ListeningChild extends AsyncDisposable {
  readonly pid: number
  /** Of its first line. */
  readonly said: string
  /** Bytes of memory that it has in use. */
  residentBytes(): number
  /** Seconds of processor time that it and its children have used. */
  cpuSeconds(): number
}

/** @throws when it ends before it has said anything */
export async function listeningChild(file: string, args: readonly string[]): Promise<ListeningChild> {
  const child = execa(file, args, {stdin: 'pipe', buffer: false, reject: false, stderr: 'inherit'})
  const ended = child.then(({exitCode}) => {
    throw new Error(`${file} ended with ${exitCode}`)
  })
  const [said] = await Promise.race([once(child.stdout, 'data'), ended])
  ended.catch(() => undefined)
  child.stdout.resume()
  const pid = child.pid ?? 0
  return {
    pid,
    said: String(said).trim(),
    residentBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    cpuSeconds: () => {
      // The children first: the time of one that ends meanwhile is its parent's.
      const children = childrenOf(pid).reduce((sum, each) => sum + (cpuSecondsOf(each) ?? 0), 0)
      const own = cpuSecondsOf(pid)
      if (own === undefined) throw new Error(`${file} has ended`)
      return own + children
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child
    },
  }
}

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** utime and stime, behind the name in parentheses, and those of children that have ended; in hundredths (proc(5)). Undefined when it is gone. */
function cpuSecondsOf(pid: number): number | undefined {
  const fields = statOf(pid)
    ?.replace(/^.*\) /, '')
    .split(' ')
  return fields && fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / 100
}

function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    // ESRCH where it goes while it is read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
