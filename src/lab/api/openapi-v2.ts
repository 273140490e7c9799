// OpenAPI v2 as kubectl up to 1.26 asks for it: it has no definitions, so that nothing is validated by it, and says of each PATCH that it takes dryRun.
// Upstream: gnostic-models openapiv2/OpenAPIv2.proto; cli-runtime 0.20, pkg/resource/dry_run_verifier.go
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire'
import {itemPath, type Kind, kinds} from './kinds.ts'

/** Clients ask with an '@' where the last dot but one is: Go reads no media type with one in it (kube-openapi pkg/handler/handler.go). */
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

export function openapiV2(accept: string): {readonly type: string; readonly body: Uint8Array | string} {
  if (accept.includes('protobuf')) return {type: protobuf, body: documentBytes}
  return {type: 'application/json', body: JSON.stringify({swagger: '2.0', info: {title: 'Kubernetes', version: 'v1'}, paths: {}})}
}

type Value = string | readonly Field[]
type Field = readonly [number: number, value: Value]

function message(fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of fields) {
    writer.tag(number, WireType.LengthDelimited)
    if (typeof value === 'string') writer.string(value)
    else writer.bytes(message(value))
  }
  return writer.finish()
}

/** Document: swagger (1), paths (8) with a NamedPathItem (2) each: name (1), value (2) with patch (8). */
const documentBytes = message([
  [1, '2.0'],
  [
    8,
    kinds.map((kind) => [
      2,
      [
        [1, itemPath(kind)],
        [2, [[8, patch(kind)]]],
      ],
    ]),
  ],
])

/** Operation: parameters (8), down to the name (4) of a QueryParameterSubSchema, and vendor_extension (13): name (1), value (2) with yaml (2). */
function patch({group, version, kind}: Kind): readonly Field[] {
  const parameter: readonly Field[] = [
    [2, 'query'],
    [4, 'dryRun'],
    [6, 'string'],
  ]
  const yaml = `group: "${group}"\nversion: ${version}\nkind: ${kind}\n`
  return [
    [8, [[1, [[2, [[3, parameter]]]]]]],
    [
      13,
      [
        [1, 'x-kubernetes-group-version-kind'],
        [2, [[2, yaml]]],
      ],
    ],
  ]
}
