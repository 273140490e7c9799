// What a file is beyond its owner and mode: a label of SELinux, an access control list, whatever else was set. By the programs of attr where there are any, else by those that are everywhere.
import type {RunBriefly} from './run-briefly.ts'

/** As getfattr writes them: the value, if any, in base64. */
export type Attributes = ReadonlyMap<string, string>

/** Whether there are any, as far as `ls` tells: POSIX has it mark an entry whose mode does not say all. */
export type Mark = 'none' | 'label' | 'more'

/** Undefined without getfattr. @throws Error why they cannot be read */
export async function readAttributes(path: string, run: RunBriefly): Promise<Attributes | undefined> {
  const {missing, ok, stdout, why} = await run('getfattr', ['-h', '-d', '-m', '-', '-e', 'base64', '--absolute-names', '--', path])
  if (missing) return undefined
  if (!ok) throw new Error(why)
  return parseDump(stdout)
}

/** Sets those that differ and removes those that are too many, as of a directory whose default list a new file has. @throws Error */
export async function copyAttributes(wanted: Attributes, path: string, run: RunBriefly): Promise<void> {
  const has = (await readAttributes(path, run)) ?? new Map()
  const changed = [...wanted].filter(([name, value]) => has.get(name) !== value)
  for (const name of has.keys()) if (!wanted.has(name)) await must(run('setfattr', ['-h', '-x', name, '--', path]))
  if (changed.length === 0) return
  const lines = changed.map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  await must(run('setfattr', ['-h', '--restore=-'], `# file: ${escaped(path)}\n${lines.join('\n')}\n`))
  const now = (await readAttributes(path, run)) ?? new Map()
  const lost = [...wanted].find(([name, value]) => now.get(name) !== value)
  if (lost !== undefined) throw new Error(`${lost[0]} is not what was set`)
}

/** The eleventh character of `ls -ld` (coreutils, what information is listed). @throws Error */
export async function markOf(path: string, run: RunBriefly): Promise<Mark> {
  const {missing, ok, stdout, why} = await run('ls', ['-ld', '--', path])
  if (!ok) throw new Error(missing ? 'neither getfattr nor ls is there to look' : why)
  const mark = stdout.charAt(10)
  if (mark === '.') return 'label'
  return mark === ' ' || mark === '' ? 'none' : 'more'
}

/** Of SELinux. Undefined when there is none. */
export async function labelOf(path: string, run: RunBriefly): Promise<string | undefined> {
  const {ok, stdout} = await run('stat', ['-c', '%C', '--', path])
  const label = stdout.trim()
  return ok && label !== '' && label !== '?' ? label : undefined
}

/** @throws Error */
export async function setLabel(label: string, path: string, run: RunBriefly): Promise<void> {
  if ((await labelOf(path, run)) === label) return
  await must(run('chcon', ['-h', '--', label, path]))
}

async function must(running: ReturnType<RunBriefly>): Promise<void> {
  const {missing, ok, why} = await running
  if (!ok) throw new Error(missing ? 'there is no program for it' : why)
}

function parseDump(text: string): Attributes {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# file: '))
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('=')
      return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}

/** As attr's quote() writes what would end the line, or begin an escape. */
function escaped(path: string): string {
  return path.replace(/[\n\r\\=]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
