import {readFileSync} from 'node:fs'
import {Ajv} from 'ajv'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {faultNames} from '../../../src/faults/faults.ts'
import {parseRules, readRules} from '../../../src/faults/file/read-rules.ts'

const editors = new Ajv({allowUnionTypes: true}).compile(JSON.parse(readFileSync('fixtures/schema/rules.json', 'utf8')))

const example = `seed: 7
rules:
  - name: lost
    match: {to: csi, service: csi.v1.Node, method: NodeStageVolume, pvc: data, request: {volumeId: 'vol-*', 'publishContext[a.b/c]': x}}
    skip: 1
    limit: 2
    every: 3
    per: stagingTargetPath
    probability: 0.5
    from: 30s
    until: 5m
    fault: {kind: hang-after-exec}
  - name: listed
    match: {method: '*Container*', pod: kube-system/web-*, podUid: u-1, container: main}
    fault: {kind: list-edit, list: containers, drop: {metadata.name: main}, phantom: {state: CONTAINER_EXITED}}
`

test('readRules() reads all that a rule can have', () => {
  expect(readRules(example, 'some.yaml')).toEqual({
    problems: [],
    value: {
      seed: 7,
      rules: [
        {
          name: 'lost',
          match: {
            to: 'csi',
            service: 'csi.v1.Node',
            method: 'NodeStageVolume',
            pvc: 'default/data',
            request: {volumeId: 'vol-*', 'publishContext[a.b/c]': 'x'},
          },
          skip: 1,
          limit: 2,
          every: 3,
          per: 'stagingTargetPath',
          probability: 0.5,
          from: 30_000,
          until: 300_000,
          fault: {
            kind: 'hang-after-exec',
            plan: {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: Number.POSITIVE_INFINITY}},
          },
        },
        {
          name: 'listed',
          match: {method: '*Container*', pod: 'kube-system/web-*', podUid: 'u-1', container: 'main'},
          fault: {
            kind: 'list-edit',
            plan: {
              before: 0,
              forward: 1,
              upstreamDeadline: 'keep',
              reply: {
                kind: 'edit',
                edits: [
                  {kind: 'drop', list: 'containers', where: {'metadata.name': 'main'}},
                  {kind: 'phantom', list: 'containers', entry: {state: 'CONTAINER_EXITED'}},
                ],
              },
            },
          },
        },
      ],
    },
  })
  expect(editors(parse(example)) || editors.errors).toBe(true)
})

const one = (fault: string, more = '') => `rules:\n  - name: r\n${more}    fault: ${fault}\n`

test.each([
  ['{kind: delay, for: 3s}', 'delay', {before: 3000, reply: {kind: 'pass'}}],
  ['{kind: delay, before: 1, after: 2s, jitter: 50ms}', 'delay', {before: 1000, reply: {kind: 'hold', ms: 2000}}],
  ['{kind: hold, for: 3s}', 'hold', {reply: {kind: 'hold', ms: 3000}}],
  ['{kind: drop-reply, scope: connection}', 'drop-reply', {reply: {kind: 'reset'}}],
  ['{kind: throttle, bytesPerSecond: 512}', 'throttle', {reply: {kind: 'throttle', bytesPerSecond: 512}}],
  ['{kind: pad, bytes: 2KiB+1}', 'pad', {reply: {kind: 'edit', edits: [{kind: 'pad', bytes: 2049}]}}],
  ['{kind: list-edit, list: items, drop: all}', 'list-edit', {reply: {kind: 'edit', edits: [{kind: 'drop', list: 'items'}]}}],
  ['{kind: fake-success, response: {a: [1]}}', 'fake-success', {forward: 0, reply: {kind: 'replace', with: {response: {a: [1]}}}}],
  ['{kind: stream-cut, after: 0}', 'stream-cut', {reply: {kind: 'cut', after: 0}}],
])('readRules() reads the fault %s', (fault, kind, plan) => {
  const text = one(fault)
  expect(readRules(text, 'r.yaml')).toMatchObject({value: {rules: [{match: {}, fault: {kind, plan}}]}})
  expect(editors(parse(text)) || editors.errors).toBe(true)
})

