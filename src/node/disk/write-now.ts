// Writes that are through when they return. process.stdout would keep a part back while a look hangs, and nobody would know where.
import {writeSync} from 'node:fs'
import {codeOf} from './look.ts'

export function writeNow(file: number, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) bytes = bytes.subarray(written(file, bytes))
}

function written(file: number, bytes: Buffer): number {
  try {
    return writeSync(file, bytes)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    // Full, and somebody made it non-blocking.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    return 0
  }
}
