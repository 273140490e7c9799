import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {redactText} from '../../src/node/redaction/text.ts'
import {mark, redact, redactString} from '../../src/node/redaction.ts'

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0aaaa.c2lnbmF0dXJl'

describe('redact() of JSON', () => {
  test.each([
    ['a value of the environment', {env: [{name: 'A', value: 'hunter2'}]}, {env: [{name: 'A', value: mark}]}],
    [
      'the applied configuration',
      {annotations: {'kubectl.kubernetes.io/last-applied-configuration': '{"env":"hunter2"}'}},
      {annotations: {'kubectl.kubernetes.io/last-applied-configuration': mark}},
    ],
    [
      'a credential in a volume context',
      {volumeAttributes: {password: 'hunter2', size: '1Gi'}},
      {volumeAttributes: {password: mark, size: '1Gi'}},
    ],
    ['a registry login', {auths: {'r.example': {auth: 'aHVudGVyMg=='}}}, {auths: {'r.example': {auth: mark}}}],
    ['a token anywhere', {message: `denied: ${jwt}`}, {message: `denied: ${mark}`}],
    ['an option of a command', {args: ['--password=hunter2', '--port=80']}, {args: [`--password=${mark}`, '--port=80']}],
  ])('takes out %s', (_what, document, expected) => {
    const {text, hits} = redact(JSON.stringify(document), 'json')
    expect(JSON.parse(text)).toEqual(expected)
    expect(Object.values(hits)).toEqual([1])
  })

  test.each([
    ['a reference to a Secret', {secretName: 'db-login', env: [{name: 'A', valueFrom: {secretKeyRef: {name: 'db', key: 'password'}}}]}],
    ['a flag about tokens', {automountServiceAccountToken: false}],
    ['an empty value', {env: [{name: 'A', value: ''}]}],
  ])('leaves %s', (_what, document) => {
    const {text, hits} = redact(JSON.stringify(document), 'json')
    expect(JSON.parse(text)).toEqual(document)
    expect(hits).toEqual({})
  })
})

describe('redact() of text', () => {
  test.each([
    [
      'a spec in the log',
      'Env:[]EnvVar{EnvVar{Name:A,Value:hunter2,ValueFrom:nil,},}',
      `Env:[]EnvVar{EnvVar{Name:A,Value:${mark},ValueFrom:nil,},}`,
    ],
    ['a bearer token', 'Authorization: Bearer abcdefgh12345', `Authorization: Bearer ${mark}`],
    [
      'options of a mount',
      '12 1 0:5 / /m rw - cifs //s/x rw,username=u,password=hunter2,uid=0',
      `12 1 0:5 / /m rw - cifs //s/x rw,username=u,password=${mark},uid=0`,
    ],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', mark],
  ])('takes %s out', (_what, text, expected) => {
    expect(redact(text, 'text').text).toBe(expected)
  })

  test('leaves a line about a volume alone', () => {
    const line = 'MountVolume.SetUp succeeded for volume "default-token-abcde" (UniqueName: "kubernetes.io/secret/u1-default-token-abcde")'
    expect(redact(line, 'text')).toEqual({text: line, hits: {}})
  })
})

test('redact() gives JSON for JSON, line by line where it is lines, and leaves what it left the first time', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const once = redact(JSON.stringify(values), 'json').text
      expect(JSON.parse(once)).toHaveLength(values.length)
      expect(redact(once, 'json').text).toBe(once)
      const lines = redact(values.map((value) => `${JSON.stringify(value)}\n`).join(''), 'json lines').text
      expect(lines.split('\n')).toHaveLength(values.length + 1)
    }),
  )
})

test('redact() goes through a torn document as text', () => {
  expect(redact('{"a": "Bearer abcdefgh12345', 'json')).toEqual({text: `{"a": "Bearer ${mark}`, hits: {'bearer token': 1}})
})

