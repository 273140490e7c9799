import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {seeded} from '../../../src/base/dice.ts'
import {delay} from '../../../src/faults/delay.ts'
import {fail} from '../../../src/faults/fail.ts'
import {reset} from '../../../src/faults/reset.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {JsonObject} from '../../../src/lab/api/json.ts'
import {serveApi} from '../../../src/lab/api/serve-api.ts'
import {type ApiLabOptions, startApiLab} from '../../support/api-lab.ts'

const pods = '/api/v1/namespaces/default/pods'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'

type Answer = JsonObject & {readonly metadata: JsonObject; readonly message: string; readonly items: readonly JsonObject[]}

async function lab(options: ApiLabOptions = {}) {
  const started = await startApiLab({kubelet: false, ...options})
  onTestFinished(() => started[Symbol.asyncDispose]())
  const {endpoint, tokens} = started
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(endpoint.url + path, {
      method,
      headers: {authorization: `Bearer ${tokens.user}`, 'content-type': 'application/json', ...headers},
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
    })
    const text = await response.text()
    return {code: response.status, body: JSON.parse(text) as Answer}
  }
  const as = {kubelet: {authorization: `Bearer ${tokens.kubelet}`}}
  const create = async (name = 'a', more: JsonObject = {}) => (await ask('POST', pods, pod(name, more))).body
  const seen = () => started.events.events.flatMap((event) => (event.kind === 'call' ? [`${event.method} ${event.outcome}`] : []))
  return {...started, ask, as, create, seen}
}

const pod = (name: string, {metadata = {}, ...spec}: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, ...(metadata as JsonObject)},
  spec: {containers: [{name: 'c', image: 'kubelimbo/lab:1', command: ['sleep', 'infinity'], env: [{name: 'A', value: 'b'}]}], ...spec},
})

const uidOf = ({metadata}: Answer): string => String(metadata.uid)

test('serveApi() asks for a token, but not for its health', async () => {
  const {endpoint, tokens} = await lab()
  const code = async (path: string, headers: Record<string, string>) => (await fetch(endpoint.url + path, {headers})).status
  const basic = `Basic ${Buffer.from(`lab:${tokens.user}`).toString('base64')}`
  expect(await code('/api', {})).toBe(401)
  expect(await code('/api', {authorization: 'Bearer wrong'})).toBe(401)
  expect(await code('/api', {authorization: `Bearer ${tokens.kubelet}`})).toBe(200)
  expect(await code('/api', {authorization: basic})).toBe(200)
  expect(await code('/livez', {})).toBe(200)
})

test('serveApi() gives a pod back as it was written, with what the server decides', async () => {
  const {create, ask, server} = await lab()
  const created = await create('a', {
    tolerations: [{key: 'k', operator: 'Exists'}],
    metadata: {annotations: {x: 'y'}, uid: 'mine', resourceVersion: '5'},
  })
  expect(created).toMatchObject({
    kind: 'Pod',
    metadata: {name: 'a', namespace: 'default', annotations: {x: 'y'}, generation: 1, resourceVersion: String(server.revision.current())},
    spec: {
      nodeName: 'lab',
      restartPolicy: 'Always',
      tolerations: [{key: 'k', operator: 'Exists'}],
      containers: [{env: [{name: 'A', value: 'b'}]}],
    },
    status: {phase: 'Pending', qosClass: 'BestEffort', conditions: [{type: 'PodScheduled', status: 'True'}]},
  })
  expect(uidOf(created)).toBe(server.get('default/a')?.metadata.uid)
  expect((await ask('GET', `${pods}/a`)).body).toEqual(created)
})

test.each<[string, JsonObject, string]>([
  ['no name', {...pod('a'), metadata: {}}, 'Pod "" is invalid: metadata.name: Required value: name or generateName is required'],
  ['no containers', pod('a', {containers: []}), 'Pod "a" is invalid: spec.containers: Required value'],
  ['no image', pod('a', {containers: [{name: 'c'}]}), 'Pod "a" is invalid: spec.containers[0].image: Required value'],
  [
    'a mount of no volume',
    pod('a', {containers: [{name: 'c', image: 'i', volumeMounts: [{name: 'v', mountPath: '/v'}]}]}),
    'Pod "a" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'another policy',
    pod('a', {restartPolicy: 'Sometimes'}),
    'Pod "a" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'a command that the lab cannot run',
    pod('a', {containers: [{name: 'c', image: 'i', command: ['sh', '-c', 'echo hi | cat']}]}),
    "Cannot run the command as the lab must understand it: it is 'echo hi | cat'",
  ],
])('serveApi() refuses a pod with %s', async (_, document, message) => {
  const {ask} = await lab()
  const {code, body} = await ask('POST', pods, document)
  expect(code).toBe(422)
  expect(body).toMatchObject({kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, details: {kind: 'Pod'}})
  expect(body.message).toContain(message)
})