test.each(faultNames)('readRules() knows the kind %s, and so does the schema for editors', (kind) => {
  const parameters = [{}, {code: 'INTERNAL'}, {for: '1s'}, {after: 1}, {bytes: 1}, {bytesPerSecond: 1}, {reply: {a: 1}}, {stale: true}]
  const taken = parameters.filter(
    (given) => readRules(JSON.stringify({rules: [{name: 'r', fault: {kind, ...given}}]}), 'r.yaml').problems.length === 0,
  )
  expect(taken.length).toBeGreaterThan(0)
  for (const given of parameters) expect(editors({rules: [{name: 'r', fault: {kind, ...given}}]})).toBe(taken.includes(given))
})

/** With what the line has; and whether the schema for editors sees it, too. */
const mistakes: readonly (readonly [text: string, says: string, line: number, editor?: boolean])[] = [
  ["rules: [{name: '.', fault: {kind: hang}}]", "'rules[0].name' must be a name other than '.' and '..': it is '.'", 1],
  ['rules: [{name: .., fault: {kind: hang}}]', "'rules[0].name' must be a name other than '.' and '..': it is '..'", 1],
  ["rules: [{name: ' ', fault: {kind: hang}}]", "'rules[0].name' must be a text that is not empty", 1],
  [`rules: [{name: ${'x'.repeat(201)}, fault: {kind: hang}}]`, "'rules[0].name' must be a text of at most 200 characters", 1],
  ['rules: []', "'rules' must be a list of at least one: it is an empty list", 1],
  ['rule: 1\nrules: [{name: r, fault: {kind: hang}}]', "it must have only keys that there are: it has 'rule', 'rules' may be meant", 1],
  ['seed: -1\nrules: [{name: r, fault: {kind: hang}}]', "'seed' must be a whole number from 0 to 9007199254740991: it is -1", 1],
  [one('{kind: hang-cal}'), "'rules[0].fault.kind' must be a kind of fault ('hang-call' may be meant): it is 'hang-cal'", 3],
  [one('{}'), "'rules[0].fault.kind' must be given: it is not there", 3],
  [one('hang'), "'rules[0].fault' must be a map: it is 'hang'", 3],
  [one('{kind: hang, code: X}'), "'rules[0].fault' must have only keys that there are: it has 'code', it may have kind", 3],
  [one('{kind: error}'), "'rules[0].fault.code' must be given: it is not there", 3],
  [
    one('{kind: error, code: Unavailable}'),
    "'rules[0].fault.code' must be a code of gRPC ('UNAVAILABLE' may be meant): it is 'Unavailable'",
    3,
  ],
  [
    one('{kind: error, code: INTERNAL, details: [{type: t, value: "!"}]}'),
    "'rules[0].fault.details[0].value' must be base64: it is '!'",
    3,
  ],
  [one('{kind: delay}'), "'rules[0].fault' must be a delay with before, after or both: it is a map", 3],
  [one('{kind: delay, for: 1s, before: 1s}'), "'rules[0].fault' must be a delay with before alone, as for is the same: it is a map", 3],
  [
    one('{kind: throttle, bytesPerSecond: 1MB}'),
    "'rules[0].fault.bytesPerSecond' must be a number of bytes such as 4096, 64KiB, 16MiB+1 or 1GiB: it is '1MB'",
    3,
  ],
  [one('{kind: pad, bytes: 2048MiB}'), "'rules[0].fault.bytes' must be at most 1GiB: it is '2048MiB'", 3, false],
  [one('{kind: rewrite}'), "'rules[0].fault' must be a rewrite with request, reply or both: it is a map", 3],
  [one("{kind: rewrite, reply: {'a..b': 1}}"), "the key 'rules[0].fault.reply.a..b' must be the path of a field, such as ", 3],
  [
    one('{kind: list-edit, stale: true, list: a}'),
    "'rules[0].fault' must be a list-edit with stale alone, or with what is changed in a list: it is a map",
    3,
  ],
  [one('{kind: list-edit, drop: all}'), "'rules[0].fault' must be a list-edit with the path of its list: it is a map", 3],
  [one('{kind: list-edit, list: a}'), "'rules[0].fault' must be a list-edit with drop, duplicate, phantom or stale: it is a map", 3],
  [one('{kind: hang}', '    match: {to: api}\n'), "'rules[0].match.to' must be one of cri, csi, registration, other: it is 'api'", 3],
  [
    one('{kind: hang}', '    match: {pod: A}\n'),
    "'rules[0].match.pod' must be a pod's name, or namespace/name, in which * stands for any letters: it is 'A'",
    3,
  ],
  [one('{kind: hang}', '    probability: 2\n'), "'rules[0].probability' must be from above 0 to 1: it is 2", 3],
  [one('{kind: hang}', '    limit: 0\n'), "'rules[0].limit' must be 1 or more: it is 0", 3],
  [one('{kind: hang}', '    from: 1m\n    until: 30s\n'), "'rules[0].until' must be after 'from', which is 60 s: it is 30 s", 4, false],
  [
    one('{kind: hang}', '    match: {method: NodeStageVolum}\n'),
    "'rules[0].match.method' must be a call that there is ('NodeStageVolume' may be meant): it is 'NodeStageVolum'",
    3,
    false,
  ],
  [
    one('{kind: hang}', '    match: {service: csi.v1.Nodes}\n'),
    "'rules[0].match.service' must be a service ('csi.v1.Node' may be meant): it is 'csi.v1.Nodes'",
    3,
    false,
  ],
  [
    one('{kind: hang}', '    match: {method: NodeStageVolume, request: {volume_id: x}}\n'),
    "the key 'rules[0].match.request.volume_id' must be a field of NodeStageVolumeRequest ('volumeId' may be meant): it is 'volume_id'",
    3,
    false,
  ],
  [
    one('{kind: hang}', "    match: {method: 'Node*', request: {volumId: x}}\n"),
    "the key 'rules[0].match.request.volumId' must be a field of NodeStageVolumeRequest ('volumeId' may be meant)",
    3,
    false,
  ],
  [
    one('{kind: refuse}', '    match: {to: csi}\n'),
    "'rules[0].match' must be left out, as refuse is of the socket and looks at no call: it is a map",
    3,
    false,
  ],
  [
    one('{kind: refuse}', '    limit: 1\n'),
    "'rules[0].limit' must be left out, as refuse is of the socket and looks at no call: it is 1",
    3,
    false,
  ],
  [
    one('{kind: register-lost}', '    match: {method: GetInfo}\n'),
    "'rules[0].match' must be left out, as register-lost is about NotifyRegistrationStatus alone: it is a map",
    3,
    false,
  ],
  [
    one('{kind: stream-stall, after: 1}', '    match: {method: Probe}\n'),
    "'rules[0].match.method' must be a call that is answered with a stream, such as GetContainerEvents, as stream-stall is about streams: it is 'Probe'",
    3,
    false,
  ],
  [
    one('{kind: fake-success, response: {podSandbox: x}}', '    match: {method: RunPodSandbox}\n'),
    '\'rules[0].fault.response\' must be a RunPodSandboxResponse as JSON has it (key "podSandbox" is unknown): it is a map',
    4,
    false,
  ],
  [`${one('{kind: hang}')}  - {name: r, fault: {kind: hang}}\n`, "'rules[1].name' must be another rule's: it is 'r' again", 4, false],
  ['rules:\n\t- a', 'it must be YAML: ', 2],
  [
    'rules: [{name: r, fault: {kind: hang}}]\n---\na: 1\n',
    "it must be YAML: a file is one list of rules, and after this '---' there is another document",
    2,
  ],
]