/** A text, or a document, with the secret in it. */
const forms: readonly (readonly [string, (secret: string) => unknown])[] = [
  ['protobuf, the old form', (s) => `GRPC request: volume_id:"pvc-1" secrets:<key:"pin" value:"${s}" > volume_capability:<>`],
  ['protobuf, the new form', (s) => `secrets:{key:"pin"  value:"${s}"}`],
  ['protobuf with spaces', (s) => `node_stage_secrets: < key: "pin" value: "${s}" >`],
  ['protobuf in quotes', (s) => `"GRPC" request="secrets:<key:\\"password\\" value:\\"${s}\\">"`],
  ['protobuf, a secret in a context', (s) => `volume_context:<key:"password" value:"${s}" >`],
  ['a map of Go', (s) => `Secrets:map[pin:${s} user:u]`],
  ['an entry of a map of Go', (s) => `VolumeContext:map[password:${s} user:u]`],
  ['JSON in a line', (s) => `I0101 sent {"user":"u","password":"${s}"} to it`],
  ['JSON with spaces', (s) => `sent {"password" : "${s}"}`],
  ['JSON in quotes', (s) => `"sent" body="{\\"password\\":\\"${s}\\"}"`],
  ['JSON in quotes in quotes', (s) => `"sent" body="\\"{\\\\\\"password\\\\\\":\\\\\\"${s}\\\\\\"}\\""`],
  ['JSON that is torn', (s) => `sent {"password":"${s}`],
  ['a line of JSON', (s) => JSON.stringify({msg: `sent {"password":"${s}"}`, password: s})],
  ['a quote in a value', (s) => `{"password":"a\\"${s}"}`],
  ['a variable in a line', (s) => `{"env":[{"name":"DB_PASSWORD","value":"x"}],"secret":"${s}"}`],
  ['a quoted option', (s) => `login password="${s}" done`],
  ['an option in single quotes', (s) => `login password='${s}'`],
  ['an option in capitals', (s) => `DB_PASS=${s} MYSQL_PWD=${s} dbPass=${s}`],
  ['a spec that is torn', (s) => `EnvVar{Name:A,Value:${s}`],
  ['a value of several lines', (s) => `EnvVar{Name:A,Value:a\n${s},ValueFrom:nil,}`],
  ['a private key that is torn', (s) => `-----BEGIN PRIVATE KEY-----\n${s.replaceAll(/[^\w+]|_/g, '')}${'A'.repeat(16)}`],
  ...['--token', '--password', '--db-password', '-password', '--access-key'].flatMap((flag): [string, (secret: string) => unknown][] => [
    [`${flag} and a space`, (s) => `run x ${flag} ${s} --v=4`],
    [`${flag} and a quote`, (s) => `run x ${flag} "${s}"`],
    [`${flag} of a list in the log`, (s) => `args=["${flag}","${s}"]`],
    [`${flag} of a list in quotes`, (s) => `pod="[\\"${flag}\\", \\"${s}\\"]"`],
    [`${flag} as two items`, (s) => ({args: ['x', flag, s, '--v=4']})],
    [`${flag} as one item`, (s) => ({command: ['x', `${flag}=${s}`]})],
  ]),
  ['-p as two items', (s) => ({command: ['mysql', '-p', s]})],
  ['-p in a command', (s) => ({command: ['sh', '-c', `mysql -u root -p${s}; sshpass -p ${s} ssh h`]})],
  ['curl -u', (s) => ({command: ['sh', '-c', `curl -u user:${s} https://h/`]})],
  ['curl -u as two items', (s) => ({args: ['-u', `user:${s}`]})],
  ['curl --user', (s) => `curl --user "user:${s}" h`],
  ...['https', 'http', 'ftp', 'mongodb', 'postgres', 'redis'].map((scheme): [string, (secret: string) => unknown] => [
    `a login of ${scheme}`,
    (s) => `get ${scheme}://u:${s}@h:80/x?y`,
  ]),
  ['a login without a user', (s) => `redis://:${s}@h/`],
  ['a token as the user', (s) => `https://${s}@github.com/x`],
  ['a login in a command', (s) => ({command: ['sh', '-c', `git clone https://u:${s}@h/`]})],
  ...['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'X-Goog-Signature', 'sig', 'Signature', 'AWSAccessKeyId'].flatMap(
    (name): [string, (secret: string) => unknown][] => [
      [`${name} of a URL`, (s) => `Get "https://h/b?x=1&${name}=${s}&y=2": EOF`],
      [`${name} of a URL in JSON of Go`, (s) => `{"msg":"https://h/b?x=1\\u0026${name}=${s}\\u0026y=2"}`],
    ],
  ),
  ...['pass', 'passwd', 'password', 'password2', 'cred', 'credentials', 'secret', 'key'].map(
    (name): [string, (secret: string) => unknown] => [
      `the option ${name} of a mount`,
      (s) => `12 1 0:5 / /m rw - cifs //s/x rw,${name}=${s},uid=0`,
    ],
  ),
  ['an octal escape', (s) => `12 1 0:5 / /m rw - cifs //s/x rw,pass=a\\040${s},uid=0`],
  ['a login in the source of a mount', (s) => `12 1 0:5 / /m rw - cifs //u:${s}@srv/share rw`],
  ['user%password', (s) => `12 1 0:5 / /m rw - cifs //srv/share rw,user=u%${s}`],
  ['an annotation', (s) => ({annotations: {secret: s}})],
  ['secrets of any name', (s) => ({nodePublishSecrets: {pin: s}, secrets: {pin: s}})],
  ['the environment as the runtime has it', (s) => ({env: [`A=${s}`]})],
]

