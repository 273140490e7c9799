import {existsSync, lstatSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {createClient} from '@connectrpc/connect'
import {describe, expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {DriverOptions} from '../../../src/lab/drivers/fake-driver.ts'
import {openChannel} from '../../../src/wire/channel.ts'
import {Registration} from '../../../src/wire/gen/registration_pb.ts'
import {toRpcFailure} from '../../../src/wire/status.ts'
import {capabilityOf, codeOf, csiCaller} from '../../support/csi-caller.ts'
import {socketsAt} from '../../support/fake-driver-node.ts'
import {servedDriver} from '../../support/served-driver.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'
import {withoutTimes} from '../../support/without-times.ts'

const mount = capabilityOf('mount')
const staging = 'plugins/kubernetes.io/csi/d/sha/globalmount'
const target = 'pods/u/volumes/kubernetes.io~csi/pv/mount'

async function lab(options: Partial<DriverOptions> = {}) {
  const root = tempDir()
  const served = await servedDriver(root, {name: 'd', ...options})
  const caller = await csiCaller(served.endpoint)
  onTestFinished(async () => {
    caller[Symbol.dispose]()
    await served[Symbol.asyncDispose]()
  })
  const stage = {volumeId: 'v', stagingTargetPath: join(root, staging), volumeCapability: mount}
  return {...served, root, caller, stage, publish: {...stage, targetPath: join(root, target)}}
}

describe('serveDriver()', () => {
  test('has the two sockets where the readers of a node find them', async () => {
    const {root, endpoint, registration} = await lab()
    expect(await socketsAt(root)).toEqual({
      registrations: [{socket: registration, answer: {state: 'answers'}, type: 'CSIPlugin', name: 'd', endpoint, versions: ['1.0.0']}],
      drivers: [
        {
          socket: endpoint,
          answer: {state: 'answers'},
          name: 'd',
          version: '1.0.0',
          ready: true,
          capabilities: ['STAGE_UNSTAGE_VOLUME'],
          nodeId: 'lab',
        },
      ],
    })
    expect([endpoint, registration]).toEqual([join(root, 'plugins/d/csi.sock'), join(root, 'plugins_registry/d-reg.sock')])
  })

  test('mounts nothing really: the folder has the directories, the disk has the mounts', async () => {
    const {root, caller, disk, driver, stage, publish} = await lab()
    await caller.controller.createVolume({name: 'v', volumeCapabilities: [mount]})
    await caller.node.nodeStageVolume(stage)
    await caller.node.nodePublishVolume(publish)
    const model = (path: string) => `/var/lib/kubelet/${path}`
    expect(driver.volumes()).toMatchObject([{handle: 'v', stagedAt: model(staging), publishedAt: [model(target)]}])
    expect(await disk.mountRefs(model(staging))).toEqual([model(target)])
    await disk.writeFile(`${model(target)}/file`, 'x')
    expect(await disk.readDir(model(staging))).toEqual(['file'])
    expect(readdirSync(join(root, target))).toEqual([])
    await caller.node.nodeUnpublishVolume({volumeId: 'v', targetPath: join(root, target)})
    expect([existsSync(join(root, target)), lstatSync(join(root, staging)).isDirectory()]).toEqual([false, true])
  })

  test('the timeline of calls by the socket is that of calls at the port', async () => {
    const bySocket = await lab()
    const atPort = await lab()
    const {caller, stage, publish, root} = bySocket
    const model = (path: string) => `/var/lib/kubelet/${path}`
    const {port} = atPort
    const options = {timeoutMs: 5000}
    const volumeMode = 'Filesystem'
    for (const {driver} of [bySocket, atPort]) driver.controller.createVolume('v', volumeMode)
    await caller.node.nodeGetCapabilities({})
    await caller.node.nodeStageVolume(stage)
    await caller.node.nodePublishVolume(publish)
    await codeOf(caller.node.nodeUnstageVolume({volumeId: 'v', stagingTargetPath: join(root, staging)}))
    await caller.node.nodeUnpublishVolume({volumeId: 'v', targetPath: join(root, target)})
    const staged = {volumeId: 'v', stagingTargetPath: model(staging)}
    await port.call('NodeGetCapabilities', {}, options)
    await port.call('NodeStageVolume', {...staged, volumeMode}, options)
    await port.call('NodePublishVolume', {...staged, targetPath: model(target), volumeMode, readonly: false}, options)
    await port.call('NodeUnstageVolume', staged, options).catch(() => {})
    await port.call('NodeUnpublishVolume', {volumeId: 'v', targetPath: model(target)}, options)
    expect(withoutTimes(bySocket.timeline.events)).toEqual(withoutTimes(atPort.timeline.events))
    expect(bySocket.timeline.events.filter(({kind}) => kind === 'call')).toHaveLength(5)
  })

  test.each([
    ['at its deadline', () => ({timeoutMs: 200}), 'DEADLINE_EXCEEDED'],
    ['before it', () => ({signal: AbortSignal.timeout(200)}), 'CANCELLED'],
  ])('a lost answer is a client that leaves %s, while the work is done', async (_, options, outcome) => {
    const {caller, stage, rules, driver, timeline} = await lab()
    driver.controller.createVolume('v', 'Filesystem')
    rules.add({name: 'lost', match: {to: 'csi', method: 'NodeStageVolume'}, fault: loseReply()})
    expect(await codeOf(caller.node.nodeStageVolume(stage, options()))).toBe(outcome)
    await until(async () => expect(timeline.events).toMatchObject([{fault: 'lost', outcome}, {what: 'made'}, {what: 'mounted'}]), 50)
    expect(driver.volumes()).toMatchObject([{stagedAt: `/var/lib/kubelet/${staging}`}])
  })

  test('a client that leaves does not end the work, and meanwhile others are ABORTED', async () => {
    const {caller, stage, driver} = await lab({takes: {NodeStageVolume: 400}})
    driver.controller.createVolume('v', 'Filesystem')
    expect(await codeOf(caller.node.nodeStageVolume(stage, {timeoutMs: 100}))).toBe('DEADLINE_EXCEEDED')
    expect(await codeOf(caller.node.nodeStageVolume(stage))).toBe('ABORTED')
    await until(async () => expect(driver.volumes()).toMatchObject([{stagedAt: expect.any(String) as string}]))
  })

  test('stop() breaks the connections and takes the socket, start() brings it back; the registration stays', async () => {
    const {caller, stage, driver, endpoint, registration, settled, timeline} = await lab({takes: {NodeStageVolume: 60_000}})
    await caller.controller.createVolume({name: 'v', volumeCapabilities: [mount], capacityRange: {requiredBytes: 7n}})
    const pending = caller.node.nodeStageVolume(stage).catch((error) => toRpcFailure(error, 'it'))
    await until(async () => expect(await codeOf(caller.node.nodeStageVolume(stage))).toBe('ABORTED'))
    driver.stop()
    const failure = await pending
    // Whether the answer was still out before the connection broke; of one that is broken grpc-go says UNAVAILABLE, too.
    expect(['UNAVAILABLE', 'lost']).toContain(
      'kind' in failure && failure.kind === 'lost' ? failure.kind : 'code' in failure && failure.code,
    )
    await settled()
    expect(timeline.events[0]).toMatchObject({method: 'NodeStageVolume', outcome: 'UNAVAILABLE'})
    expect([existsSync(endpoint), existsSync(registration)]).toEqual([false, true])
    await expect(csiCaller(endpoint)).rejects.toMatchObject({code: 'UNAVAILABLE'})
    driver.start()
    await settled()
    using again = await csiCaller(endpoint)
    expect((await again.controller.listVolumes({})).entries).toMatchObject([{volume: {volumeId: 'v', capacityBytes: 7n}}])
  })

  test('secrets are neither recorded nor kept nor said', async () => {
    const {caller, stage, publish, timeline} = await lab()
    const secrets = {password: 'sesame'}
    const {controller, node} = caller
    await controller.createVolume({name: 'v', volumeCapabilities: [mount], secrets})
    await node.nodeStageVolume({...stage, secrets})
    await node.nodePublishVolume({...publish, secrets})
    const refused = await node.nodeStageVolume({...stage, volumeId: 'x', secrets}).catch((error: Error) => error.message)
    const listed = await controller.listVolumes({})
    const said = JSON.stringify([timeline.events, refused, listed.entries.map(({volume}) => volume?.volumeContext)])
    expect(said).toContain('NodePublishVolume')
    expect(said).not.toContain('sesame')
  })

  test('the kubelet is told whose it is, and tells what it makes of it', async () => {
    const {registration, endpoint, told} = await lab()
    using channel = await openChannel({path: registration, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}, 2 ** 22)
    const registrar = createClient(Registration, channel.transport)
    expect(await registrar.getInfo({})).toMatchObject({type: 'CSIPlugin', name: 'd', endpoint, supportedVersions: ['1.0.0']})
    await registrar.notifyRegistrationStatus({pluginRegistered: true})
    await registrar.notifyRegistrationStatus({error: 'no such version'})
    expect(told).toEqual([
      {registered: true, error: ''},
      {registered: false, error: 'no such version'},
    ])
  })
})
