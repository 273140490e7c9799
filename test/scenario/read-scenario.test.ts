import {readdirSync, readFileSync} from 'node:fs'
import {Ajv} from 'ajv'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {claimsOf} from '../../src/scenario/claims.ts'
import {parseScenario, readScenario} from '../../src/scenario/read-scenario.ts'
import {sampleScenario as example} from '../support/sample-scenario.ts'

const folder = 'fixtures/scenarios'
const files = readdirSync(folder)
const editors = new Ajv({allowUnionTypes: true}).compile(JSON.parse(readFileSync('fixtures/schema/scenario.json', 'utf8')))

const documented = /```yaml\n(.*?)```/s.exec(readFileSync('docs/scenarios.md', 'utf8'))?.[1] ?? ''

test('readScenario() takes the example of the documentation', () => {
  expect(readScenario(documented, 'doc.yaml').problems).toEqual([])
  expect(editors(parse(documented))).toBe(true)
})

describe.each(files)('%s', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8')

  test('readScenario() takes it, and it is named as its file', () => {
    expect(parseScenario(text, file).name).toBe(file.replace('.yaml', ''))
  })

  test('the schema for editors takes it', () => {
    expect(editors(parse(text)) || editors.errors).toBe(true)
  })
})

/** With what the line has; and whether the schema for editors sees it, too. */
const mistakes: readonly {
  readonly change: readonly [string, string]
  readonly says: string
  readonly line: string
  readonly editor?: false
}[] = [
  {change: ['label: A4', 'label: 4'], says: "'label' must be a text: it is 4", line: 'label:'},
  {
    change: ['switches: [ends', 'finding: {code: P03, at: 61s}\nswitches: [ends'],
    says: "'finding.at' must be before the end: it is 61 s, and that is at 60 s",
    line: 'finding:',
    editor: false,
  },
  {
    change: ['switches: [ends', 'finding: {code: P03, at: {watch: any, pod: job-1}}\nswitches: [ends'],
    says: "'finding.at.pod' must be a pod of this scenario: it is 'default/job-1'",
    line: 'finding:',
    editor: false,
  },
  {
    change: ['switches: [ends', 'finding: {code: P03, severity: fatal}\nswitches: [ends'],
    says: "'finding.severity' must be one of critical, error, warning, info: it is 'fatal'",
    line: 'finding:',
  },
  {change: ['label: A4\n', ''], says: "'label' must be given: it is not there", line: 'apiVersion'},
  {change: ['until: 60s', 'until: soon'], says: "'until' must be a duration such as 10s or 1m30s: it is 'soon'", line: 'until:'},
  {
    change: ['restartPolicy: N', 'restartPolcy: N'],
    says: "'pods[0].spec' must have only keys that there are: it has 'restartPolcy', 'restartPolicy' may be meant",
    line: 'restartPolcy',
  },
  {
    change: ['delete: job-0', 'delet: job-0'],
    says: "'steps[1]' must be a step, with one of create, delete, removeFinalizers, killContainer, removeContainer, loseContainer, evict, readiness, restartKubelet, restartDriver, removePath, makePath, addRule, removeRule ('delete' may be meant): it is a map",
    line: 'delet: job-0',
  },
  {
    change: ['at: 7s', 'at: 7 seconds'],
    says: "'steps[1].at' must be a duration such as 10s or 1m30s: it is '7 seconds'",
    line: '7 seconds',
  },
  {change: ['{at: 7s, ', '{'], says: "'steps[1]' must have one of 'at' and 'after': it has none", line: '- {delete'},
  {
    change: ['delete: job-0', 'delete: job-1'],
    says: "'steps[1].delete' must be a pod of this scenario: it is 'default/job-1', 'default/job-0' may be meant",
    line: 'delete: job-1',
    editor: false,
  },
  {
    change: ['container: main}', 'container: mine}'],
    says: "'steps[2].removeContainer.container' must be one of main: it is 'mine'",
    line: 'container: mine',
    editor: false,
  },
  {
    change: ['exit 1', 'exec 1'],
    says: "'pods[0].spec.containers[0].command' must be what the lab understands: it is 'exec 1'",
    line: 'exec 1',
    editor: false,
  },
  {
    change: ['1.17.3:', '1.17.4:'],
    says: "the key 'expect.1.17.4' must be default, or of 1.17.3, 1.18.2, 1.21.2, 1.26.5, 1.36.2: it is '1.17.4'",
    line: '1.17.4:',
    editor: false,
  },
  {
    change: ['default:', '1.18.2:'],
    says: "'expect' must say something of every kubelet: it has neither 'default' nor 1.21.2, 1.26.5, 1.36.2",
    line: 'expect:',
    editor: false,
  },
  {
    change: ['verdict: fixed', 'verdict: gone'],
    says: "'expect.default.verdict' must be one of reproduced, fixed: it is 'gone'",
    line: 'verdict: gone',
  },
  {
    change: ['[ends-keep-exits]', '[ends-keep]'],
    says: "'switches[0]' must be a switch of the kubelet ('ends-keep-exits' may be meant): it is 'ends-keep'",
    line: '[ends-keep]',
    editor: false,
  },
  {change: ['kubelimbo/v1', 'kubelimbo/v2'], says: "'apiVersion' must be kubelimbo/v1: it is 'kubelimbo/v2'", line: 'apiVersion'},
  {
    change: ['exitCode: 1}', 'exitCode: one}'],
    says: "'given[0].eventually.exitCode' must be a whole number: it is 'one'",
    line: 'exitCode: one',
  },
  {
    change: ['{watch: any, pod: job-0, cont', '{watch: any, pod: job-9, cont'],
    says: "'expect.default.that[0].never.pod' must be a pod of this scenario: it is 'default/job-9'",
    line: 'job-9',
    editor: false,
  },
  {
    change: ['{runtime: exited, pod: job-0, container: main', '{runtime: exited, pod: job-0, container: man'],
    says: "'given[0].eventually.container' must be a container of it: it is 'man', 'main' may be meant",
    line: 'container: man,',
    editor: false,
  },
  {
    change: ['containers: {main: {state: terminated, exitCode: 1}}', 'containers: {mian: {state: terminated, exitCode: 1}}'],
    says: "'expect.1.17.3.that[0].ordered[0].containers.mian' must be a container of it: it is 'mian'",
    line: 'mian',
    editor: false,
  },
  {
    change: ['    within: 7s', '    after: {call: StopPodSandBox}'],
    says: "'given[1].after.call' must be a call that there is: it is 'StopPodSandBox', 'StopPodSandbox' may be meant",
    line: 'StopPodSandBox',
    editor: false,
  },
  {
    change: ['    within: 7s', '    after: {call: any, fault: lost}'],
    says: "'given[1].after.fault' must be a rule of this scenario: it is 'lost'",
    line: 'fault: lost',
    editor: false,
  },
  {
    change: ['    within: 7s', '    after: {step: evict}'],
    says: "'given[1].after.step' must be in the words of a step: it is 'evict', and they are 'create default/job-0', ",
    line: 'step: evict',
    editor: false,
  },
  {
    change: ['steps:', 'rules: [{name: r, match: {to: csi, method: StopPodSandbox}, fault: {kind: hang}}]\nsteps:'],
    says: "'rules[0].match.method' must be a call to csi that there is: it is 'StopPodSandbox'",
    line: 'rules: [',
    editor: false,
  },
  {
    change: ['until: 60s', 'until: 50s'],
    says: "'steps[3].at' must be before the end: it is 52 s, and that is at 50 s",
    line: '{at: 52s',
    editor: false,
  },
  {
    change: ['steps:', 'rules: [{name: r, match: {to: cri, method: X}, fault: {kind: lose}}]\nsteps:'],
    says: "'rules[0].fault.kind' must be a fault whose kind is one of fail, delay, hang, ",
    line: 'rules: [',
  },
  {change: ['name: failed', '\tname: failed'], says: 'it must be YAML: ', line: '	name'},
]

