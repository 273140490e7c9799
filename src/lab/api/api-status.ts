// What the API server says when it refuses: metav1.Status with its reason, code and words. Upstream: apimachinery pkg/api/errors/errors.go
import type {CallFailure} from '../../kubelet/port.ts'
import {defined, type Json, type JsonObject} from './json.ts'
import {type Kind, qualified} from './kinds.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: JsonObject
  readonly code: number

  constructor(code: number, reason: string, message: string, details?: JsonObject) {
    super(message)
    this.code = code
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : {reason}),
      ...(details === undefined ? {} : {details}),
      code,
    }
  }
}

const about = (kind: Kind, name: string, more: JsonObject = {}): JsonObject =>
  defined({name: name || undefined, group: kind.group || undefined, kind: kind.resource, ...more})

export const notFound = (kind: Kind, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(kind)} "${name}" not found`, about(kind, name))

export const alreadyExists = (kind: Kind, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${qualified(kind)} "${name}" already exists`, about(kind, name))

export const conflict = (kind: Kind, name: string, why: string): ApiError =>
  new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(kind)} "${name}": ${why}`, about(kind, name))

export const modified = 'the object has been modified; please apply your changes to the latest version and try again'

export const forbidden = (kind: Kind, name: string, why: string, causes?: Json): ApiError =>
  new ApiError(
    403,
    'Forbidden',
    `${qualified(kind)} "${name}" is forbidden: ${why}`,
    about(kind, name, causes === undefined ? {} : {causes}),
  )

export interface FieldError {
  /** 'FieldValueRequired' */
  readonly reason: `FieldValue${'Required' | 'Invalid' | 'Forbidden' | 'NotSupported' | 'NotFound' | 'Duplicate'}`
  readonly field: string
  /** 'Required value: name or generateName is required' */
  readonly message: string
}

export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: `Required value${detail && `: ${detail}`}`,
})

export const invalidValue = (field: string, value: Json, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
})

export const forbiddenField = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
})

export function invalid(kind: Kind, name: string, errors: readonly FieldError[]): ApiError {
  const texts = errors.map(({field, message}) => `${field}: ${message}`)
  const what = `${kind.kind}${kind.group && `.${kind.group}`}`
  const said = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const causes = errors.map((each) => ({...each}))
  return new ApiError(422, 'Invalid', `${what} "${name}" is invalid: ${said}`, {
    ...about(kind, name),
    kind: kind.kind,
    causes,
  })
}

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message)

export const expired = (version: number, oldest: number): ApiError =>
  new ApiError(410, 'Expired', `too old resource version: ${version} (${oldest})`)

export const noSuchPath = (): ApiError => new ApiError(404, 'NotFound', 'the server could not find the requested resource', {})

export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized')

export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

export const unsupportedMediaType = (type: string, accepted: string): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format (${type}) - accepted media types include: ${accepted}`,
  )

const codes: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
}

const reasons: Readonly<Record<string, string>> = {UNAVAILABLE: 'ServiceUnavailable', DEADLINE_EXCEEDED: 'Timeout'}

/** What a server in memory refused with, or a rule on the way to it; a code of gRPC that HTTP has no word for is an internal error. */
export function fromFailure(kind: Kind, name: string, {code, message}: CallFailure): ApiError {
  if (code === 'Conflict' && message.startsWith('Precondition failed')) return conflict(kind, name, message)
  return new ApiError(codes[code] ?? 500, codes[code] === undefined ? 'InternalError' : (reasons[code] ?? code), message, about(kind, name))
}
