// Every state and shape of sandboxes and containers that containerd can be brought to, for a comparison of clients.
import type {Containerd} from '../support/containerd.ts'
import {createContainer, runPod, startContainer} from '../support/crictl-pods.ts'
import {until} from '../support/until.ts'

export interface Population {
  /** Ids, for filters. */
  readonly sandbox: string
  readonly container: string
}

const strange = 'quote " and \' and \\, line\nbreak\ttab, 日本語, Ünïcode, 👩‍🚀, <b>&amp;</b>, \u0007 \u2028'

/** Eleven sandboxes and nine containers. */
export async function populate(rig: Containerd): Promise<Population> {
  const web = await runPod(rig, {name: 'web', labels: {app: 'web', tier: 'front', 'io.kubernetes.pod.name': 'web'}})
  const first = await runPod(rig, {name: 'restarted'})
  await rig.crictl('stopp', first.id)
  const second = await runPod(rig, {name: 'restarted', attempt: 1})
  const stopped = await runPod(rig, {name: 'stopped', labels: {app: 'web', tier: 'back'}})
  await runPod(rig, {name: 'bare', labels: {}})
  const annotated = await runPod(rig, {name: 'annotated', annotations: {'example.com/note': strange, empty: ''}})
  await runPod(rig, {name: 'handled', runtime: 'other'})
  const networked = await runPod(rig, {name: 'networked', network: 'bridge'})
  const system = await runPod(rig, {name: 'web', namespace: 'kube-system'})
  await runPod(rig, {name: 'a-name-much-longer-than-a-column-of-the-table-and-than-most-terminals-are-wide', namespace: 'kube-public'})
  await runPod(rig, {name: 'regex.dots+and(braces)', namespace: 'kube-public'})

  const container = await startContainer(rig, web, {name: 'server', labels: {role: 'main'}})
  await createContainer(rig, web, {name: 'waiting'})
  await startContainer(rig, web, {name: 'failing', command: ['/bin/false']})
  await startContainer(rig, web, {name: 'failing', attempt: 1, command: ['/bin/false']})
  await startContainer(rig, second, {name: 'done', command: ['/bin/true']})
  await startContainer(rig, annotated, {name: 'annotated', annotations: {'example.com/note': strange}, labels: {role: 'main'}})
  await startContainer(rig, networked, {name: 'sidecar', labels: {role: 'side'}})
  await startContainer(rig, system, {name: 'server'})
  await startContainer(rig, stopped, {name: 'stopped'})
  await rig.crictl('stopp', stopped.id)
  await until(async () => {
    const exited = (await rig.crictl('ps', '--state', 'exited', '--quiet')).split('\n')
    if (exited.length < 4) throw new Error(`only ${exited.length} containers have exited`)
  })
  return {sandbox: web.id, container}
}
