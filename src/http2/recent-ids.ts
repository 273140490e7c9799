// The last few numbers of streams that something is remembered of.

export class RecentIds {
  readonly #most: number
  readonly #ids = new Set<number>()

  constructor(most: number) {
    this.#most = most
  }

  add(id: number): void {
    this.#ids.delete(id)
    this.#ids.add(id)
    if (this.#ids.size <= this.#most) return
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest)
      return
    }
  }

  has(id: number): boolean {
    return this.#ids.has(id)
  }
}