test('serveApi() takes any command where a real runtime runs it', async () => {
  const {ask} = await lab({validatePrograms: false})
  const document = pod('a', {containers: [{name: 'c', image: 'i', command: ['sh', '-c', 'echo hi | cat']}]})
  expect((await ask('POST', pods, document)).code).toBe(201)
})

test.each<[string, string, string, unknown, number, string]>([
  ['a pod that is there', 'POST', pods, pod('a'), 409, 'pods "a" already exists'],
  ['a pod that is not', 'GET', `${pods}/b`, undefined, 404, 'pods "b" not found'],
  ['a namespace that is not', 'POST', '/api/v1/namespaces/n/pods', pod('a'), 404, 'namespaces "n" not found'],
  ['another namespace', 'POST', pods, pod('b', {metadata: {namespace: 'n'}}), 400, 'the namespace of the provided object does not match'],
  ['another kind', 'POST', pods, {kind: 'Node', apiVersion: 'v1'}, 400, 'does not match the expected API version'],
  ['a path that is none', 'GET', '/apis/apps/v1/deployments', undefined, 404, 'the server could not find the requested resource'],
  ['a list that is put', 'PUT', pods, {}, 405, 'the server does not allow this method on the requested resource'],
  ['a permanent namespace', 'DELETE', '/api/v1/namespaces/default', undefined, 403, 'this namespace may not be deleted'],
])('serveApi() refuses %s', async (_, method, path, body, code, message) => {
  const {create, ask} = await lab()
  await create()
  const answer = await ask(method, path, body)
  expect(answer.body.message).toContain(message)
  expect(answer).toMatchObject({code, body: {code, kind: 'Status'}})
})

test('serveApi() says what to do about protobuf', async () => {
  const {ask} = await lab()
  const {code, body} = await ask('POST', pods, 'k8s', {'content-type': 'application/vnd.kubernetes.protobuf'})
  expect(code).toBe(415)
  expect(body.message).toContain('contentType: application/json')
})

test.each<[string, string, unknown, JsonObject]>([
  [strategic, '', {metadata: {labels: {x: '1'}}}, {metadata: {labels: {x: '1'}, generation: 1}}],
  [merge, '', {metadata: {annotations: {x: '1'}, labels: null}}, {metadata: {annotations: {x: '1'}}}],
  [
    strategic,
    '',
    {spec: {containers: [{name: 'c', image: 'i:2'}]}},
    {metadata: {generation: 2}, spec: {containers: [{image: 'i:2', env: [{name: 'A'}]}]}},
  ],
  ['application/json-patch+json', '', [{op: 'add', path: '/spec/activeDeadlineSeconds', value: 5}], {spec: {activeDeadlineSeconds: 5}}],
  [merge, '', {spec: {tolerations: [{key: 'k', operator: 'Exists'}]}}, {spec: {tolerations: [{key: 'k'}]}}],
  [merge, '/status', {status: {podIP: '10.0.0.1', phase: 'Running'}}, {status: {podIP: '10.0.0.1', phase: 'Running'}}],
])('serveApi() patches a pod by %s%s %j', async (type, sub, patch, expected) => {
  const {create, ask, server} = await lab()
  const before = await create()
  const {code, body} = await ask('PATCH', `${pods}/a${sub}`, patch, {'content-type': type})
  expect(code).toBe(200)
  expect(body).toMatchObject({...expected, metadata: {uid: uidOf(before), ...((expected.metadata as JsonObject | undefined) ?? {})}})
  expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion))
  expect(server.get('default/a')?.metadata.resourceVersion).toBe(Number(body.metadata.resourceVersion))
})

