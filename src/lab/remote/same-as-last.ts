// The kubelet takes a list that is the same object for one in which nothing has changed.
import {isDeepStrictEqual} from 'node:util'

export function sameAsLast<T>(): (list: T) => T {
  let last: T | undefined
  return (list) => {
    if (last === undefined || !isDeepStrictEqual(last, list)) last = list
    return last
  }
}
