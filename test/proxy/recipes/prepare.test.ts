import {describe, expect, test} from 'vitest'
import {explain} from '../../../src/faults/explain.ts'
import {openBundle} from '../../../src/node/bundle.ts'
import type {DriverSocket, Registration} from '../../../src/node/csi/sockets.ts'
import {read} from '../../../src/node/reading.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import {findRecipe} from '../../../src/proxy/recipes/find-recipe.ts'
import {prepare} from '../../../src/proxy/recipes/prepare.ts'
import {recipes} from '../../../src/proxy/recipes/recipes.ts'

const socket = '/var/lib/kubelet/plugins/csi-hostpath/csi.sock'
const registration: Registration = {
  socket: '/var/lib/kubelet/plugins_registry/hostpath.csi.k8s.io-reg.sock',
  answer: {state: 'answers'},
  type: 'CSIPlugin',
  name: 'hostpath.csi.k8s.io',
  endpoint: socket,
  versions: ['1.0.0'],
}
const driver: DriverSocket = {socket, answer: {state: 'answers'}, name: 'hostpath.csi.k8s.io'}

/** Captures are older than the readings of drivers. */
async function node(name: string): Promise<Snapshot> {
  const snapshot = await openBundle(`fixtures/nodes/${name}`)
  return {...snapshot, readings: {...snapshot.readings, 'csi.registrations': read([registration]), 'csi.drivers': read([driver])}}
}

const on = (snapshot: Snapshot, kubeletVersion: string): Snapshot => ({...snapshot, kubeletVersion})