test('serveApi() gives the model what a patch changed', async () => {
  const {create, ask, server} = await lab()
  await create()
  await ask(
    'PATCH',
    `${pods}/a`,
    {metadata: {labels: {x: '1'}}, spec: {activeDeadlineSeconds: 5, containers: [{name: 'c', image: 'i:2'}]}},
    {
      'content-type': strategic,
    },
  )
  expect(server.get('default/a')).toMatchObject({
    metadata: {labels: {x: '1'}},
    spec: {activeDeadlineSeconds: 5, containers: [{name: 'c', image: 'i:2', command: ['sleep', 'infinity']}]},
  })
})

test('serveApi() writes nothing when nothing changes, and nothing in a dry run', async () => {
  const {create, ask, server} = await lab()
  const before = await create()
  const version = server.revision.current()
  expect((await ask('PUT', `${pods}/a`, before)).body).toEqual(before)
  const dry = await ask('PATCH', `${pods}/a?dryRun=All`, {metadata: {labels: {x: '1'}}}, {'content-type': merge})
  expect(dry.body.metadata.labels).toEqual({x: '1'})
  await ask('POST', `${pods}?dryRun=All`, pod('b'))
  await ask('DELETE', `${pods}/a?dryRun=All`)
  expect(server.revision.current()).toBe(version)
  expect(server.list()).toHaveLength(1)
})

test.each<[string, JsonObject, string]>([
  ['nodeName', {spec: {nodeName: 'b'}}, 'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`'],
  ['containers', {spec: {containers: []}}, 'spec.containers: Forbidden: pod updates may not add or remove containers'],
])('serveApi() forbids a change of %s', async (_, patch, message) => {
  const {create, ask} = await lab()
  await create()
  const {code, body} = await ask('PATCH', `${pods}/a`, patch, {'content-type': merge})
  expect(code).toBe(422)
  expect(body.message).toContain(message)
})

test.each<[string, string, unknown]>([
  ['an old version', 'PUT', {metadata: {resourceVersion: '1'}}],
  ['another uid', 'PUT', {metadata: {uid: 'u'}}],
  ['an old version', 'DELETE', {preconditions: {resourceVersion: '1'}}],
  ['another uid', 'DELETE', {preconditions: {uid: 'u'}}],
])('serveApi() has a conflict with %s in a %s', async (_, method, body) => {
  const {create, ask} = await lab()
  const before = await create()
  const document = method === 'DELETE' ? body : {...before, ...(body as JsonObject)}
  const answer = await ask(method, `${pods}/a`, document)
  expect(answer).toMatchObject({code: 409, body: {reason: 'Conflict', details: {name: 'a', kind: 'pods'}}})
  expect(answer.body.message).toMatch(/^Operation cannot be fulfilled on pods "a": /)
})

test('serveApi() deletes with the grace of body or query, once and for all with none', async () => {
  const {create, ask, server} = await lab()
  await create('a')
  await create('b')
  expect((await ask('DELETE', `${pods}/a`, {gracePeriodSeconds: 7})).body.metadata).toMatchObject({deletionGracePeriodSeconds: 7})
  expect((await ask('DELETE', `${pods}/b?gracePeriodSeconds=5`)).body.metadata).toMatchObject({deletionGracePeriodSeconds: 5})
  expect(server.list()).toHaveLength(2)
  expect((await ask('DELETE', pods, {gracePeriodSeconds: 0})).body.items).toHaveLength(2)
  expect(server.list()).toEqual([])
})

test('serveApi() lets a pod go with its last finalizer', async () => {
  const {create, ask} = await lab()
  await create('a', {metadata: {finalizers: ['x/y']}})
  await ask('DELETE', `${pods}/a`, {gracePeriodSeconds: 0})
  const more = await ask('PATCH', `${pods}/a`, {metadata: {finalizers: ['x/y', 'x/z']}}, {'content-type': merge})
  expect(more.body.message).toContain('no new finalizers can be added if the object is being deleted')
  await ask('PATCH', `${pods}/a`, {metadata: {finalizers: null}}, {'content-type': merge})
  expect((await ask('GET', `${pods}/a`)).code).toBe(404)
})

