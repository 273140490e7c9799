// Whether a field has the value that somebody wrote down.
import type {Scalar} from '../edit.ts'
import {isLike} from './glob.ts'

/** '*' in a text stands for any letters. A field may have its number as a text, as JSON has those of 64 bits. */
export function isScalarLike(value: unknown, must: Scalar): boolean {
  if (typeof value === 'object' || value === undefined) return false
  return typeof must === 'string' ? isLike(`${value}`, must) : value === must || `${value}` === `${must}`
}