const volumes = `drivers: [{name: d}]
claims: [{name: data}]
`

const withVolume: readonly (readonly [text: string, says: string])[] = [
  ['claims: [{name: data}]', "'claims[0].driver' must be a driver of this scenario: it is ''"],
  ['drivers: [{name: d}]\nclaims: [{name: data, driver: e}]', "'claims[0].driver' must be a driver of this scenario: it is 'e'"],
  ['drivers: [{name: d}, {name: d}]', "'drivers[1].name' must be another driver's: it is 'd' again"],
  ['drivers: [{name: d}]\nclaims: [{name: data}, {name: data}]', "'claims[1].name' must be another claim's: it is 'default/data' again"],
  [
    'drivers: [{name: d}]\nclaims: [{name: a, volumeHandle: v}, {name: b, volumeHandle: v}]',
    "'claims[1].volumeHandle' must be another volume's: it is 'd v' again",
  ],
  ['drivers: [{name: d, takes: {NodeStage: 1s}}]', "'drivers[0].takes' must have only keys that there are: it has 'NodeStage'"],
  [
    'drivers: [{name: d, capabilities: [STAGE]}]',
    "'drivers[0].capabilities[0]' must be one of STAGE_UNSTAGE_VOLUME, GET_VOLUME_STATS, EXPAND_VOLUME: it is 'STAGE'",
  ],
  [
    `${volumes}rules: [{name: r, match: {to: csi, method: NodeStageVolume, request: {volume: vol-dat}}, fault: {kind: hang}}]`,
    "'rules[0].match.request.volume' must be a volume's handle of this scenario: it is 'vol-dat', 'vol-data' may be meant",
  ],
]

