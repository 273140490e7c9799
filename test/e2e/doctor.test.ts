import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {type Answer, closedPort, fakeServer} from '../support/fake-kubelet-http.ts'
import {fakeRuntime} from '../support/fake-runtime.ts'
import {hostTree} from '../support/host-tree.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'

const token = 'planted-token'
const key = Buffer.from('-----BEGIN PRIVATE KEY-----\nplanted-key\n-----END PRIVATE KEY-----\n').toString('base64')
const pods = JSON.stringify({kind: 'PodList', items: []})

const kubelet: Readonly<Record<string, Answer>> = {
  '/pods': pods,
  '/runningpods/': pods,
  '/healthz': 'ok',
  '/metrics': 'kubernetes_build_info{git_version="v1.26.5"} 1\n',
}
const api: Readonly<Record<string, Answer>> = {
  '/api/v1/pods': pods,
  '/api/v1/events': '{"kind":"EventList","items":[]}',
  '/api/v1/nodes/n1': '{"kind":"Node","metadata":{"name":"n1"}}',
}

/** A node with a kubelet, as --host-root shows it. */
async function node() {
  const {root} = await hostTree({
    processes: [{pid: 812, name: 'kubelet', args: ['kubelet', '--hostname-override=n1', '--config=/c.yaml']}],
    files: {
      '/c.yaml': 'kind: KubeletConfiguration\n',
      '/proc/812/mountinfo': '',
      '/proc/sys/kernel/random/boot_id': 'x\n',
      '/var/lib/kubelet/pods/u1/x': '',
      '/var/lib/kubelet/plugins/x': '',
      '/var/lib/kubelet/plugins_registry/x': '',
      '/sys/dev/block/x': '',
    },
  })
  return root
}

/** A kubeconfig and a log of the user's. */
function userFiles(server: string) {
  const folder = tempDir()
  const [kubeconfig, log] = [join(folder, 'k.yaml'), join(folder, 'log')]
  writeFileSync(
    kubeconfig,
    `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "${server}"}}]
users: [{name: u, user: {token: ${token}, client-key-data: ${key}}}]
`,
  )
  writeFileSync(log, 'I1130 03:09:00.000000    2082 kubelet.go:1] "hello"\n')
  return {kubeconfig, log}
}

/** The tables as lists of cells. */
function tables(text: string): string[][][] {
  return text.split('\n\n').map((table) =>
    table
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  )
}