const table = {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'}

test('serveApi() lists as a table, of what the selectors say', async () => {
  const {create, ask} = await lab()
  await create('a', {metadata: {labels: {app: 'x'}}})
  await create('b')
  const {body} = await ask('GET', `${pods}?labelSelector=app%3Dx&fieldSelector=spec.nodeName%3Dlab`, undefined, table)
  expect(body).toMatchObject({
    kind: 'Table',
    rows: [{cells: ['a', '0/1', 'Pending', '0', expect.any(String), '<none>', 'lab', '<none>', '<none>']}],
  })
  expect((await ask('GET', '/api/v1/pods')).body).toMatchObject({
    kind: 'PodList',
    items: [{metadata: {name: 'a'}}, {metadata: {name: 'b'}}],
  })
})

const status = {phase: 'Running', hostIP: '10.0.0.9', conditions: [{type: 'Ready', status: 'True'}]}

test("serveApi() sends the kubelet's calls through its port, and nobody else's", async () => {
  const {create, ask, as, seen, server} = await lab()
  const uid = uidOf(await create())
  await ask('GET', `${pods}/a`)
  expect(seen()).toEqual([])
  const patched = await ask('PATCH', `${pods}/a/status`, {metadata: {uid}, status}, {'content-type': strategic, ...as.kubelet})
  expect(patched.body.status).toMatchObject({
    ...status,
    qosClass: 'BestEffort',
    conditions: [{type: 'Ready'}, {type: 'PodScheduled'}],
  })
  expect(server.get('default/a')?.status).toMatchObject({phase: 'Running', conditions: [{type: 'Ready'}, {type: 'PodScheduled'}]})
  await ask('GET', `${pods}/a`, undefined, as.kubelet)
  await ask('PATCH', `${pods}/a/status`, {metadata: {uid: 'other'}, status}, {'content-type': strategic, ...as.kubelet})
  await ask('DELETE', `${pods}/a`, {gracePeriodSeconds: 0, preconditions: {uid}}, as.kubelet)
  await ask('GET', '/api/v1/namespaces/default/persistentvolumeclaims/c', undefined, as.kubelet)
  expect(seen()).toEqual([
    'PATCH pod/status OK',
    'GET pod OK',
    'PATCH pod/status Conflict',
    'DELETE pod OK',
    'GET persistentvolumeclaim NotFound',
  ])
  expect(server.list()).toEqual([])
})

test("serveApi() puts a rule's failure into the words of HTTP", async () => {
  const rules: Rule[] = [
    {name: 'busy', match: {to: 'api', method: 'GET pod'}, limit: 1, fault: fail('TooManyRequests', 'slow down')},
    {
      name: 'broken',
      match: {to: 'api', method: 'GET pod'},
      fault: reset(),
    },
  ]
  const {create, ask, as} = await lab({rules})
  await create()
  expect(await ask('GET', `${pods}/a`, undefined, as.kubelet)).toMatchObject({
    code: 429,
    body: {reason: 'TooManyRequests', message: 'slow down'},
  })
  await expect(ask('GET', `${pods}/a`, undefined, as.kubelet)).rejects.toThrow('fetch failed')
  expect((await ask('GET', `${pods}/a`)).code).toBe(200)
})

test('serveApi() binds a claim and its volume, whichever comes first', async () => {
  const {ask, server} = await lab()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const volume = (name: string, more: JsonObject = {}) => ({
    metadata: {name},
    spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], csi: {driver: 'd', volumeHandle: `h-${name}`}, ...more},
  })
  await ask('POST', '/api/v1/persistentvolumes', volume('v'))
  await ask('POST', claims, {metadata: {name: 'a'}, spec: {volumeName: 'v'}})
  await ask('POST', claims, {metadata: {name: 'b'}, spec: {volumeMode: 'Block'}})
  await ask('POST', '/api/v1/persistentvolumes', volume('w', {volumeMode: 'Block', claimRef: {namespace: 'default', name: 'b'}}))
  await ask('POST', claims, {metadata: {name: 'c'}, spec: {volumeName: 'none'}})
  expect((await ask('GET', claims)).body.items.map((each) => (each.status as JsonObject).phase)).toEqual(['Bound', 'Bound', 'Pending'])
  const bound = {namespace: 'default', driver: 'd'}
  expect(server.claims()).toEqual([
    {...bound, name: 'a', volumeName: 'v', volumeHandle: 'h-v', volumeMode: 'Filesystem'},
    {...bound, name: 'b', volumeName: 'w', volumeHandle: 'h-w', volumeMode: 'Block'},
  ])
  await ask('DELETE', `${claims}/a`)
  expect(server.claims().map(({name}) => name)).toEqual(['b'])
  expect((await ask('GET', '/api/v1/persistentvolumes/v')).body.status).toEqual({phase: 'Released'})
})