test.each(withVolume)('readScenario() says of %j: %s', (text, says) => {
  expect(readScenario(example.replace('steps:', `${text}\nsteps:`), 'some.yaml').problems[0]).toContain(` as ${says}`)
})

const podVolume = (volume: string) =>
  readScenario(
    example.replace('      containers:', `      volumes: [${volume}]\n      containers:`).replace('steps:', `${volumes}steps:`),
    'some.yaml',
  )

test('readScenario() takes volumes of a claim and of a driver, and the rest of a claim is what it usually is', () => {
  const read = podVolume('{name: data, persistentVolumeClaim: {claimName: data}}, {name: tmp, csi: {driver: d}}')
  expect(read.problems).toEqual([])
  if (!('scenario' in read)) throw new Error('it was not read')
  expect(claimsOf(read.scenario)).toEqual([
    {namespace: 'default', name: 'data', driver: 'd', volumeName: 'pv-data', volumeHandle: 'vol-data', volumeMode: 'Filesystem'},
  ])
})

test.each([
  [
    '{name: x, persistentVolumeClaim: {claimName: dta}}',
    ".persistentVolumeClaim.claimName' must be a claim of this scenario: it is 'default/dta', 'default/data' may be meant",
  ],
  ['{name: x, csi: {driver: e}}', ".csi.driver' must be a driver of this scenario: it is 'e'"],
  ['{name: x, emptyDir: {}}', "' must be a volume, with one of persistentVolumeClaim, csi: it is a map"],
])('readScenario() says of a pod with the volume %s: %s', (volume, says) => {
  expect(podVolume(volume).problems[0]).toContain(`as 'pods[0].spec.volumes[0]${says}`)
})

/** The sample's pod with a volume of each kind. */
const mounting = (mounts: string): string =>
  example
    .replace(
      '      containers:',
      '      volumes: [{name: files, persistentVolumeClaim: {claimName: data}}, {name: disk, persistentVolumeClaim: {claimName: raw}}, {name: tmp, csi: {driver: d}}]\n      containers:',
    )
    .replace('{name: main, ', `{name: main, ${mounts}, `)
    .replace('steps:', 'drivers: [{name: d}]\nclaims: [{name: data}, {name: raw, volumeMode: Block}]\nsteps:')

test('readScenario() takes what containers mount and have as devices, and so does the schema for editors', () => {
  const text = mounting(
    'volumeMounts: [{name: files, mountPath: /data}, {name: tmp, mountPath: /tmp}], volumeDevices: [{name: disk, devicePath: /dev/xvda}]',
  )
  expect(readScenario(text, 'some.yaml').problems).toEqual([])
  expect(editors(parse(text))).toBe(true)
})

