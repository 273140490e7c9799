// What a replay leaves at the top of its folder, for whoever looks at it with --host-root: which bundle it serves, and what cannot lie in a folder
// (the ports of the kubelet and of the API server).
import {join} from 'node:path'
import * as v from 'valibot'
import {firstLine, UserError} from '../../base/errors.ts'
import {firstWrong} from '../first-wrong.ts'

export const noteName = 'kubelimbo-replay.json'

/** What a replay answers where it has no answer. */
export const notRecordedWords = 'not in the recording'

const text = v.pipe(v.string(), v.minLength(1))

const schema = v.object({
  apiVersion: v.literal('kubelimbo/v1'),
  kind: v.literal('Replay'),
  /** The file that is served, absolute. */
  bundle: text,
  /** As the node had it: below the folder. */
  runtimeEndpoint: text,
  kubeletRoot: text,
  kubeletUrl: text,
  /** Files below the folder, absolute. */
  kubeconfig: text,
  kubeletLog: text,
})

export type ReplayNote = v.InferOutput<typeof schema>

/** Undefined when the root is no replay's. @throws UserError when the note is there and cannot be used */
export async function readReplayNote(root: string, readText: (path: string) => Promise<string>): Promise<ReplayNote | undefined> {
  const path = join(root, noteName)
  let content: string
  try {
    content = await readText(path)
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw cannot(path, firstLine(error))
  }
  const result = v.safeParse(schema, jsonOf(content, path), {abortEarly: true})
  if (!result.success) throw cannot(path, firstWrong(result.issues[0]))
  return result.output
}

function jsonOf(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw cannot(path, `it must be JSON: ${firstLine(error)}`)
  }
}

function cannot(path: string, why: string): UserError {
  return new UserError(`Cannot look at a replay as its ${path} must be readable: ${why}`, {hint: 'start `kubelimbo replay` again'})
}
