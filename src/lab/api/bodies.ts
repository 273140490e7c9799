// What clients send, read. Upstream: apiserver pkg/endpoints/handlers/{create,patch,delete}.go
import {parse} from 'yaml'
import {firstLine} from '../../base/errors.ts'
import {ApiError, badRequest, unsupportedMediaType} from './api-status.ts'
import {isObject, type Json, type JsonObject, number, object, text} from './json.ts'
import {readProtobuf} from './protobuf-body.ts'
import type {ApiRequest} from './request.ts'

/** @throws ApiError when it is no object in a form that the lab reads */
export function documentOf({contentType, body, bytes}: ApiRequest): JsonObject {
  const known = contentType === protobuf ? readProtobuf(bytes) : undefined
  if (known !== undefined) return known
  if (!isJson(contentType) && contentType !== 'application/yaml') throw refused(contentType, 'application/json, application/yaml')
  const document = contentType === 'application/yaml' ? readYaml(body) : readJson(body)
  if (!isObject(document)) throw badRequest('the object provided is unrecognized (must be of type map)')
  return document
}

const protobuf = 'application/vnd.kubernetes.protobuf'

const isJson = (type: string): boolean => type === 'application/json' || type === '' || type === '*/*'

export function refused(type: string, accepted: string): ApiError {
  const refusal = unsupportedMediaType(type, accepted)
  if (!/protobuf|cbor/.test(type)) return refusal
  const hint =
    'the lab reads JSON: set contentType: application/json in the configuration of the kubelet, or --kube-api-content-type=application/json; with kubectl, apply a file'
  return new ApiError(415, 'UnsupportedMediaType', `${refusal.message}; ${hint}`)
}

export function readJson(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${firstLine(error)}`)
  }
}

export function readYaml(body: string): Json {
  try {
    return parse(body) as Json
  } catch (error) {
    throw badRequest(`error decoding YAML: ${firstLine(error)}`)
  }
}

export interface WantedDeletion {
  readonly gracePeriodSeconds?: number
  readonly uid?: string
  readonly resourceVersion?: string
  readonly dryRun: boolean
}

/** DeleteOptions, of the body or of the query. propagationPolicy means nothing here: the lab has no garbage collector. */
export function deletionOf(request: ApiRequest): WantedDeletion {
  const options = request.body === '' ? {} : documentOf(request)
  const asked = request.query.get('gracePeriodSeconds')
  const gracePeriodSeconds = number(options, 'gracePeriodSeconds') ?? (asked === null ? undefined : Number(asked))
  if (gracePeriodSeconds !== undefined && !Number.isInteger(gracePeriodSeconds)) throw badRequest(`invalid gracePeriodSeconds: ${asked}`)
  const preconditions = object(options, 'preconditions')
  const [uid, resourceVersion] = [text(preconditions, 'uid'), text(preconditions, 'resourceVersion')]
  const dryRuns = options.dryRun
  return {
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds}),
    ...(uid === undefined ? {} : {uid}),
    ...(resourceVersion === undefined ? {} : {resourceVersion}),
    dryRun: (Array.isArray(dryRuns) && dryRuns.includes('All')) || request.query.getAll('dryRun').includes('All'),
  }
}
