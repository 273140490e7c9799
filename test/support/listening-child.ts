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
  /** Seconds of processor time that it has used. */
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
    // utime and stime, behind the name in parentheses, in hundredths (proc(5)).
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child
    },
  }
}
