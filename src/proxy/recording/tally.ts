// What a recording has, added up while it is made. Names that clients make up must not fill the memory.

export interface TallyCall {
  readonly socket: string
  readonly service: string
  readonly method: string
  readonly code: string
  readonly unkept: string | undefined
}

export interface MethodTally {
  readonly socket: string
  readonly service: string
  readonly method: string
  readonly calls: number
  /** 'OK' to how many. */
  readonly codes: Readonly<Record<string, number>>
}

const mostMethods = 500
const mostNames = 50
const others = 'others'

export class Tally {
  readonly #methods = new Map<
    string,
    {readonly name: Pick<MethodTally, 'socket' | 'service' | 'method'>; readonly codes: Map<string, number>}
  >()
  readonly #unkept = new Map<string, number>()
  readonly #redactions = new Map<string, number>()
  #calls = 0

  call({socket, service, method, code, unkept}: TallyCall): void {
    this.#calls++
    add(this.#entry({socket, service, method}).codes, code)
    if (unkept !== undefined) add(this.#unkept, unkept)
  }

  hit(rule: string): void {
    add(this.#redactions, rule)
  }

  get calls(): number {
    return this.#calls
  }

  get methods(): readonly MethodTally[] {
    return [...this.#methods.values()].map(({name, codes}) => ({...name, calls: sum(codes), codes: Object.fromEntries(codes)}))
  }

  get unkept(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#unkept)
  }

  get redactions(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#redactions)
  }

  #entry(name: Pick<MethodTally, 'socket' | 'service' | 'method'>) {
    const full = this.#methods.size >= mostMethods
    const key = `${name.socket} ${name.service}/${name.method}`
    const known = this.#methods.get(key) ?? (full ? this.#methods.get(others) : undefined)
    if (known !== undefined) return known
    const entry = {name: full ? {socket: name.socket, service: others, method: others} : name, codes: new Map<string, number>()}
    this.#methods.set(full ? others : key, entry)
    return entry
  }
}

function add(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < mostNames ? name : others
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
