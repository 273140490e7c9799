// Thousands may wait on one signal: it has one listener of ours, as adding or removing one walks past all the others.

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when the signal is aborted, in the order in which they asked. @returns what takes it back */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waiting.get(signal) ?? listenTo(signal)
  const own = () => callback()
  callbacks.add(own)
  return () => void callbacks.delete(own)
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  waiting.set(signal, callbacks)
  signal.addEventListener(
    'abort',
    () => {
      for (const each of callbacks) each()
    },
    {once: true},
  )
  return callbacks
}
