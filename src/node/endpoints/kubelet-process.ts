// Running kubelets and the command lines they run with.
import type {Host} from './host.ts'

export interface KubeletProcess {
  readonly pid: number
  /** 'kubelet', 'k3s' …: what to call it. */
  readonly program: string
  readonly args: readonly string[]
  /** '/proc/PID/root' when its mount namespace is not ours (rootless k3s, kind seen from its host); else ''. */
  readonly root: string
  /** Whether an absent setting means the kubelet's default. Not so where we may have met another program of a similar name. */
  readonly certain: boolean
}

/** In the order of their pids. */
export async function findKubelets(host: Host): Promise<readonly KubeletProcess[]> {
  const found = host.processes().filter(({name}) => /^(kubelet|kubelite$|hyperkube$|k3s$|k3s-)/.test(name))
  const kubelets = await Promise.all(
    found.map(async ({pid, name}) => {
      const args = await readCommandLine(host, pid)
      // One hyperkube is many programs.
      if (args === undefined || (name === 'hyperkube' && !args.includes('kubelet'))) return undefined
      const root = await rootOf(host, pid)
      const program = name.startsWith('k3s') ? 'k3s' : name
      const certain = name !== 'hyperkube' && (!name.startsWith('kubelet') || name === 'kubelet')
      return {pid, program, args: [...args, ...(await argsFile(host, args))], root, certain}
    }),
  )
  return kubelets.filter((kubelet) => kubelet !== undefined).toSorted((a, b) => a.pid - b.pid)
}

export async function readCommandLine(host: Host, pid: number): Promise<readonly string[] | undefined> {
  try {
    const args = (await host.readText(`/proc/${pid}/cmdline`)).split('\0').filter((arg) => arg !== '')
    // A process that has ended and that nobody has waited for yet keeps its name and nothing else.
    return args.length === 0 ? undefined : args
  } catch {
    return undefined
  }
}

async function rootOf(host: Host, pid: number): Promise<string> {
  try {
    const [theirs, ours] = await Promise.all([host.readLink(`/proc/${pid}/ns/mnt`), host.readLink('/proc/self/ns/mnt')])
    return theirs === ours ? '' : `/proc/${pid}/root`
  } catch {
    // Only root may ask; whoever is not will be told at the socket.
    return ''
  }
}

/** microk8s keeps the kubelet's arguments in a file, one a line. */
async function argsFile(host: Host, args: readonly string[]): Promise<readonly string[]> {
  const path = lastFlag(args, 'kubelet-args-file')
  if (path === undefined) return []
  try {
    const text = await host.readText(path)
    return text
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replaceAll(/\$\{?SNAP_COMMON\}?/g, '/var/snap/microk8s/common')
          .replaceAll(/\$\{?SNAP_DATA\}?/g, '/var/snap/microk8s/current'),
      )
      .filter((line) => line.startsWith('--'))
  } catch {
    return []
  }
}

/** The last one wins, in both spellings: '--flag=value' and '--flag value'. */
export function lastFlag(args: readonly string[], name: string): string | undefined {
  let value: string | undefined
  for (const [index, arg] of args.entries()) {
    if (arg === `--${name}`) value = args[index + 1]
    else if (arg.startsWith(`--${name}=`)) value = arg.slice(name.length + 3)
  }
  return value === undefined ? undefined : unquoted(value)
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
}
