// Each sandbox and each container has a name of its own at the runtime; its id is made from it, so that a container has the same id in two runs that
// differ elsewhere.
import {CallFailure} from '../../kubelet/port.ts'

export interface ReservedNames {
  /** @throws CallFailure when it is another's */
  reserve(name: string): string
  release(id: string): void
}

export function reservedNames(): ReservedNames {
  const ids = new Map<string, string>()
  const names = new Map<string, string>()
  const times = new Map<string, number>()
  return {
    reserve: (name) => {
      const holder = ids.get(name)
      if (holder !== undefined) throw new CallFailure('UNKNOWN', `failed to reserve name "${name}": name is reserved for "${holder}"`)
      const time = (times.get(name) ?? 0) + 1
      times.set(name, time)
      const id = hash(`${name}_${time}`, 0x811c9dc5) + hash(`${name}_${time}`, 0x1b873593)
      ids.set(name, id)
      names.set(id, name)
      return id
    },
    release: (id) => {
      const name = names.get(id)
      if (name === undefined) return
      names.delete(id)
      ids.delete(name)
    },
  }
}

/** FNV-1a from two starts, as one of 32 bits is too short for thousands of names. */
function hash(text: string, start: number): string {
  let value = start
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  // The last characters tell names apart: spread them.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