describe.each(mistakes.map(([text, says, line, editor]) => ({text, says, line, editor})))('$text', ({text, says, line, editor}) => {
  test(`readRules() says ${says}`, () => {
    const {problems} = readRules(text, 'some.yaml')
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`Cannot read rules some as ${says}`)
    expect(problems[0]).toMatch(new RegExp(`\\(some\\.yaml:${line}\\)$`))
  })

  if (!says.includes('YAML'))
    test('the schema for editors sees what it can', () => {
      expect(editors(parse(text))).toBe(editor === false)
    })
})

const edit = (fault: string, method = 'ContainerStatus') => one(fault, `    match: {method: ${method}}\n`)

test.each([
  [
    '{kind: rewrite, reply: {status.stat: X}}',
    "fault.reply.status.stat' must be a field of ContainerStatus ('state' may be meant): it is 'status.stat'",
  ],
  [
    '{kind: rewrite, reply: {status.state: RUNNING}}',
    "fault.reply.status.state' must be one of CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN: it is 'RUNNING'",
  ],
  ['{kind: rewrite, reply: {status.state: CONTAINER_UNKNOW}}', "must be a value of ContainerState ('CONTAINER_UNKNOWN' may be meant)"],
  ['{kind: rewrite, reply: {status.exitCode: many}}', "fault.reply.status.exitCode' must be a number: it is 'many'"],
  ['{kind: rewrite, reply: {status.reason: 1}}', "fault.reply.status.reason' must be a text: it is 1"],
  [
    '{kind: rewrite, reply: {status.metadata: {nam: x}}}',
    "fault.reply.status.metadata' must be a ContainerMetadata as JSON has it: it is a map",
  ],
  ['{kind: rewrite, reply: {status.labels.app: x}}', ''],
  ["{kind: rewrite, reply: {'status.labels[app.kubernetes.io/name]': x}}", ''],
  ["{kind: rewrite, reply: {'status.labels[]': x}}", 'must be a path with a key of labels, as it is no list'],
  ['{kind: rewrite, reply: {status.mounts.hostPath: x}}', "must be 'status.mounts[].hostPath', as mounts is a list"],
  ["{kind: rewrite, reply: {'status.mounts[0].readonly': true}}", ''],
  ["{kind: rewrite, reply: {'status[].state': X}}", "must be the path of a field, and no list is around '[]'"],
  ['{kind: rewrite, reply: {status.id.x: 1}}', "must be a path that ends before 'x', as id has no fields"],
  ['{kind: rewrite, reply: {status.createdAt: "-6795364578871345152"}}', ''],
  ['{kind: rewrite, reply: {status.createdAt: -40}}', ''],
  ['{kind: rewrite, reply: {info: {a: b}}}', ''],
  ['{kind: rewrite, reply: {info: x}}', "must be a map: it is 'x'"],
  ['{kind: rewrite, request: {verbose: 1}}', "fault.request.verbose' must be true or false: it is 1"],
  [
    '{kind: list-edit, list: status.mounts, drop: {hostpath: x}}',
    "fault.drop.hostpath' must be a field of Mount ('hostPath' may be meant)",
  ],
  ['{kind: list-edit, list: status, drop: all}', "fault.list' must be the path of a list: it is 'status'"],
  [
    '{kind: list-edit, list: status.mount, drop: all}',
    "fault.list' must be a field of ContainerStatus ('mounts' may be meant): it is 'status.mount'",
  ],
  ['{kind: list-edit, list: status.mounts, phantom: {readonly: x}}', "fault.phantom.readonly' must be true or false: it is 'x'"],
])('readRules() looks into the messages of %s', (fault, says) => {
  const {problems} = readRules(edit(fault), 'some.yaml')
  if (says === '') expect(problems).toEqual([])
  else expect(problems).toEqual([expect.stringContaining(says)])
})

