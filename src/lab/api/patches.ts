// The four ways to say what is to change. Upstream: apiserver pkg/endpoints/handlers/patch.go
import {badRequest} from './api-status.ts'
import {readJson, refused} from './bodies.ts'
import {isObject, type Json, type JsonObject} from './json.ts'
import {jsonPatch} from './json-patch.ts'
import type {Kind} from './kinds.ts'
import {mergePatch} from './merge-patch.ts'
import {PatchError} from './patch-error.ts'
import type {ApiRequest} from './request.ts'
import {strategicMerge} from './strategic-merge.ts'

export const applyPatchType = 'application/apply-patch+yaml'
const accepted = `application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, ${applyPatchType}`

/** @returns what makes the changed document of the one that is there; throws an ApiError where that cannot be */
export function patchOf(kind: Kind, {contentType, body}: ApiRequest): (document: JsonObject) => JsonObject {
  const apply = how(kind, contentType)
  const patch = readJson(body)
  return (document) => {
    try {
      const patched = apply(document, patch)
      if (!isObject(patched)) throw new PatchError('the patched object is no map')
      return patched
    } catch (error) {
      if (error instanceof PatchError) throw badRequest(error.message)
      throw error
    }
  }
}

function how({patchSchema}: Kind, contentType: string): (document: JsonObject, patch: Json) => Json {
  switch (contentType) {
    case 'application/strategic-merge-patch+json':
      return (document, patch) => {
        if (!isObject(patch)) throw new PatchError('a strategic merge patch must be a map')
        return strategicMerge(document, patch, patchSchema)
      }
    case 'application/merge-patch+json':
      return mergePatch
    case 'application/json-patch+json':
      return jsonPatch
    default:
      throw refused(contentType, accepted)
  }
}
