// Strings in HPACK's Huffman code and back (RFC 7541, 5.2).
import {endOfString, huffmanCodes} from './huffman-code.ts'

export function huffmanLength(bytes: Uint8Array): number {
  let bits = 0
  for (const byte of bytes) bits += huffmanCodes[byte]?.length ?? 0
  return Math.ceil(bits / 8)
}

export function huffmanEncode(bytes: Uint8Array): Buffer {
  const out = Buffer.alloc(huffmanLength(bytes))
  let at = 0
  let room = 8
  const put = (code: number, length: number) => {
    let left = length
    while (left > 0) {
      const take = Math.min(left, room)
      left -= take
      room -= take
      out[at] = (out[at] ?? 0) | (((code >>> left) & ((1 << take) - 1)) << room)
      if (room === 0) {
        at++
        room = 8
      }
    }
  }
  for (const byte of bytes) {
    const symbol = huffmanCodes[byte]
    if (symbol) put(symbol.code, symbol.length)
  }
  // The rest of the last octet is the start of the end of string, all ones.
  if (room < 8) put(0xff, room)
  return out
}

/** Undefined when it is no such code: a whole end of string, padding that is not its start, or more than 7 bits of padding. */
export function huffmanDecode(bytes: Uint8Array): Buffer | undefined {
  automaton ??= buildAutomaton()
  const {moves, accepts} = automaton
  // The shortest code has 5 bits.
  const out = Buffer.allocUnsafe(Math.floor((bytes.length * 8) / 5))
  let size = 0
  let state = 0
  for (let at = 0; at < bytes.length * 2; at++) {
    const byte = bytes[at >> 1] ?? 0
    const move = moves[state * 16 + (at & 1 ? byte & 0xf : byte >> 4)] ?? failed
    if (move === failed) return undefined
    if (move & emits) out[size++] = (move >> 16) & 0xff
    state = move & 0xffff
  }
  return accepts.has(state) ? out.subarray(0, size) : undefined
}

const emits = 1 << 24
const failed = -1

interface Automaton {
  /** For each inner node of the tree and each four bits: the next node, and the symbol that they end, of which there is one at most. */
  readonly moves: Int32Array
  /** Where a string may end: at the root and up to seven ones below it. */
  readonly accepts: ReadonlySet<number>
}

let automaton: Automaton | undefined

function buildAutomaton(): Automaton {
  const tree = buildTree()
  const moves = new Int32Array(tree.length * 16)
  for (const start of tree.keys()) {
    for (let nibble = 0; nibble < 16; nibble++) moves[start * 16 + nibble] = move(tree, start, nibble)
  }
  const accepts = new Set([0])
  let node = 0
  for (let ones = 1; ones <= 7; ones++) {
    node = tree[node]?.[1] ?? 0
    accepts.add(node)
  }
  return {moves, accepts}
}

/** Children of each inner node: another one, or a symbol as its negative minus one. */
function buildTree(): number[][] {
  const tree: number[][] = [[]]
  for (const [symbol, {code, length}] of huffmanCodes.entries()) {
    let node = 0
    for (let bit = length - 1; bit > 0; bit--) {
      const children = tree[node] ?? []
      const turn = (code >>> bit) & 1
      const next = children[turn] ?? tree.push([]) - 1
      children[turn] = next
      node = next
    }
    const last = tree[node]
    if (last) last[code & 1] = -symbol - 1
  }
  return tree
}

function move(tree: readonly number[][], start: number, nibble: number): number {
  let node = start
  let emitted = 0
  for (let bit = 3; bit >= 0; bit--) {
    const next = tree[node]?.[(nibble >> bit) & 1]
    if (next === undefined || next === -endOfString - 1) return failed
    if (next < 0) emitted = emits | ((-next - 1) << 16)
    node = Math.max(next, 0)
  }
  return emitted | node
}