const hang = 'fault: {kind: hang}'
const ofRule = (more: string) => `rules: [{name: r, ${more}}]`
const matching = (match: string, more = hang) => ofRule(`match: {${match}}, ${more}`)

test.each<[string, readonly string[]]>([
  [`rules: [{name: a, ${hang}}, null, 5]`, ["'rules[1]' must be a map: it is null", "'rules[2]' must be a map: it is 5"]],
  ['rules: [null]', ["'rules[0]' must be a map: it is null"]],
  ['rules: [[a, b]]', ["'rules[0]' must be a map: it is a list"]],
  ['rules: {name: a}', ["'rules' must be a list: it is a map"]],
  ['[a]', ['it must be a map: it is a list']],
  [ofRule('match: [a], fault: [b]'), ["'rules[0].match' must be a map: it is a list", "'rules[0].fault' must be a map: it is a list"]],
  [ofRule('fault: {kind: error, code: INTERNAL, details: [[t]]}'), ["'rules[0].fault.details[0]' must be a map: it is a list"]],
  [ofRule('fault: {kind: rewrite, request: [a]}'), ["'rules[0].fault.request' must be a map: it is a list"]],
  [ofRule('fault: {kind: list-edit, list: a, drop: [a]}'), ["'rules[0].fault.drop' must be a map: it is a list"]],
  [
    matching('method: NodeStageVolume', 'fault: {kind: rewrite, request: {secrets: null, volumeId: null}}'),
    ["'rules[0].fault.request.secrets' must be a map: it is null", "'rules[0].fault.request.volumeId' must be a text: it is null"],
  ],
  [
    matching('service: csi.v1.Node, method: RunPodSandbox'),
    [
      "'rules[0].match.method' must be a call of csi.v1.Node, and is one of runtime.v1.RuntimeService and runtime.v1alpha2.RuntimeService: it is 'RunPodSandbox'",
    ],
  ],
  [
    matching('to: csi, method: StopContainer'),
    [
      "'rules[0].match.method' must be a call to csi, and is one of runtime.v1.RuntimeService and runtime.v1alpha2.RuntimeService: it is 'StopContainer'",
    ],
  ],
  [matching('service: csi.v1.Node, to: cri'), ["'rules[0].match.to' must be csi, as csi.v1.Node is: it is 'cri'"]],
  [matching('service: runtime.RuntimeService, to: csi'), ["'rules[0].match.to' must be cri, as runtime.RuntimeService is: it is 'csi'"]],
  [matching('service: grpc.health.v1.Health, to: csi'), ["'rules[0].match.to' must be other, as grpc.health.v1.Health is: it is 'csi'"]],
  [matching('service: csi.v1.GroupController, to: csi'), []],
  [
    matching('method: NodeStageVolume, pod: a'),
    ["'rules[0].match.pod' must be left out, as nothing in NodeStageVolume says which pod it is about: it is 'default/a'"],
  ],
  [
    matching('method: RunPodSandbox, pvc: a'),
    ["'rules[0].match.pvc' must be left out, as nothing in RunPodSandbox says which claim it is about: it is 'default/a'"],
  ],
  [
    matching('to: csi, container: a'),
    ["'rules[0].match.container' must be left out, as nothing in what is said to csi says which container it is about: it is 'a'"],
  ],
  [
    matching('method: ListPodSandbox', `per: podUid, ${hang}`),
    ["'rules[0].per' must be left out, as nothing in ListPodSandbox says which pod it is about: it is 'podUid'"],
  ],
  [matching("method: 'Node*Volume', pod: a, pvc: b"), []],
  [matching('method: Frobnicate, pod: a', `per: some.field, ${hang}`), []],
  [
    matching('method: NodeStageVolume', `per: volumId, ${hang}`),
    [
      "'rules[0].per' must be one of pod, podUid, container, pvc, service, method, or a field of NodeStageVolumeRequest ('volumeId' may be meant): it is 'volumId'",
    ],
  ],
  [
    ofRule(`per: pods, ${hang}`),
    [
      "'rules[0].per' must be one of pod, podUid, container, pvc, service, method, or a field of the requests that it is about ('pod' may be meant): it is 'pods'",
    ],
  ],
  [
    matching('method: NodeStageVolume', `per: 'secrets[a]', ${hang}`),
    ["'rules[0].per' must be another field, as secrets are not looked at: it is 'secrets[a]'"],
  ],
  [
    matching('method: NodeStageVolume', `per: publishContext, ${hang}`),
    ["'rules[0].per' must be the path of a field with one value: it is 'publishContext'"],
  ],
  [matching('method: NodeStageVolume', `per: 'publishContext[a]', ${hang}`), []],
  [matching('method: RunPodSandbox', `per: config.metadata.namespace, ${hang}`), []],
  [ofRule(`per: volumeId, ${hang}`), []],
  [ofRule(`from: 10s, until: 10s, ${hang}`), ["'rules[0].until' must be after 'from', which is 10 s: it is 10 s"]],
  [ofRule('fault: {kind: pad, bytes: 1GiB}'), []],
  [ofRule('fault: {kind: pad, bytes: 1GiB+1}'), ["'rules[0].fault.bytes' must be at most 1GiB: it is '1GiB+1'"]],
  [
    `rules: [{name: '.', ${hang}}, {name: ' .. ', ${hang}}, {name: ..., ${hang}}]`,
    [0, 1].map((at) => `'rules[${at}].name' must be a name other than '.' and '..': it is '${at === 0 ? '.' : '..'}'`),
  ],
  [`rules: [{name: ' ', ${hang}}]`, ["'rules[0].name' must be a text that is not empty: it is ''"]],
  [`rules: [{name: ${'n'.repeat(200)}, ${hang}}]`, []],
  [
    `rules: [{name: ${'n'.repeat(201)}, ${hang}}]`,
    [`'rules[0].name' must be a text of at most 200 characters: it is '${'n'.repeat(120)}…'`],
  ],
  [
    `rules: [${Array.from({length: 1001}, (_, index) => `{name: n${index}, ${hang}}`)}]`,
    ["'rules' must be a list of at most 1000: it is a list of 1001"],
  ],
  [
    `rules: [{name: a, limit: no, ${hang}}, {name: a, match: {method: NodeStageVolum}, ${hang}}, {name: c, ${hang}, match: {method: Probe, request: {x: 1}}}]`,
    [
      "'rules[0].limit' must be a whole number: it is 'no'",
      "'rules[1].name' must be another rule's: it is 'a' again",
      "'rules[1].match.method' must be a call that there is ('NodeStageVolume' may be meant): it is 'NodeStageVolum'",
      "the key 'rules[2].match.request.x' must be left out, as ProbeRequest has no fields: it is 'x'",
    ],
  ],
])('readRules() says all that is wrong with %.120s', (text, says) => {
  const {problems} = readRules(text, 'some.yaml')
  expect(problems.map((problem) => problem.replace(/^Cannot read rules some as (.*) \(some\.yaml:1\)$/s, '$1'))).toEqual(says)
})

