// bundle.json: what a bundle is of, and for each source what became of it.
import * as v from 'valibot'
import {firstLine, UserError} from '../../base/errors.ts'
import {firstWrong} from '../first-wrong.ts'
import {moment} from '../moment.ts'
import {plainName} from './plain-name.ts'

const text = v.pipe(v.string(), v.maxLength(4096, 'at most 4096 characters'))

const fileName = v.pipe(
  text,
  v.check((name) => name !== '' && plainName(name) === name, 'a plain relative path inside the bundle'),
)

const reading = v.variant('state', [
  v.object({state: v.literal('read'), file: fileName, incomplete: v.optional(text)}),
  v.object({state: v.literal('absent'), why: text}),
  v.object({
    state: v.literal('failed'),
    why: text,
    tookMs: v.optional(v.pipe(v.number(), v.minValue(0, 'zero or more'))),
    kind: v.optional(v.picklist(['refused', 'silent', 'denied'])),
  }),
])

const absolute = v.pipe(
  text,
  v.check((root) => root.startsWith('/') && !root.includes('\0'), 'an absolute path on Linux'),
  v.transform((root) => root.replace(/(?<=.)\/+$/, '')),
)

const manifest = v.object({
  apiVersion: v.literal('kubelimbo/v1'),
  kind: v.literal('NodeBundle'),
  metadata: v.object({
    /** Empty when nobody said it. */
    node: text,
    when: moment,
    tool: v.optional(text),
  }),
  kubelet: v.object({
    root: absolute,
    rootReal: v.optional(absolute),
    version: v.optional(v.pipe(text, v.regex(/^v?\d+\.\d+/, 'a version such as 1.26.5'))),
    process: v.optional(
      v.object({
        pid: v.number(),
        program: text,
        startedAt: v.exactOptional(v.number()),
        sameNetwork: v.exactOptional(v.boolean()),
        certain: v.boolean(),
      }),
    ),
  }),
  /** Calls with their answers: bundles of before them have none. */
  calls: v.optional(v.object({file: fileName, missing: v.optional(v.array(text))})),
  readings: v.record(v.pipe(text, v.regex(/^[a-z][a-z0-9.-]*$/, 'a source such as kubelet.pods')), reading),
})

export type Manifest = v.InferOutput<typeof manifest>
export type ManifestReading = v.InferOutput<typeof reading>

/** @throws UserError saying what is wrong first. `file` is its path, for the message. */
export function parseManifest(json: string, file: string): Manifest {
  let document: unknown
  try {
    document = JSON.parse(json)
  } catch (error) {
    throw new UserError(`Cannot read ${file} as it must be JSON: ${firstLine(error)}`, {cause: error})
  }
  if (Array.isArray(document)) throw new UserError(`Cannot read ${file} as it must be an object: it is an array`)
  const result = v.safeParse(manifest, document, {abortEarly: true})
  if (result.success) return result.output
  throw new UserError(`Cannot read ${file} as ${firstWrong(result.issues[0])}`)
}
