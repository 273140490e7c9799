import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Kubeconfig, parseKubeconfig} from '../../../src/node/api-server/kubeconfig.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig whose cluster and user have these lines. */
const config = (cluster: string, user: string) => `apiVersion: v1
kind: Config
current-context: c
contexts:
- name: other
  context: {cluster: nowhere, user: nobody}
- name: c
  context: {cluster: k, user: u}
clusters:
- name: k
  cluster: {server: "https://10.0.0.1:6443"${cluster && `, ${cluster}`}}
users:
- name: u
  user: {${user}}
`

const plain = {server: 'https://10.0.0.1:6443', insecure: false}

describe('parseKubeconfig()', () => {
  test.for<[what: string, text: string, expected: Kubeconfig]>([
    ['neither', config('', ''), plain],
    ['a token', config('', 'token: abc'), {...plain, token: 'abc'}],
    ['a file of a token', config('', 'tokenFile: t'), {...plain, tokenFile: 't'}],
    [
      'files',
      config('certificate-authority: ca.pem', 'client-certificate: c.pem, client-key: k.pem'),
      {...plain, ca: {path: 'ca.pem'}, cert: {path: 'c.pem'}, key: {path: 'k.pem'}},
    ],
    [
      'data, which wins over files',
      config(
        `certificate-authority-data: ${base64('CA')}, certificate-authority: ca.pem`,
        `client-certificate-data: ${base64('C')}, client-key-data: ${base64('K')}`,
      ),
      {...plain, ca: {text: 'CA'}, cert: {text: 'C'}, key: {text: 'K'}},
    ],
    ['insecure', config('insecure-skip-tls-verify: true', ''), {...plain, insecure: true}],
    ['insecure in quotes, which is not', config('insecure-skip-tls-verify: "true"', ''), plain],
    ['a server name', config('tls-server-name: api', ''), {...plain, serverName: 'api'}],
    [
      'exec',
      config('', 'exec: {command: aws}'),
      {...plain, unsupported: 'its user gets credentials from a program (exec), which is not run'},
    ],
    ['exec beside a token', config('', 'exec: {command: aws}, token: abc'), {...plain, token: 'abc'}],
    [
      'auth-provider',
      config('', 'auth-provider: {name: gcp}'),
      {...plain, unsupported: 'its user gets credentials from an auth-provider, which is not run'},
    ],
    ['a password', config('', 'username: u'), {...plain, unsupported: 'its user has a password, which API servers no longer take'}],
    ['a proxy', config('proxy-url: http://p', ''), {...plain, unsupported: 'its cluster is behind a proxy (proxy-url)'}],
    [
      'JSON',
      JSON.stringify({
        'current-context': 'c',
        contexts: [{name: 'c', context: {cluster: 'k'}}],
        clusters: [{name: 'k', cluster: {server: 'http://127.0.0.1:8080'}}],
      }),
      {server: 'http://127.0.0.1:8080', insecure: false},
    ],
  ])('reads %s', async ([, text, expected]) => {
    expect(await parseKubeconfig(text, '/k.yaml')).toEqual(expected)
  })

  test.for<[text: string, why: string]>([
    ['', 'it must be a YAML map: it is none (/k.yaml:1)'],
    ['- a', 'it must be a YAML map: it is none (/k.yaml:1)'],
    ['a: 1\nb: [', 'it must be YAML: bad indent (/k.yaml:2)'],
    ['kind: Config', "its 'current-context' must name a context: it names none (/k.yaml:1)"],
    ['kind: Config\ncurrent-context: ""', "its 'current-context' must name a context: it names none (/k.yaml:2)"],
    ['kind: Config\ncurrent-context: [x]', "its 'current-context' must be a text: it is none (/k.yaml:2)"],
    ['kind: Config\ncurrent-context: x', "context 'x' must be there and name a cluster: it does not (/k.yaml:2)"],
    [
      config('', '').replace('cluster: k,', 'cluster: z,'),
      "cluster 'z' must have an http or https URL as its server: it has none (/k.yaml:8)",
    ],
    [config('', '').replace('https:', 'ftp:'), "cluster 'k' must have an http or https URL as its server: it has none (/k.yaml:11)"],
    [config('', '').replace('user: u}', 'user: w}'), "its users must have one named 'w': there is none (/k.yaml:8)"],
    [config('certificate-authority-data: "%%"', ''), "its 'certificate-authority-data' must be base64: it is not (/k.yaml:11)"],
    [config('', 'token: 12345'), "its 'token' must be a text: it is none (/k.yaml:14)"],
  ])('refuses %j with the line', async ([text, why]) => {
    await expect(parseKubeconfig(text, '/k.yaml')).rejects.toThrow(`Cannot use the kubeconfig as ${why}`)
  })

  test('quotes no secret, whatever is wrong and wherever', async () => {
    const secret = 'PLANTED'
    // What YAML takes for something else when it stands before a value.
    const prefix = fc.constantFrom('', '*', '&', '!', '%', '@', '`', '"', "'", '{', '[', '|', '- ', '\t', '\\', ': ')
    const key = fc.constantFrom('token', 'client-key-data', 'client-certificate-data', 'password', 'x')
    await fc.assert(
      fc.asyncProperty(prefix, key, fc.nat(400), fc.string({maxLength: 3}), async (before, name, at, noise) => {
        const whole = config('', `${name}: ${before}${secret}`)
        const text = whole.slice(0, at) + noise + whole.slice(at)
        // Only if it still is in one piece there is something to hide; names are quoted, and none of them is it.
        const message = await parseKubeconfig(text, '/k.yaml').then(
          () => '',
          (error: Error) => `${error.name} ${error.message}`,
        )
        expect(message).not.toContain(secret)
      }),
      {numRuns: 500},
    )
  })
})