test('serveApi() ends a namespace when all in it has gone', async () => {
  const {ask} = await lab()
  await ask('POST', '/api/v1/namespaces', {metadata: {name: 'n'}})
  await ask('POST', '/api/v1/namespaces/n/configmaps', {metadata: {name: 'c'}})
  const held = pod('a', {metadata: {finalizers: ['x/y']}})
  await ask('POST', '/api/v1/namespaces/n/pods', held)
  expect((await ask('DELETE', '/api/v1/namespaces/n')).body.status).toEqual({phase: 'Terminating'})
  expect((await ask('POST', '/api/v1/namespaces/n/configmaps', {metadata: {name: 'd'}})).body.message).toContain(
    'because it is being terminated',
  )
  await ask('DELETE', '/api/v1/namespaces/n/pods/a?gracePeriodSeconds=0')
  expect((await ask('GET', '/api/v1/namespaces/n')).code).toBe(200)
  await ask('PATCH', '/api/v1/namespaces/n/pods/a', {metadata: {finalizers: null}}, {'content-type': merge})
  expect((await ask('GET', '/api/v1/namespaces/n')).code).toBe(404)
})

test('serveApi() applies for a manager: what it no longer applies goes', async () => {
  const {ask} = await lab()
  const apply = (data: JsonObject, manager: string) =>
    ask(
      'PATCH',
      `/api/v1/namespaces/default/configmaps/c?fieldManager=${manager}`,
      {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'c'}, data},
      {'content-type': 'application/apply-patch+yaml'},
    )
  expect((await apply({a: '1', b: '2'}, 'one')).code).toBe(201)
  expect((await apply({c: '3'}, 'two')).body.data).toEqual({a: '1', b: '2', c: '3'})
  expect((await apply({a: '4'}, 'one')).body.data).toEqual({a: '4', c: '3'})
})

test('serveApi() has the older versions that old kubelets ask for', async () => {
  const {ask} = await lab()
  const [today, before] = ['v1', 'v1beta1'].map((version) => `/apis/storage.k8s.io/${version}/csidrivers`)
  const made = await ask('POST', `${before}`, {apiVersion: 'storage.k8s.io/v1beta1', kind: 'CSIDriver', metadata: {name: 'd'}})
  expect(made).toMatchObject({code: 201, body: {apiVersion: 'storage.k8s.io/v1beta1'}})
  expect((await ask('GET', `${today}/d`)).body.apiVersion).toBe('storage.k8s.io/v1')
  expect((await ask('GET', `${before}`)).body).toMatchObject({apiVersion: 'storage.k8s.io/v1beta1', kind: 'CSIDriverList'})
  expect((await ask('GET', '/apis/storage.k8s.io')).body).toMatchObject({
    versions: [{version: 'v1'}, {version: 'v1beta1'}],
    preferredVersion: {version: 'v1'},
  })
})

// Values of a real kube-apiserver. Without the first two kubelet 1.37.2 panics at a pod with such a volume, or with a probe.
test('serveApi() puts in what kubelets take for granted', async () => {
  const {ask, create} = await lab()
  const driver = {apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: {name: 'd'}, spec: {attachRequired: false}}
  const {body} = await ask('POST', '/apis/storage.k8s.io/v1/csidrivers', driver)
  expect(body.spec).toEqual({
    requiresRepublish: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    attachRequired: false,
    podInfoOnMount: false,
    storageCapacity: false,
    volumeLifecycleModes: ['Persistent'],
    seLinuxMount: false,
  })
  const probe = {exec: {command: ['true']}}
  const container = {name: 'c', image: 'i:1', command: ['sleep', '1'], readinessProbe: probe, livenessProbe: {...probe, periodSeconds: 3}}
  const {spec} = await create('a', {containers: [container]})
  expect((spec as {containers: JsonObject[]}).containers[0]).toMatchObject({
    readinessProbe: {...probe, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3},
    livenessProbe: {...probe, timeoutSeconds: 1, periodSeconds: 3, successThreshold: 1, failureThreshold: 3},
  })
})

