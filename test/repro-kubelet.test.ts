import {expect, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import {reproKubelet} from '../src/repro-kubelet.ts'

test('reproKubelet() is for root', async () => {
  const request = {
    kubelets: ['/bin/true'],
    names: ['success-without-status'],
    atOnce: 1,
    timelines: false,
    tool: 'kubelimbo 0.0.0',
    uid: 1000,
    clock: systemClock,
    temporary: '/nowhere',
    signal: new AbortController().signal,
    onRun: () => undefined,
  }
  await expect(reproKubelet(request)).rejects.toMatchObject({
    message: 'Cannot run a kubelet as only root may: this is user 1000',
    hint: 'run it with sudo, or without --kubelet on the model of the kubelet',
    exit: 3,
  })
})