test.each([
  ['volumeMounts: [{name: fles, mountPath: /data}]', "volumeMounts[0].name' must be a volume of its pod: it is 'fles'"],
  [
    'volumeMounts: [{name: disk, mountPath: /data}]',
    "volumeMounts[0].name' must be among volumeDevices, as its claim has the volumeMode Block: it is 'disk'",
  ],
  [
    'volumeDevices: [{name: files, devicePath: /dev/a}]',
    "volumeDevices[0].name' must be among volumeMounts, as it has the volumeMode Filesystem: it is 'files'",
  ],
  [
    'volumeDevices: [{name: tmp, devicePath: /dev/a}]',
    "volumeDevices[0].name' must be among volumeMounts, as it has the volumeMode Filesystem: it is 'tmp'",
  ],
])('readScenario() says of a container with %s: %s', (mounts, says) => {
  const {problems} = readScenario(mounting(mounts), 'some.yaml')
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(` as 'pods[0].spec.containers[0].${says}`)
})

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length

describe.each(mistakes)('$says', ({change: [from, to], says, line}) => {
  const text = example.replace(from, to)

  test('readScenario() says so, with the line', () => {
    const [first = ''] = readScenario(text, 'some.yaml').problems
    expect(first).toContain(` as ${says}`)
    expect(first).toMatch(/^Cannot read scenario \S+ as /)
    expect(first).toMatch(new RegExp(`\\(some\\.yaml:${lineOf(text, line)}\\)$`))
  })
})

test.each(mistakes.filter(({editor, says}) => editor !== false && !says.includes('YAML')))(
  'the schema for editors sees: $says',
  ({change: [from, to]}) => {
    expect(editors(parse(example.replace(from, to)))).toBe(false)
  },
)

test('readScenario() says all that is wrong', () => {
  const text = example.replace('label: A4', 'label: 4').replace('until: 60s', 'until: soon')
  expect(readScenario(text, 'some.yaml').problems).toHaveLength(2)
})

test.each([
  ['', 'it must be a map: it is empty'],
  ['- a', 'it must be a map: it is a list'],
])('readScenario() of %j says that it is no map', (text, says) => {
  expect(readScenario(text, 'x/some.yaml').problems).toEqual([`Cannot read scenario some as ${says} (x/some.yaml:1)`])
})

test('readScenario() finds the line of what an alias stands for', () => {
  const text = example.replace('  default:\n    verdict: fixed', '  1.18.2: &later\n    verdict: gone').concat('  default: *later\n')
  expect(readScenario(text, 'some.yaml').problems.map((problem) => /\(.*\)$/.exec(problem)?.[0])).toEqual(
    Array(2).fill(`(some.yaml:${lineOf(text, 'verdict: gone')})`),
  )
})

test('readScenario() says of aliases that explode that they do', () => {
  const lines = Array.from(
    {length: 12},
    (_, index) =>
      `a${index}: &a${index} [${Array(9)
        .fill(index === 0 ? '1' : `*a${index - 1}`)
        .join(', ')}]`,
  )
  expect(readScenario(`${lines.join('\n')}\n`, 'some.yaml').problems).toEqual([
    expect.stringMatching(/^Cannot read scenario some as it must be YAML: Excessive alias count/),
  ])
})

test('readScenario() never throws, and says all in sentences, whatever is done to a file', () => {
  const lines = example.split('\n')
  const odd = fc.oneof(
    fc.constantFrom('', '- 1', 'x: [', '? y', '*z', 'null', '__proto__: {a: 1}', '<<: {a: 1}', '{watch: any}'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(3), odd, fc.boolean(), (at, drop, more, indented) => {
      const indent = /^ */.exec(lines[at] ?? '')?.[0] ?? ''
      const text = [...lines.slice(0, at), indented ? indent + more : more, ...lines.slice(at + drop)].join('\n')
      for (const problem of readScenario(text, 'some.yaml').problems)
        expect(problem).toMatch(/^Cannot read scenario .+ as .+ \(some\.yaml:\d+\)$/s)
    }),
    {numRuns: 300},
  )
})