test("serveApi() applies a kubelet's patch to what is there when the server does it", async () => {
  const rules: Rule[] = [{name: 'slow', match: {to: 'api', method: 'PATCH pod/status'}, fault: delay(300)}]
  const {create, ask, as, server} = await lab({rules})
  const uid = uidOf(await create())
  const patch = (more: JsonObject, headers: Record<string, string> = {}) =>
    ask('PATCH', `${pods}/a/status`, {metadata: {uid}, status: more}, {'content-type': strategic, ...headers})
  const late = patch({phase: 'Running'}, as.kubelet)
  await patch({podIP: '10.0.0.1'})
  expect(server.get('default/a')?.status.phase).toBe('Pending')
  expect((await late).body.status).toMatchObject({phase: 'Running', podIP: '10.0.0.1'})
})

test("serveApi() keeps a terminated container terminated, in the server's words", async () => {
  const {create, ask, as} = await lab()
  const uid = uidOf(await create('a', {restartPolicy: 'Never'}))
  const put = (state: JsonObject) =>
    ask(
      'PATCH',
      `${pods}/a/status`,
      {metadata: {uid}, status: {phase: 'Running', containerStatuses: [{name: 'c', image: 'i', ready: false, restartCount: 0, state}]}},
      {'content-type': strategic, ...as.kubelet},
    )
  await put({terminated: {exitCode: 1}})
  expect(await put({running: {startedAt: '2026-11-30T12:00:00Z'}})).toMatchObject({
    code: 422,
    body: {
      reason: 'Invalid',
      message: 'Pod "a" is invalid: status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    },
  })
})

test('serveApi() gives the kubelet a claim through its port, bound or not', async () => {
  const {ask, as, seen} = await lab()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const csi = {driver: 'd', volumeHandle: 'h'}
  await ask('POST', claims, {metadata: {name: 'a'}, spec: {volumeName: 'v'}})
  expect((await ask('GET', `${claims}/a`, undefined, as.kubelet)).body.status).toEqual({phase: 'Pending'})
  await ask('POST', '/api/v1/persistentvolumes', {metadata: {name: 'v'}, spec: {csi}})
  expect((await ask('GET', `${claims}/a`, undefined, as.kubelet)).body).toMatchObject({spec: {volumeName: 'v'}, status: {phase: 'Bound'}})
  expect(seen()).toEqual(['GET persistentvolumeclaim NotFound', 'GET persistentvolumeclaim OK'])
})

test('serveApi() has the claims that the lab began with', async () => {
  const {endpoint, tokens, server, port} = await lab()
  server.addClaim({namespace: 'default', name: 'data', volumeName: 'pv', driver: 'd', volumeHandle: 'h', volumeMode: 'Block'})
  await using other = await serveApi({server, port, clock: systemClock, dice: seeded(2), tokens})
  expect(other.url).not.toBe(endpoint.url)
  const response = await fetch(`${other.url}/api/v1/persistentvolumes/pv`, {headers: {authorization: `Bearer ${tokens.user}`}})
  expect(await response.json()).toMatchObject({
    spec: {volumeMode: 'Block', csi: {driver: 'd', volumeHandle: 'h'}, claimRef: {namespace: 'default', name: 'data'}},
    status: {phase: 'Bound'},
  })
})

test('serveApi() makes the same pod of a document as the direct way makes of a manifest', async () => {
  const {ask, server} = await lab()
  const direct = await lab()
  const manifest = {
    metadata: {name: 'a', finalizers: ['x/y'], labels: {app: 'x'}},
    spec: {
      restartPolicy: 'OnFailure' as const,
      terminationGracePeriodSeconds: 5,
      activeDeadlineSeconds: 9,
      initContainers: [{name: 'i', image: 'busybox', command: ['true']}],
      containers: [
        {
          name: 'c',
          image: 'kubelimbo/lab:1',
          command: ['sleep', '5'],
          lifecycle: {postStart: {exec: {command: ['true']}}},
          readinessProbe: {exec: {command: ['true']}},
          volumeMounts: [{name: 'data', mountPath: '/data'}],
        },
      ],
      volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}],
    },
  }
  await ask('POST', pods, manifest)
  await direct.server.create(manifest)
  const seconds = (text: string) => text.replace(/"(creationTimestamp|lastTransitionTime|resourceVersion)":\d+/g, '"$1":0')
  const [posted, made] = [server, direct.server].map((each) => JSON.parse(seconds(JSON.stringify(each.get('default/a')))))
  expect(posted).toEqual(made)
})
