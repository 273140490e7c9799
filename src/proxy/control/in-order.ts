// Whatever an injector tells comes after the word that it has started.
import type {InjectHears, InjectStarted} from './inject-hears.ts'

export interface InOrder {
  readonly hears: InjectHears
  readonly started: boolean
}

export function inOrder(hears: InjectHears): InOrder {
  const early: (() => void)[] = []
  let started = false
  const then = (tell: () => void) => (started ? tell() : void early.push(tell))
  return {
    get started() {
      return started
    },
    hears: {
      ...hears,
      started: (what: InjectStarted) => {
        started = true
        hears.started(what)
        for (const tell of early.splice(0)) tell()
      },
      socket: (change) => then(() => hears.socket(change)),
      kubelet: (at) => then(() => hears.kubelet(at)),
    },
  }
}