describe('prepare() for a claim', () => {
  test.each([
    ['healthy', 'default/pvc1', '48fb8f96-ec69-11f1-b476-7264fc4fb799', 'filesystem', 'web-0'],
    ['healthy', 'pvc2', '49271dae-ec69-11f1-b476-7264fc4fb799', 'raw block volume', 'blk-0'],
    ['stage-hang-terminating', 'pvc1', '48fb8f96-ec69-11f1-b476-7264fc4fb799', 'filesystem', 'stage-0'],
    ['blockpub-hang-terminating', 'pvc2', '49271dae-ec69-11f1-b476-7264fc4fb799', 'raw block volume', 'pub-0'],
    ['after-delete', 'pvc1', '48fb8f96-ec69-11f1-b476-7264fc4fb799', 'filesystem', 'web-0'],
  ])('finds on %s the volume of %s by what is on the disk and in the log', async (name, pvc, handle, mode, pod) => {
    const {rules, upstream, aim} = prepare(findRecipe('stage-hang'), {pvc}, {snapshot: await node(name)})
    expect(rules).toMatchObject([{match: {to: 'csi', method: 'NodeStageVolume', request: {volumeId: handle}}}])
    expect(upstream).toBe(socket)
    expect(aim[0]).toContain(mode === 'filesystem' ? 'a file system' : mode)
    expect(aim[1]).toBe(`default/${pod} uses it here.`)
  })

  test('tells what was found, what the kubelet will do and how to see it', async () => {
    const {rules, ...prepared} = prepare(findRecipe('stage-lost'), {pvc: 'pvc1'}, {snapshot: await node('healthy')})
    expect({...prepared, rules: rules.map(explain)}).toMatchInlineSnapshot(`
      {
        "aim": [
          "The claim default/pvc1 is bound to pv1, a file system of the driver hostpath.csi.k8s.io with the handle 48fb8f96-ec69-11f1-b476-7264fc4fb799: so says what is here of default/web-0.",
          "default/web-0 uses it here.",
          "The driver hostpath.csi.k8s.io listens on /var/lib/kubelet/plugins/csi-hostpath/csi.sock.",
        ],
        "issues": [
          "kubernetes/kubernetes#82492",
          "kubernetes/kubernetes#88660",
          "kubernetes/kubernetes#85476",
        ],
        "kubelet": [
          "The kubelet is 1.26.5.",
          "It takes a pod that is new on this node: one that runs has its volume already.",
          "NodeStageVolume gets 2 minutes, what the driver is asked beforehand included; then the kubelet takes the call back and makes it again: 0.5 s later, then 1 s, 2 s, 4 s, up to 2 min 2 s.",
          "While the call runs nothing else is done with this volume; other volumes do not wait.",
          "The pod stays in ContainerCreating, with an event FailedMount (raw block: FailedMapVolume) after each call, and with "Unable to attach or mount volumes" every 2 min 3 s.",
          "The driver is told once more to stage what it has staged: it must answer OK. One that mounts anew stacks its mounts (V07).",
          "A pod that is deleted meanwhile is Terminating until the wait for its volumes is over, 2 min 3 s after it began; by then NodeStageVolume has been called a second time.",
          "A call that nobody answered leaves the device uncertain: with the pod gone, NodeUnstageVolume follows within 0.5 s of the end of the last call.",
          "While the object of the pod is held, by a finalizer say, the kubelet goes on staging.",
          "A kubelet that restarts before that has forgotten it: nobody looks into the staging directories, and it stays staged.",
        ],
        "recipe": "stage-lost",
        "rules": [
          "every NodeStageVolume with volumeId 48fb8f96-ec69-11f1-b476-7264fc4fb799: run it, whatever its deadline, and never answer",
        ],
        "scenario": "stage-timeout-filesystem",
        "see": [
          {
            "command": "kubelimbo why default/web-0",
            "why": "what the pod waits for",
          },
          {
            "command": "kubelimbo volumes",
            "why": "what is staged and published, and what the kubelet must believe of it",
          },
          {
            "command": "kubelimbo check",
            "why": "U01 stage-uncertain: while a call runs, and when its end is not known; V04 stranded-staging: what stays",
          },
          {
            "command": "kubectl -n default get events --field-selector involvedObject.name=web-0",
            "why": "FailedMount, of a raw block volume FailedMapVolume, after each call",
          },
          {
            "command": "journalctl -u kubelet -f | grep -E 'MountVolume.MountDevice failed|MapVolume.SetUpDevice failed'",
            "why": "after each call, with DeadlineExceeded",
          },
          {
            "command": "kubelimbo trace",
            "why": "each call with its deadline, what was done to it, and the call that is owed",
          },
          {
            "command": "kubelimbo repro stage-timeout-filesystem -v",
            "why": "the same on the model of the kubelet, before and after its fix",
          },
        ],
        "upstream": "/var/lib/kubelet/plugins/csi-hostpath/csi.sock",
      }
    `)
  })

  const volumeRecipes = recipes.filter(({aim}) => aim === 'pvc').map(({name}) => name)
  test.each(volumeRecipes)('tells of %s what a kubelet before the fixes does and what one of today does', async (name) => {
    const snapshot = await node('healthy')
    const told = ['1.17.3', '1.36.2'].map((version) => prepare(findRecipe(name), {pvc: 'pvc1'}, {snapshot: on(snapshot, version)}).kubelet)
    await expect(asText(told)).toMatchFileSnapshot(`golden/${name}.txt`)
    const block = ['1.17.3', '1.36.2'].map((version) => prepare(findRecipe(name), {pvc: 'pvc2'}, {snapshot: on(snapshot, version)}).kubelet)
    await expect(asText(block)).toMatchFileSnapshot(`golden/${name}-block.txt`)
  })

  test('says of both kinds of volumes where nobody knows which it is', async () => {
    const {kubelet} = prepare(findRecipe('publish-fake'), {driver: 'hostpath.csi.k8s.io'}, {snapshot: await node('healthy')})
    expect(kubelet.filter((each) => /^(A file system|A raw block volume): /.test(each))).toHaveLength(2)
  })

  test.each([
    [undefined, 'The version of the kubelet is not known: this is told of 1.36.2; its timings follow the sources, and are unobserved.'],
    ['1.26.5', 'The kubelet is 1.26.5.'],
    ['v1.28.3+k3s1', 'The kubelet is 1.28.3+k3s1, told here as 1.26.5 is.'],
  ])('says for a kubelet %s of which version it tells', async (version, words) => {
    const snapshot = {...(await node('healthy')), kubeletVersion: version}
    expect(prepare(findRecipe('stage-lost'), {pvc: 'pvc1'}, {snapshot}).kubelet[0]).toBe(words)
  })
})