const isText = (planted: unknown): planted is string => typeof planted === 'string'
const clean = (planted: unknown) => (isText(planted) ? redact(planted, 'text').text : redact(JSON.stringify(planted), 'json').text)

test.each(forms)('takes out %s', (_what, plant) => {
  expect(clean(plant('Hunter2Hunter2Hunter2'))).not.toContain('Hunter2')
})

test('no form of a secret survives, and a second time takes out nothing more', () => {
  const letters = [...'ABCxyz0123456789_+~^%$!']
  const secret = fc.string({unit: fc.constantFrom(...letters), minLength: 5, maxLength: 20}).map((tail) => `Q7${tail}`)
  const text = fc.array(fc.tuple(fc.constantFrom(...forms.map(([, plant]) => plant)), fc.constantFrom('\n', ' ', ', ')), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.constantFrom(...forms), secret, ([, plant], value) => {
      const planted = plant(value)
      const once = clean(planted)
      expect(once).not.toContain(value)
      expect(isText(planted) ? redact(once, 'text').text : redact(once, 'json').text).toBe(once)
    }),
    {numRuns: 1000},
  )
  fc.assert(
    fc.property(text, secret, (parts, value) => {
      const once = redact(parts.map(([plant, end]) => `${isText(plant(value)) ? plant(value) : ''}${end}`).join(''), 'text').text
      expect(redact(once, 'text').text).toBe(once)
    }),
  )
})

test.each([
  'MountVolume.SetUp failed for volume "secret-volume" : secret "ns/name" not found',
  'MountVolume.SetUp failed for volume "db-password" : secret "ns/name" not found',
  'E0101 x.go:1] "Could not get it" err="failed" secret="ns/db-login"',
  'open /var/run/secrets: no such file or directory',
  'UnmountVolume.TearDown succeeded for volume "kubernetes.io/secret/u1-token" (OuterVolumeSpecName: "token") pod "u1" (UID: "u1")',
  'Volume{Name:token,VolumeSource:VolumeSource{Secret:&SecretVolumeSource{SecretName:db,Items:[]KeyToPath{KeyToPath{Key:password,Path:p,Mode:nil,},},},},}',
  'NodeStageSecretRef:nil,ImagePullSecrets:[]LocalObjectReference{},ServiceAccountToken:nil,AutomountServiceAccountToken:*false',
  'kubelet --v=4 --token-file=/etc/x --rotate-certificates=true',
  'mkdir -p /data; nc -p 80',
  '12 1 0:5 / /var/lib/kubelet/pods/u1/volumes/kubernetes.io~secret/db-password rw,seclabel shared:1 - tmpfs tmpfs rw,seclabel,size=64k',
  '12 1 0:5 / /m rw - ceph 10.0.0.1:6789,10.0.0.2:6789:/ rw,name=admin,acl',
  '12 1 0:5 / /var/run/secrets/kubernetes.io/serviceaccount ro - tmpfs tmpfs rw',
  'docker-pullable://nginx@sha256:0123456789 https://h:6443/api?x=1 mailto:u@h',
  'volume_id:"pvc-1" volume_context:<key:"size" value:"1Gi" > publish_context:<key:"path" value:"/dev/x" >',
  'PWD=/root bypass=on compass=north',
])('leaves %s', (line) => {
  expect(redact(line, 'text')).toEqual({text: line, hits: {}})
})

