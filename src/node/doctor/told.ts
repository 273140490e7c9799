// One line of what doctor says: a thing, what it is, and how we know or what it is for.

export interface Told {
  readonly name: string
  readonly value: string
  readonly why: string
}
