// What is written down of a lab that is up: all that somebody needs to use it, and to end it.
import {readFile, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import * as v from 'valibot'
import {UserError} from '../../base/errors.ts'

const recordSchema = v.object({
  pid: v.number(),
  /** Clock ticks after the boot, of /proc/PID/stat: a pid may come again. */
  bornAt: v.string(),
  /** 'kubelimbo 0.1.0' */
  tool: v.string(),
  profile: v.string(),
  scale: v.number(),
  scenario: v.optional(v.string()),
  kubeconfig: v.string(),
  server: v.string(),
  /** unix:// endpoints. */
  runtime: v.string(),
  drivers: v.array(v.object({name: v.string(), endpoint: v.string(), registration: v.string()})),
  kubeletRoot: v.string(),
  kubeletUrl: v.string(),
  kubeletLog: v.string(),
  /** A file such as /proc/self/mountinfo. */
  mountinfo: v.string(),
  /** namespace/name */
  claims: v.array(v.string()),
})

export type LabRecord = v.InferOutput<typeof recordSchema>

const file = (folder: string): string => join(folder, 'lab.json')

/** Whole or not at all, for its owner alone. */
export async function writeLabRecord(folder: string, record: LabRecord): Promise<void> {
  const path = file(folder)
  await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, {mode: 0o600})
  await rename(`${path}.new`, path)
}

/** Undefined when there is none. @throws UserError when it is no record of ours */
export async function readLabRecord(folder: string): Promise<LabRecord | undefined> {
  const path = file(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UserError(`Cannot use ${folder} as it must be the folder of a lab of yours: ${(error as Error).message}`, {
      hint: 'choose another one with --dir',
      cause: error,
    })
  }
  const result = v.safeParse(recordSchema, jsonOf(text))
  if (result.success) return result.output
  throw new UserError(`Cannot use the lab as its record must be what \`kubelimbo lab up\` wrote: it is not (${path})`, {
    hint: `remove ${folder} when no lab of yours is there`,
  })
}

/** Whether the process that wrote it is still there. */
export async function isUp({pid, bornAt}: Pick<LabRecord, 'pid' | 'bornAt'>): Promise<boolean> {
  return (await birthOf(pid)) === bornAt
}

/** Field 22 of /proc/PID/stat; undefined when there is no such process, or it is a zombie. */
export async function birthOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program may have blanks and brackets in it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? undefined : fields[19]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
