// Lists as the tables that kubectl prints: the server chooses the columns. Upstream: meta/v1 Table, pkg/printers/internalversion/printers.go
import {eventCells, eventColumns} from './event-row.ts'
import {age} from './human-duration.ts'
import {type Json, type JsonObject, object, text} from './json.ts'
import {apiVersion, type Kind} from './kinds.ts'
import {nodeCells, nodeColumns} from './node-row.ts'
import {podCells, podColumns, podRowConditions} from './pod-row.ts'
import {claimCells, claimColumns, volumeCells, volumeColumns} from './volume-rows.ts'

/** Its name; after a '+' those that only `-o wide` shows. */
export type Column = string

interface Layout {
  readonly columns: readonly Column[]
  readonly cells: (document: JsonObject, now: number) => readonly Json[]
}

const named: Layout = {
  columns: ['Name', 'Age'],
  cells: (document, now) => [text(document, 'metadata', 'name') ?? '', age(text(document, 'metadata', 'creationTimestamp'), now)],
}

const layouts: Readonly<Record<string, Layout>> = {
  Pod: {columns: podColumns, cells: podCells},
  Namespace: {
    columns: ['Name', 'Status', 'Age'],
    cells: (document, now) => [
      text(document, 'metadata', 'name') ?? '',
      text(document, 'status', 'phase') ?? '',
      age(text(document, 'metadata', 'creationTimestamp'), now),
    ],
  },
  Node: {columns: nodeColumns, cells: nodeCells},
  Event: {columns: eventColumns, cells: eventCells},
  PersistentVolume: {columns: volumeColumns, cells: volumeCells},
  PersistentVolumeClaim: {columns: claimColumns, cells: claimCells},
}

export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  readonly kind: Kind
  readonly now: number
  readonly includeObject: IncludeObject
  readonly resourceVersion: string
  /** Later events of a watch have no columns. */
  readonly headless?: boolean
}

export function table(
  documents: readonly JsonObject[],
  {kind, now, includeObject, resourceVersion, headless = false}: TableOptions,
): JsonObject {
  const {columns, cells} = layouts[kind.kind] ?? named
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {resourceVersion},
    columnDefinitions: headless ? [] : columns.map(definition),
    rows: documents.map((document) => ({
      cells: cells(document, now),
      ...(kind.kind === 'Pod' ? podRowConditions(document) : {}),
      ...(includeObject === 'None' ? {} : {object: includeObject === 'Object' ? document : partialMetadata(document)}),
    })),
  }
}

function definition(column: Column): JsonObject {
  const name = column.replace(/^\+/, '')
  const priority = column.startsWith('+') ? 1 : 0
  return {name, type: 'string', format: name === 'Name' ? 'name' : '', description: '', priority}
}

export const partialMetadata = (document: JsonObject): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object(document, 'metadata'),
})

export const listOf = (kind: Kind, items: readonly JsonObject[], resourceVersion: string): JsonObject => ({
  kind: `${kind.kind}List`,
  apiVersion: apiVersion(kind),
  metadata: {resourceVersion},
  items,
})
