import {expect, test} from 'vitest'
import {redactText} from '../../src/node/redaction/text.ts'
import {mark, redact, redactNamed, redactString} from '../../src/node/redaction.ts'

const secret = 'S3cr3tXyzzy'
const encoded = Buffer.from(secret).toString('base64')
const pem = (kind: string) => Buffer.from(`-----BEGIN ${kind}-----\nMIIE`).toString('base64').replace(/=+$/, '') + secret
const hit = () => mark

test.each([
  ['variables of an image', {imageSpec: {config: {Env: [`API=${secret}`]}}}],
  ['variables as a map', {env: {API: secret}}],
  ['variables under their whole name', {Environment: [`API=${secret}`]}],
  ["a step of an image's making", {history: [{created_by: `/bin/sh -c #(nop)  ENV API=${secret}`}]}],
  ['a step with two variables', {history: [{created_by: `ENV API="a b ${secret}" B=${secret}`}]}],
  ['arguments of a build', {history: [{created_by: `|1 BUILD=${secret} /bin/sh -c make # buildkit`}]}],
  ['a Secret', {kind: 'Secret', data: {a: encoded}, stringData: {b: secret}}],
  ['a name', {[`https://u:${secret}@h/`]: 'x', [`password=${secret}`]: 1}],
  ['variables of a command', {args: ['run', '-e', `API=${secret}`, '--env', `API=${secret}`, `--env=API=${secret}`]}],
  ['a password in one word with its flag', {args: ['/usr/bin/mysql', `-p${secret}`]}],
  ['a key of a kubeconfig', {user: {'client-key-data': encoded}}],
])('redact() takes out of JSON %s', (_what, document) => {
  const {text} = redact(JSON.stringify(document), 'json')
  expect(text).toContain(mark)
  expect(text).not.toContain(secret)
  expect(text).not.toContain(encoded)
})

test.each(
  [
    'adminPassword',
    'X-Auth',
    'X-Auth-Key',
    'Authorization',
    'Set-Cookie',
    'sessionid',
    'api.key',
    'sas',
    'connectionString',
    'dbpass',
    'jwt',
  ].concat([
    'bearer',
    'sshKey',
    'id_rsa',
    'licenseKey',
    'auth_key',
    'sharedKey',
    'master-key',
    'tls.key',
    'ceph-key',
    'passcode',
    'keytab',
    'basicAuth',
  ]),
)('redactNamed() takes out what is under the name %s', (name) => {
  expect(redactNamed(name, secret, hit)).toBe(mark)
})

test.each(['authType', 'compass', 'bypass', 'topologyKey', 'key', 'sessionAffinity', 'clusterID', 'tls.crt', 'ssaSignal', 'author'])(
  'redactNamed() leaves what is under the name %s',
  (name) => {
    expect(redactNamed(name, 'value', hit)).toBe('value')
  },
)

test.each([
  [
    'a Secret in YAML',
    `apiVersion: v1\nkind: Secret\ndata:\n  a: ${encoded}\n\n  b: ${encoded}\nstringData:\n  c: ${secret}\ntype: Opaque\n`,
    'type: Opaque',
  ],
  ['a kubeconfig', `users:\n- user:\n    client-key-data: ${encoded}\nnext: 1`, 'next: 1'],
  ['a key in base64', `a ${pem('RSA PRIVATE KEY')} z`, ' z'],
  ['a key in base64 in JSON in JSON', JSON.stringify({a: JSON.stringify({b: pem('EC PRIVATE KEY'), z: 1})}), 'z'],
  ['a torn key with headers', `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: A,9F\n\n${secret}${secret}\n\nz`, 'z'],
  ['a key of PGP', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${secret}\n-----END PGP PRIVATE KEY BLOCK-----\nz`, 'z'],
  ['a value of several lines', `A=1\nexport API_TOKEN="x\nmore${secret}"\nFOO_PASSWORD='a\n${secret}'\nB=2`, 'B=2'],
  ['a block of YAML', `a:\n- password: |\n    x\n\n    ${secret}\n  next: 1`, 'next: 1'],
  ['a folded block of YAML', `password: >-\n  ${secret}\nnext: 1`, 'next: 1'],
  ['a header', `Authorization: Token ${secret}\nAccept: x`, 'Accept: x'],
  ['a cookie', `Cookie: session=${secret}\nAccept: x`, 'Accept: x'],
  ['a header of its own', `curl -H 'X-Auth-Key: ${secret}' https://h`, 'https://h'],
  ['parameters of a URL', `https://h/p?key=${secret}&auth=${secret}&q=1`, 'q=1'],
  ['a hook', `https://hooks.slack.com/services/T000/B000/${secret} z`, ' z'],
  ['a token of a known form', `ghp_${secret}abcdefghijklmnopqrstuvwxyz012`, ''],
])('redactString() takes out %s, and leaves what is after it', (_what, text, after) => {
  const left = redactString(text, hit)
  expect(left).not.toContain(secret)
  expect(left).not.toContain(encoded)
  expect(left).toContain(after)
  expect(redactString(left, hit)).toBe(left)
})

test.each([
  ['a certificate in base64', Buffer.from('-----BEGIN CERTIFICATE-----\nMIIE').toString('base64')],
  ['a torn quote before other lines', 'E1 p="a\nE2 password="" x="b" y'],
  ['a list with a kind that is no Secret', 'kind: SecretProviderClass\ndata:\n  a: b\n'],
])('redactText() leaves %s', (_what, text) => {
  expect(redactText(text, hit)).toBe(text)
})

test('redactText() takes out as a whole what is too long to be gone through', () => {
  const rules: string[] = []
  const count = (rule: string) => {
    rules.push(rule)
    return mark
  }
  expect(redactText(`${'a'.repeat(17_000_000)} password=${secret}`, count)).toBe(mark)
  expect(rules.at(-1)).toBe('too long')
})
