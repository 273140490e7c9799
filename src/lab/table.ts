// Rows by their id and by a group, with lists that stay the same object until a row changes. A change costs nothing but the next list.

export interface Table<Row> {
  get(id: string): Row | undefined
  /** In the order in which they were first set. */
  list(): readonly Row[]
  listOf(group: string): readonly Row[]
  set(id: string, row: Row): void
  delete(id: string): void
}

export function table<Row extends object>(groupOf: (row: Row) => string): Table<Row> {
  const all = rows<Row>()
  const groups = new Map<string, Rows<Row>>()
  return {
    get: (id) => all.byId.get(id),
    list: all.list,
    listOf: (group) => groups.get(group)?.list() ?? none,
    set: (id, row) => {
      Object.freeze(row)
      all.set(id, row)
      const name = groupOf(row)
      let group = groups.get(name)
      if (group === undefined) {
        group = rows()
        groups.set(name, group)
      }
      group.set(id, row)
    },
    delete: (id) => {
      const row = all.byId.get(id)
      if (row === undefined) return
      all.delete(id)
      const name = groupOf(row)
      const group = groups.get(name)
      group?.delete(id)
      if (group?.byId.size === 0) groups.delete(name)
    },
  }
}

const none: readonly never[] = Object.freeze([])

interface Rows<Row> {
  readonly byId: ReadonlyMap<string, Row>
  list(): readonly Row[]
  set(id: string, row: Row): void
  delete(id: string): void
}

function rows<Row>(): Rows<Row> {
  const byId = new Map<string, Row>()
  let listed: readonly Row[] | undefined
  return {
    byId,
    list: () => {
      listed ??= Object.freeze([...byId.values()])
      return listed
    },
    set: (id, row) => {
      byId.set(id, row)
      listed = undefined
    },
    delete: (id) => {
      byId.delete(id)
      listed = undefined
    },
  }
}