test.each(['.', ' .. ', '', 'n'.repeat(201)])('the schema for editors refuses the name %j, too', (name) => {
  expect(editors({rules: [{name, fault: {kind: 'hang'}}]})).toBe(false)
  expect(editors({rules: [{name: 'n'.repeat(200), fault: {kind: 'hang'}}]}) || editors.errors).toBe(true)
})

test('readRules() lets nobody ask for secrets', () => {
  const asking = (value: string) =>
    readRules(one('{kind: hang}', `    match: {method: NodeStageVolume, request: {'secrets[key]': '${value}'}}\n`), 'r.yaml').problems
  expect(asking('x')).toEqual([
    expect.stringContaining("'rules[0].match.request.secrets[key]' must be '*', as secrets are not looked at: it is 'x'"),
  ])
  expect(asking('*')).toEqual([])
})

test('readRules() looks into the entries of a list for enums, and lets texts with * be', () => {
  const drop = (state: string) =>
    readRules(edit(`{kind: list-edit, list: containers, drop: {state: '${state}'}}`, 'ListContainers'), 'r.yaml').problems
  expect(drop('CONTAINER_EXITE')).toEqual([expect.stringContaining("('CONTAINER_EXITED' may be meant)")])
  expect(drop('*_EXITED')).toEqual([])
})

