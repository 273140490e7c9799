// The rules of a proxy with when their time began, for those that are about its socket.
import {type Clock, steadyNow} from '../../base/clock.ts'
import type {Rule} from '../../faults/rule.ts'
import type {ProxyRules} from '../rules-in-force.ts'
import {type SocketFaultNow, socketFaultAt} from './socket-faults.ts'

export interface ArmedRules {
  /** The same rules; what changes them is told. */
  readonly rules: ProxyRules
  readonly socketFault: () => SocketFaultNow
}

export function armedRules(book: ProxyRules, clock: Clock, onChange: () => void): ArmedRules {
  const start = steadyNow(clock)
  const armedAt = new WeakMap<Rule, number>()
  const changes = <T>(result: T): T => {
    onChange()
    return result
  }
  return {
    rules: {
      list: () => book.list(),
      add: (rule) => {
        armedAt.set(rule, steadyNow(clock))
        changes(book.add(rule))
      },
      remove: (name) => changes(book.remove(name)),
      clear: () => changes(book.clear()),
      pause: (paused) => changes(book.pause(paused)),
      get paused() {
        return book.paused
      },
    },
    socketFault: () =>
      book.paused
        ? {}
        : socketFaultAt(
            book.list().map(({rule}) => ({rule, armedAt: armedAt.get(rule) ?? start})),
            steadyNow(clock),
          ),
  }
}