describe('prepare() for a driver', () => {
  test('takes all of its volumes, or those that the request names', async () => {
    const snapshot = await node('healthy')
    const all = prepare(findRecipe('publish-lost'), {driver: 'hostpath.csi.k8s.io'}, {snapshot})
    expect(all.rules.map(explain)).toEqual(['every NodePublishVolume: run it, whatever its deadline, and never answer'])
    expect(all.aim).toEqual([`The driver hostpath.csi.k8s.io listens on ${socket}.`, 'It is for all of its volumes.'])
    const one = prepare(findRecipe('publish-lost'), {driver: 'hostpath.csi.k8s.io', request: {volumeId: 'v 1'}}, {snapshot})
    expect(one.rules.map(explain)).toEqual(['every NodePublishVolume with volumeId "v 1": run it, whatever its deadline, and never answer'])
    expect(one.aim[1]).toBe("It is for calls with volumeId 'v 1'.")
  })

  test('leaves out the commands that need a pod or a claim', async () => {
    const {see} = prepare(findRecipe('stage-lost'), {driver: 'hostpath.csi.k8s.io'}, {snapshot: await node('healthy')})
    expect(see.map(({command}) => command).filter((command) => /[{}]|why/.test(command))).toEqual([])
    expect(see.map(({command}) => command)).toContain('kubelimbo volumes')
  })

  test('takes the socket that somebody names, and looks for none', async () => {
    const snapshot = await openBundle('fixtures/nodes/healthy')
    const {upstream, aim} = prepare(findRecipe('driver-gone'), {upstream: 'unix:///csi/csi.sock'}, {snapshot})
    expect({upstream, aim}).toEqual({upstream: '/csi/csi.sock', aim: ["The server's socket is unix:///csi/csi.sock, as --upstream says."]})
  })
})

describe('prepare() for the container runtime', () => {
  const runtime = {endpoint: 'unix:///run/containerd/containerd.sock', source: 'kubelet (pid 812)'}

  test('matches a pod by its name', async () => {
    const {rules, upstream, aim} = prepare(findRecipe('stop-sandbox-lost'), {pod: 'web-0'}, {snapshot: await node('healthy'), runtime})
    expect(rules.map(explain)).toEqual([
      'the first StopPodSandbox of default/web-0, counted for each pod by itself: run it, whatever its deadline, and never answer',
    ])
    expect(upstream).toBe('/run/containerd/containerd.sock')
    expect(aim).toEqual([
      'The pod default/web-0 is here, with the uid 59ee3536-836b-4a14-9dba-b0b55d1e0987.',
      'The container runtime listens on unix:///run/containerd/containerd.sock (kubelet (pid 812)).',
    ])
  })

  test('waits for a pod that is to come where that makes sense, and narrows it to a container of it', async () => {
    const {rules, aim} = prepare(
      findRecipe('create-container-lost'),
      {pod: 'prod/new-0', container: 'main'},
      {snapshot: await node('healthy'), runtime},
    )
    expect(aim[0]).toBe('The pod prod/new-0 is not here yet: the rule waits for it.')
    expect(rules[0]?.match).toEqual({to: 'cri', method: 'CreateContainer', pod: 'prod/new-0', container: 'main'})
  })

  test('refuses fields that its calls do not have, as a rule on the command line does', async () => {
    const snapshot = await node('healthy')
    const of = (request: Record<string, string>) => () =>
      prepare(findRecipe('stage-hang'), {upstream: '@csi', request}, {snapshot, runtime})
    expect(of({volumeIdd: 'x'})).toThrow(
      "Cannot use --request as it must be a field of NodeStageVolumeRequest ('volumeId' may be meant): it is 'volumeIdd=x'",
    )
    expect(of({'secrets[a]': 'x'})).toThrow("Cannot use --request as it must be '*', as secrets are not looked at: it is 'secrets[a]=x'")
    expect(of({volumeId: 'x'})).not.toThrow()
  })

  test('takes everything of the runtime with no more words', async () => {
    const {rules, see} = prepare(findRecipe('runtime-hang'), {}, {snapshot: await node('healthy'), runtime})
    expect(rules.map(explain)).toEqual(['every call to cri: do not run it and never answer'])
    expect(see[1]).toEqual({command: 'kubectl describe node n1', why: 'Ready, and why not'})
  })

  test('finds a container by its name and by the first digits of its id', async () => {
    const snapshot = await node('healthy')
    const byName = prepare(findRecipe('runtime-slow'), {container: 'app', pod: 'blk-0'}, {snapshot, runtime})
    const id = byName.rules[0]?.match.request?.containerId
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const byId = prepare(findRecipe('runtime-slow'), {container: `${id}`.slice(0, 8)}, {snapshot, runtime})
    expect(byId.rules).toEqual(byName.rules)
    expect(byId.aim[0]).toBe(`The container app of default/blk-0 has the id ${`${id}`.slice(0, 13)}, as the container runtime says.`)
    expect(byId.see.map(({command}) => command)).toContain(`crictl inspect ${id}`)
  })
})

const asText = ([before = [], today = []]: readonly (readonly string[])[]): string => `${[...before, '', ...today].join('\n')}\n`
