// One connection to a real containerd: a call that is held holds up no other, and any :authority is taken.
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {delay} from '../../../src/faults/delay.ts'
import {RuntimeService} from '../../../src/wire/gen/cri_pb.ts'
import {type Containerd, startContainerd} from '../../support/containerd.ts'
import type {Release} from '../../support/containerd-parts.ts'
import {through, ways} from '../../support/proxied.ts'
import {rawCaller} from '../../support/raw-grpc.ts'
import {tempDir} from '../../support/socket-dir.ts'

const {version, listPodSandbox, status} = RuntimeService.method

/** The socket's path stands for what kubelets up to 1.29 and crictl send. */
const authorities = [
  '/run/containerd/containerd.sock',
  '',
  undefined,
  'localhost',
  'unix:///run/containerd.sock',
  '%2Frun%2Fcontainerd.sock',
  '@abstract',
]

describe.each<Release>(['debian', 'newest'])('serveProxy() before containerd (%s)', (release) => {
  let rig: Containerd
  let socket = ''
  beforeAll(async () => {
    rig = await startContainerd(release)
    socket = rig.endpoint.slice('unix://'.length)
  })
  afterAll(() => rig?.[Symbol.asyncDispose]())

  test.each([
    ['before', delay(400)],
    ['after', delay(0, 400)],
  ])('answers the first call of a connection, which it holds %s the server has it, behind the second', async (_, fault) => {
    const rules = [{name: 'held', match: {method: 'Version'}, fault}]
    await using proxy = await through({rules})(socket, tempDir())
    using client = rawCaller(proxy.path)
    const order: string[] = []
    const first = client.unary(version, {}).then(({runtimeName}) => order.push(`Version of ${runtimeName}`))
    const second = client.unary(listPodSandbox, {}).then(({items}) => order.push(`ListPodSandbox of ${items.length}`))
    await Promise.all([first, second])
    expect(order).toEqual(['ListPodSandbox of 0', 'Version of containerd'])
    expect((await client.unary(status, {})).status?.conditions).not.toEqual([])
  })

  test.each(ways)('with $name takes each :authority, and none', async ({open}) => {
    await using proxy = await open(socket, tempDir())
    for (const authority of authorities) {
      using client = rawCaller(proxy.path, authority)
      expect((await client.unary(version, {})).runtimeName, authority).toBe('containerd')
    }
  })
})
