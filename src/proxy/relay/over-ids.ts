// The numbers of the last streams that passed and are over: what their peers still say of them passes, too. Numbers only, as there are many.

export class OverIds {
  readonly #client: Uint32Array
  readonly #upstream: Uint32Array
  #next = 0

  constructor(most: number) {
    this.#client = new Uint32Array(most)
    this.#upstream = new Uint32Array(most)
  }

  add(clientId: number, upstreamId: number): void {
    this.#client[this.#next] = clientId
    this.#upstream[this.#next] = upstreamId
    this.#next = (this.#next + 1) % this.#client.length
  }

  /** Of a client's number, upstream's. */
  ofClient(id: number): number | undefined {
    return this.#upstream[this.#client.lastIndexOf(id)]
  }

  ofUpstream(id: number): number | undefined {
    return this.#client[this.#upstream.lastIndexOf(id)]
  }
}