describe('kubelimbo doctor', () => {
  test('exits 0 where everything can be seen, and says how, without a secret', async () => {
    const root = await node()
    mkdirSync(join(root, 'run'))
    const [http, server] = [await fakeServer(kubelet), await fakeServer(api)]
    await using _runtime = await fakeRuntime({path: join(root, 'run/r.sock')})
    const {kubeconfig, log} = userFiles(server.url)
    const named = [
      '--host-root',
      root,
      '-r',
      'unix:///run/r.sock',
      '--kubelet-url',
      http.url,
      '--kubeconfig',
      kubeconfig,
      '--kubelet-log',
      log,
    ]
    const text = await kubelimbo(['doctor', ...named], {CRI_CONFIG_FILE: ''})
    expect({exitCode: text.exitCode, stderr: text.stderr}).toEqual({exitCode: 0, stderr: ''})
    const [rights, facts, credentials, sources] = tables(text.stdout)
    expect(rights?.[0]).toEqual(['RIGHTS', 'VALUE', 'WHY'])
    expect(facts).toEqual(
      expect.arrayContaining([
        ['process', 'kubelet (pid 812)', '/proc'],
        ['version', '1.26.5', 'its metrics, or its node'],
        ['node', 'n1', 'the command line of kubelet (pid 812)'],
        ['root directory', '/var/lib/kubelet', 'the default of kubelet (pid 812)'],
        ['read-only port', 'off', 'the default of a configuration file'],
      ]),
    )
    expect(credentials?.[1]).toEqual([`--kubeconfig ${kubeconfig}`, 'usable', 'a token'])
    expect(sources?.slice(1).map(([source, seen]) => `${source} ${seen}`)).toMatchInlineSnapshot(`
      [
        "runtime.sandboxes yes",
        "runtime.containers yes",
        "runtime.container-status yes",
        "runtime.answers yes",
        "kubelet.pods yes",
        "kubelet.runningpods yes",
        "kubelet.healthz yes",
        "kubelet.metrics yes",
        "kubelet.log yes",
        "disk.entries yes",
        "disk.vol-data yes",
        "disk.mounts yes",
        "csi.registrations yes",
        "csi.drivers yes",
        "kernel.mounts yes",
        "kernel.devices yes",
        "kernel.boot yes",
        "processes yes",
        "takeovers yes",
        "api.pods yes",
        "api.events yes",
        "api.node yes",
      ]
    `)
    expect(sources).toContainEqual(['kubelet.pods', 'yes', `${http.url}/pods`])
    expect(sources).toContainEqual(['api.node', 'yes', `${server.url}/api/v1/nodes/n1 as --kubeconfig ${kubeconfig} says`])

    const json = await kubelimbo(['doctor', ...named, '--json'], {CRI_CONFIG_FILE: ''})
    const yaml = await kubelimbo(['doctor', ...named, '-o', 'yaml'], {CRI_CONFIG_FILE: ''})
    const report = JSON.parse(json.stdout)
    expect(report).toMatchObject({apiVersion: 'kubelimbo/v1', kind: 'Doctor', metadata: {node: 'n1'}})
    expect({...parse(yaml.stdout), metadata: report.metadata}).toEqual(report)
    expect([json.exitCode, yaml.exitCode]).toEqual([0, 0])
    expect(text.stdout + json.stdout + yaml.stdout).not.toMatch(/planted|cGxhbnRlZ/)
    // Over http no token is sent at all.
    expect([...http.asked, ...server.asked].map(({authorization}) => authorization)).not.toContain(`Bearer ${token}`)
  })

  test('exits 3 where something cannot be seen, and says what it takes', async () => {
    const root = await node()
    const http = await fakeServer({...kubelet, '/pods': [403, `Forbidden (user=${token}, verb=get)`]})
    const {kubeconfig} = userFiles(`http://127.0.0.1:${await closedPort()}`)
    const named = [
      '--host-root',
      root,
      '-r',
      'unix:///none.sock',
      '--kubelet-url',
      http.url,
      '--kubeconfig',
      kubeconfig,
      '--kubelet-root',
      '/gone',
    ]
    const {stdout, exitCode} = await kubelimbo(['doctor', ...named, '-o', 'json'], {CRI_CONFIG_FILE: ''})
    expect(exitCode).toBe(3)
    const sources: {source: string; seen: boolean; why: string; hint?: string}[] = JSON.parse(stdout).sources
    expect(sources.find(({source}) => source === 'runtime.sandboxes')).toMatchObject({
      seen: false,
      hint: expect.stringContaining('systemctl'),
    })
    expect(sources.find(({source}) => source === 'kubelet.pods')).toMatchObject({
      seen: false,
      why: expect.stringMatching(/^not allowed: .*403, it forbids it; it takes credentials \(--kubeconfig\)/),
    })
    expect(sources.find(({source}) => source === 'disk.entries')).toEqual({
      source: 'disk.entries',
      seen: false,
      why: `there is no ${root}/gone/pods`,
      hint: 'name it with --kubelet-root; from a container, mount the node and name it with --host-root',
    })
    expect(sources.find(({source}) => source === 'api.pods')?.why).toContain('connection refused')
  })

  test.for([
    [['--kubelet-url', 'ftp://x'], "Cannot use --kubelet-url as it must be a URL such as https://127.0.0.1:10250: its scheme is 'ftp'"],
    [['--kubelet-root', 'x'], "Cannot use --kubelet-root as it must be an absolute path: it is 'x'"],
    [['--kubeconfig', '/none'], 'Cannot use --kubeconfig as /none must be readable: there is no such file or folder'],
  ] as const)('exits 2 for %j', async ([args, message]) => {
    const {stdout, stderr, exitCode} = await kubelimbo(['doctor', ...args])
    expect({stdout, stderr, exitCode}).toEqual({stdout: '', stderr: `kubelimbo: ${message}`, exitCode: 2})
  })
})
