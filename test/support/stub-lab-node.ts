// A node of the lab that does nothing but note what is done to it: for whatever plays scenarios.
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import {CallFailure} from '../../src/kubelet/port.ts'
import {memoryDisk} from '../../src/lab/disk/memory-disk.ts'
import type {LabNode, LabOptions} from '../../src/lab/lab-node.ts'
import {keyOf} from '../../src/scenario/pods.ts'
import {timeline} from '../../src/timeline/timeline.ts'
import {snapshotOf} from './snapshot-builder.ts'

export interface StubNode {
  readonly startNode: (options: LabOptions) => LabNode
  /** '2.000 deletePod default/p 5' */
  readonly done: readonly string[]
  readonly options: () => LabOptions | undefined
}

/** @param meanwhile what happens there by itself */
export function stubLabNode(meanwhile: (node: LabNode) => void | Promise<void> = () => undefined): StubNode {
  const done: string[] = []
  let given: LabOptions | undefined
  const startNode = (options: LabOptions): LabNode => {
    given = options
    const clock = simulatedClock(options.start)
    const note = (...words: readonly unknown[]) => {
      done.push(`${((clock.now() - options.start) / 1000).toFixed(3)} ${words.filter((word) => word !== undefined).join(' ')}`)
    }
    /** An answer takes its time. */
    const answer = async (pod: string) => {
      await clock.sleep(5)
      if (pod === 'default/nobody') throw new CallFailure('NotFound', 'pods "nobody" not found')
    }
    const node: LabNode = {
      timeline: timeline(clock.now),
      now: clock.now,
      run: clock.run,
      client: {
        createPod: async (manifest) => {
          note('createPod', keyOf(manifest))
          await answer(keyOf(manifest))
        },
        deletePod: async (pod, grace) => {
          note('deletePod', pod, grace)
          await answer(pod)
        },
        removeFinalizers: async (pod) => {
          note('removeFinalizers', pod)
          await answer(pod)
        },
      },
      runtime: {
        loseContainer: (pod, container) => note('loseContainer', pod, container),
        killContainer: (pod, container, exitCode) => note('killContainer', pod, container, exitCode),
        removeContainer: (pod, container) => {
          note('removeContainer', pod, container)
          if (container === 'never') throw new Error('Cannot do this to a container never')
        },
      },
      kubelet: {
        restart: (downMs) => note('restart', downMs),
        evict: (pod, message) => note('evict', pod, message),
        readiness: (pod, container, ready) => note('readiness', pod, container, ready),
      },
      drivers: {
        get: () => undefined,
        restart: (name, downMs, unregister) => note('restartDriver', name, downMs, unregister),
      },
      disk: memoryDisk(clock.now),
      faults: {
        add: (rule) => note('addRule', rule.name, JSON.stringify(rule.fault.plan.reply)),
        remove: (name) => note('removeRule', name),
      },
      snapshot: () => ({...snapshotOf({}), when: clock.now()}),
    }
    const {sleep} = clock
    void Promise.resolve(meanwhile({...node, sleep} as LabNode)).catch(() => undefined)
    return node
  }
  return {startNode, done, options: () => given}
}
