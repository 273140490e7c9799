import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {PodStatus} from '../../../src/kubelet/pod.ts'
import type {CallEvent, Event} from '../../../src/timeline/event.ts'
import {startLabRuntime} from '../../support/lab-runtime.ts'
import {startMiniature} from '../../support/miniature.ts'
import {servedDriver} from '../../support/served-driver.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

const isRunning = ({containerStatuses: [app]}: PodStatus): boolean => app !== undefined && 'running' in app.state

const callsTo = (events: readonly Event[]): readonly string[] =>
  events.filter((event): event is CallEvent => event.kind === 'call').map(({method}) => method)

/** What changes something. */
const worked = (events: readonly Event[]) =>
  callsTo(events).filter((method) => !/^(List|ContainerStatus|PodSandboxStatus|ImageStatus|NodeGet)/.test(method))

async function node(volumeMode: 'Filesystem' | 'Block') {
  const folder = tempDir()
  const path = join(folder, 'cri.sock')
  const runtime = await startLabRuntime(path)
  const driver = await servedDriver(join(folder, 'kubelet'))
  const mini = await startMiniature({folder, endpoint: `unix://${path}`, disk: driver.disk})
  onTestFinished(async () => {
    await mini[Symbol.asyncDispose]()
    await driver[Symbol.asyncDispose]()
    await runtime[Symbol.asyncDispose]()
  })
  driver.driver.controller.createVolume('h1', volumeMode)
  mini.api.addClaim({namespace: 'default', name: 'data', volumeName: 'pv1', driver: 'lab.csi.example.com', volumeHandle: 'h1', volumeMode})
  return {runtime, driver, mini}
}

test.for([
  ['Filesystem', {volumeMounts: [{name: 'data', mountPath: '/data'}]}],
  ['Block', {volumeDevices: [{name: 'data', devicePath: '/dev/xvda'}]}],
] as const)(
  'startMiniatureKubelet() runs a pod with a volume of mode %s on the sockets of the lab, without root, and deletes it',
  async ([mode, uses]) => {
    const {runtime, driver, mini} = await node(mode)
    const volumes = [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]
    await mini.api.create({
      metadata: {name: 'web'},
      spec: {volumes, containers: [{name: 'app', command: ['sh', '-c', "trap 'exit 3' TERM; while :; do sleep 1; done"], ...uses}]},
    })
    const status = await mini.seen('default/web', isRunning)
    const [container] = runtime.world.containers.list()
    expect(status.containerStatuses[0]?.containerID).toMatch(new RegExp(`://${container?.id}$`))
    expect(driver.driver.volumes()).toMatchObject([{handle: 'h1', stagedAt: expect.anything(), publishedAt: [expect.anything()]}])
    expect(driver.told).toEqual([{registered: true, error: ''}])

    await mini.api.delete('default/web')
    await mini.gone('default/web')
    await until(async () => {
      expect(runtime.world.sandboxes.list()).toEqual([])
      expect(await driver.disk.readDir('/var/lib/kubelet/pods')).toEqual([])
    })
    expect(mini.statuses('default/web').at(-1)?.containerStatuses[0]?.state).toMatchObject({terminated: {exitCode: 3}})
    expect(worked(driver.timeline.events)).toEqual(['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'])
    const changes = worked(runtime.timeline.events)
    expect(changes.slice(0, 4)).toEqual(['RunPodSandbox', 'CreateContainer', 'StartContainer', 'StopContainer'])
    expect(changes.at(-1)).toBe('RemovePodSandbox')
    expect(driver.disk.mounts().filter(({path}) => path !== '/')).toEqual([])
  },
)
