// The small values of a scenario file alone.
import * as v from 'valibot'
import {text, whole} from '../../base/yaml/values.ts'

export const exitCode = whole(0, 255)

export const objectName = v.pipe(
  text,
  v.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'a name of small letters, digits and -'),
  v.maxLength(253, 'a name of at most 253 letters'),
)

/** What the API calls a DNS label: of a container, a namespace, a volume. */
export const labelName = v.pipe(
  text,
  v.regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'a name of small letters, digits and -'),
  v.maxLength(63, 'a name of at most 63 letters'),
)

/** Below the kubelet's root where it does not begin with a slash. */
export const diskPath = v.pipe(text, v.regex(/^[^\s*]+$/, 'a path'))

/** The same; * stands for any part of a name, ** for any names. */
export const pathPattern = v.pipe(text, v.regex(/^\S+$/, 'a path, in which * and ** may stand for names'))

const named = (pattern: RegExp, what: string) =>
  v.pipe(
    v.string(what),
    v.regex(pattern, what),
    v.transform((name) => (name.includes('/') ? name : `default/${name}`)),
  )

/** 'namespace/name'; a name alone is in the namespace default. */
export const podName = named(/^[a-z0-9.-]+(\/[a-z0-9.-]+)?$/, "a pod's name, or namespace/name")

/** The same; a * at its end stands for whatever follows. */
export const podPattern = named(/^[a-z0-9.-]+(\/[a-z0-9.-]*)?\*?$/, "a pod's name, or namespace/name, which may end in *")
