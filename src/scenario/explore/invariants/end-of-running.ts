// A container that is told to have ended does not run.
import type {Breach, Invariant} from '../invariant.ts'
import {containersSeen, plainId, runs} from '../pod-lives.ts'

export const endOfRunning: Invariant = {
  name: 'end-of-running',
  says: 'the API tells no end of a container that runs',
  check: (life) => {
    const breaches = new Map<string, Breach>()
    for (const seen of life.seen) {
      for (const {name, state} of containersSeen(seen)) {
        if (state.terminated === undefined || breaches.has(name)) continue
        const {containerID, exitCode} = state.terminated
        const id = plainId(containerID)
        const running = life.containers.find((each) => (id === undefined ? each.name === name : each.id === id) && runs(each, seen.place))
        if (running === undefined) continue
        const what = `container ${name} is told to have ended with ${exitCode} while it runs`
        breaches.set(name, {
          how: id === undefined ? 'the end is made up' : 'the end is of its own',
          at: seen.event.at,
          container: name,
          what,
        })
      }
    }
    return [...breaches.values()]
  },
}
