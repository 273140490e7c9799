import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {labKubelet} from '../../../src/lab/kubelet/lab-kubelet.ts'

/** What each of the kubelets that were started was told. */
function told() {
  const clock = simulatedClock(0)
  const all: string[] = []
  let processes = 0
  const kubelet = labKubelet(clock, (signal) => {
    const process = ++processes
    const tell = (text: string) => void all.push(`${clock.now()}: ${process} ${text}`)
    tell('starts')
    signal.addEventListener('abort', () => tell('ends'))
    return {
      readiness: (uid, container, ready) => tell(`${uid}/${container} is ${ready ? 'ready' : 'not ready'}`),
      evict: (uid, message) => tell(`evicts ${uid}: ${message}`),
      pods: () => [],
      volumes: () => ({desired: [], mounted: [], inUse: []}),
      loopEnteredAt: () => 0,
    }
  })
  return {clock, all, kubelet}
}

test('labKubelet() tells a new process what the probes say now', async () => {
  const {clock, all, kubelet} = told()
  kubelet.readiness('u', 'c', true)
  kubelet.readiness('u', 'd', true)
  kubelet.restart(500)
  kubelet.readiness('u', 'c', false)
  await clock.run(1000)
  expect(all).toEqual([
    '0: 1 starts',
    '0: 1 u/c is ready',
    '0: 1 u/d is ready',
    '0: 1 ends',
    '500: 2 starts',
    '500: 2 u/c is not ready',
    '500: 2 u/d is ready',
  ])
})

test('labKubelet() evicts by the process that runs, and by none while it is down', async () => {
  const {clock, all, kubelet} = told()
  kubelet.restart(500)
  expect(() => kubelet.evict('u', 'no memory')).toThrow('Cannot evict a pod as the kubelet must run: it is down')
  expect(() => kubelet.restart(1)).toThrow('Cannot restart the kubelet as it must run: it is down')
  await clock.run(600)
  kubelet.evict('u', 'no memory')
  expect(all.at(-1)).toBe('600: 2 evicts u: no memory')
})

test('labKubelet() ends for good, also while it is down', async () => {
  const {clock, all, kubelet} = told()
  kubelet.end()
  expect(all).toEqual(['0: 1 starts', '0: 1 ends'])
  expect(kubelet.seen().pods).toBeUndefined()
  const other = told()
  other.kubelet.restart(500)
  other.kubelet.end()
  await other.clock.run(1000)
  await clock.run(1000)
  expect(other.all).toEqual(['0: 1 starts', '0: 1 ends'])
})