test.each([
  {volumes: [{name: 'kube-api-access-x', secret: {secretName: 'db', items: [{key: 'password', path: 'p'}]}}]},
  {args: ['--v=4', '-p', '80', '-p', '/data', '--token-file=/x', '-u', '1000:1000']},
  {tolerations: [{key: 'node.kubernetes.io/not-ready'}], mountPath: '/var/run/secrets/kubernetes.io/serviceaccount'},
  {imagePullSecrets: [{name: 'login'}], volumeHandle: 'pvc-1', driver: 'secrets-store.csi.k8s.io'},
])('leaves %j', (document) => {
  const {text, hits} = redact(JSON.stringify(document), 'json')
  expect(JSON.parse(text)).toEqual(document)
  expect(hits).toEqual({})
})

test("redact() leaves the log's lines of JSON to be JSON", () => {
  const piece = fc.constantFrom(
    'password=',
    'x',
    '"',
    '\\',
    '\\"',
    ' ',
    '--token ',
    '"password":"',
    ',',
    '\n',
    "'",
    'https://a:b@c/',
    'secrets:<key:"a" value:"b">',
  )
  const message = fc.array(piece, {maxLength: 12}).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(message, message, (msg, secret) => {
      const once = redact(JSON.stringify({msg, password: secret, n: {err: msg}}), 'text').text
      expect(Object.keys(JSON.parse(once))).toEqual(['msg', 'password', 'n'])
      expect(redact(once, 'text').text).toBe(once)
    }),
    {numRuns: 2000},
  )
})

test.each([
  'a',
  'a-',
  '-',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  'EnvVar{Name:a,Value:',
  'eyJ-',
  'eyJaaaaaaaa.',
  '\\',
  '\\"',
  '"',
  '//',
  '//a:',
  'https://',
  'user=a',
  '-u a',
  ' ',
  'password',
  'password:"',
  'password ',
  'key:"',
  'secrets:<key:"a" ',
  'secrets:map[',
  'mysql ',
  '--token ',
  'Bearer ',
  '=',
  ',',
  'password=\\',
])('takes a time in proportion to the length: %s again and again', (piece) => {
  const started = performance.now()
  redact(piece.repeat(2e6 / piece.length), 'text')
  expect(performance.now() - started).toBeLessThan(5000)
})

test('redact takes the values of the headers of a probe out, whatever their names', () => {
  const spec = {httpGet: {path: '/', httpHeaders: [{name: 'Authorization', value: 'SEC'}]}}
  expect(JSON.parse(redact(JSON.stringify(spec), 'json').text)).toEqual({
    httpGet: {path: '/', httpHeaders: [{name: 'Authorization', value: '[redacted]'}]},
  })
})

test('redactText finds in a text without separators what it finds in the same text with one behind it', () => {
  const words = [
    'password',
    'token',
    'secret',
    'eyJhbGciOiJIUzI1NiJ9',
    '.',
    '-',
    '/',
    '//',
    '@',
    '~',
    '+',
    'user',
    'Bearer',
    'key',
    'x1',
    '--',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), {maxLength: 12}), (parts) => {
      const text = parts.join('')
      const hit = () => mark
      expect(`${redactText(text, hit)}\n`).toBe(redactText(`${text}\n`, hit))
    }),
  )
})

describe('redactString', () => {
  const redacted = (text: string) => redactString(text, () => mark)

  test.each([
    // Nothing to take out: as it was, spaces and all.
    ['{ "a": 1.0 }', '{ "a": 1.0 }'],
    ['{"password":"SEC","limit":9223372036854775807,"n":1.50}', '{"password":"[redacted]","limit":9223372036854775807,"n":1.50}'],
    ['["--token","SEC"]', '["--token","[redacted]"]'],
    // A document in a document.
    [JSON.stringify({a: JSON.stringify({env: ['A=SEC']})}), JSON.stringify({a: '{"env":["A=[redacted]"]}'})],
    // It is none: a text then.
    ['{"password":"SEC"', '{"password":"[redacted]"'],
    ['[INFO] password=SEC', '[INFO] password=[redacted]'],
  ])('%s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  test('a document that goes too deep for anybody is a text', () => {
    expect(redacted(`${'['.repeat(100_000)}"password=SEC"`)).not.toContain('SEC')
  })
})