test.each(['Frobnicate', 'ControllerGetVolume', 'CreateVolumeGroupSnapshot', 'Node*', '*'])(
  'readRules() lets the method %s be',
  (method) => {
    expect(readRules(one('{kind: hang}', `    match: {method: '${method}', request: {}}\n`), 'r.yaml').problems).toEqual([])
  },
)

test.each(['grpc.health.v1.Health', 'csi.v2.Node', 'csi.v1.*'])('readRules() lets the service %s be', (service) => {
  expect(readRules(one('{kind: hang}', `    match: {service: '${service}'}\n`), 'r.yaml').problems).toEqual([])
})

test('readRules() says all that is wrong, and parseRules() throws it', () => {
  const text = example.replace('limit: 2', 'limit: no').replace('CONTAINER_EXITED', 'EXITED').replace('until: 5m', 'until: soon')
  const {problems} = readRules(text, 'some.yaml')
  expect(problems).toEqual([
    expect.stringMatching(/limit.*:6\)$/),
    expect.stringMatching(/until.*:11\)$/),
    expect.stringMatching(/rules\[1\].*:15\)$/),
  ])
  expect(() => parseRules(text, 'some.yaml')).toThrow(problems[0])
})

test('readRules() never throws, and says all in sentences, whatever is done to a file', () => {
  const lines = example.split('\n')
  const odd = fc.oneof(
    fc.constantFrom(
      '',
      '- 1',
      'x: [',
      '*z',
      'null',
      '__proto__: {a: 1}',
      '    fault: {kind: toString}',
      '    match: {method: constructor}',
      "    match: {request: {'[]': 1}}",
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(3), odd, (at, drop, more) => {
      const text = [...lines.slice(0, at), more, ...lines.slice(at + drop)].join('\n')
      for (const problem of readRules(text, 'some.yaml').problems)
        expect(problem).toMatch(/^Cannot read rules .+ as .+ \(some\.yaml:\d+\)$/s)
    }),
    {numRuns: 300},
  )
})
