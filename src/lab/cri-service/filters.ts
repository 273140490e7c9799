// Which rows a client asks for. Source: containerd's internal/cri/server/{sandbox_list,container_list}.go
import type {Table} from '../table.ts'

/** An id may be cut short as long as one row alone starts with it; what fits none, or several, stays as it is and finds nothing. */
export function wholeId(id: string, rows: Pick<Table<{readonly id: string}>, 'get' | 'list'>): string {
  if (id === '' || rows.get(id) !== undefined) return id
  const starting = rows.list().filter((row) => row.id.startsWith(id))
  return starting.length === 1 ? (starting[0]?.id ?? id) : id
}

export interface Wanted {
  /** Whole ids; '' wants all. */
  readonly id?: string
  readonly podSandboxId?: string
  readonly state?: {readonly state: number} | undefined
  readonly labelSelector?: Readonly<Record<string, string>>
}

export interface Filterable {
  readonly id: string
  readonly podSandboxId?: string
  readonly state?: number
  readonly labels: Readonly<Record<string, string>>
}

export function isWanted(row: Filterable, {id = '', podSandboxId = '', state, labelSelector = {}}: Wanted): boolean {
  if (id !== '' && row.id !== id) return false
  if (podSandboxId !== '' && row.podSandboxId !== podSandboxId) return false
  if (state !== undefined && row.state !== state.state) return false
  return Object.entries(labelSelector).every(([key, value]) => Object.hasOwn(row.labels, key) && row.labels[key] === value)
}

/** A fault may answer in the runtime's place, with nothing. */
export const rowsOf = <Row>(rows: readonly Row[]): readonly Row[] => (Array.isArray(rows) ? rows : [])
