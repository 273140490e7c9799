// What crictl prints of a real containerd, through the proxy and without it: the same bytes.
import {afterAll, beforeAll, expect, test} from 'vitest'
import {builtPeers} from '../../support/built-peers.ts'
import {type Containerd, startContainerd} from '../../support/containerd.ts'
import {type Crictl, crictlAt} from '../../support/crictl.ts'
import {ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {type Population, populate} from '../population.ts'

let rig: Containerd
let ids: Population
let crictlBinary = ''
beforeAll(async () => {
  rig = await startContainerd()
  ids = await populate(rig)
  ;[crictlBinary = ''] = await builtPeers('crictl')
})
afterAll(() => rig?.[Symbol.asyncDispose]())

const commands: readonly ((ids: Population) => readonly string[])[] = [
  () => ['version'],
  () => ['info'],
  () => ['pods', '-o', 'json'],
  () => ['pods', '-v', '--no-trunc'],
  () => ['ps', '-a', '-o', 'json'],
  () => ['ps', '-a', '-q'],
  () => ['images', '-o', 'json'],
  () => ['inspecti', 'localhost/busybox:1'],
  ({container}) => ['inspect', container],
  ({sandbox}) => ['inspectp', sandbox],
  () => ['stats', '-a', '-o', 'json'],
  () => ['statsp', '-o', 'json'],
  () => ['imagefsinfo'],
  ({container}) => ['exec', '--sync', container, 'sh', '-c', 'echo hello'],
  ({container}) => ['exec', container, 'sh', '-c', 'echo out; echo err >&2'],
]

const counting = ['stats', 'statsp', 'imagefsinfo']

/** What these say counts on while they are asked, and containerd goes through a pod's containers in the order of a map of Go. */
const steadyCounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(steadyCounts).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, steadyCounts(each)]))
  return typeof value === 'string' ? value.replace(/^\d+$/, 'N') : typeof value
}

// crictl tells how long ago, and of one pod twice within a second.
const ago = (text: string) => text.replace(/\b(About )?(an?|\d+|Less than a) (second|minute)s? ago/g, 'some time ago')

async function printed(crictl: Crictl, args: readonly string[]): Promise<string> {
  const text = await crictl(...args).catch((error: {readonly stderr?: string}) => `it failed: ${error.stderr}`)
  return counting.includes(args[0] ?? '') ? JSON.stringify(steadyCounts(JSON.parse(text)), null, 1) : ago(text)
}

test.each(ways)('serveProxy() with $name changes no byte of what crictl prints', async ({open}) => {
  const folder = tempDir()
  await using proxy = await open(rig.endpoint.slice('unix://'.length), folder)
  const through = crictlAt(crictlBinary, `unix://${proxy.path}`)
  for (const command of commands) {
    const args = command(ids)
    const without = await printed(rig.crictl, args)
    expect(without, args.join(' ')).not.toMatch(/^it failed|^$/)
    expect(await printed(through, args), args.join(' ')).toBe(without)
  }
})

test('serveProxy() passes on what containerd says no to', async () => {
  const folder = tempDir()
  const failures = [
    ['inspect', 'no-such-container'],
    ['inspectp', 'no-such-sandbox'],
    ['start', 'no-such-container'],
    ['pull', 'localhost:1/no-such-image:1'],
    ['checkpoint', ids.container],
  ]
  for (const {name, open} of ways) {
    await using proxy = await open(rig.endpoint.slice('unix://'.length), folder)
    const through = crictlAt(crictlBinary, `unix://${proxy.path}`)
    for (const args of failures) {
      const without = await printed(rig.crictl, args)
      expect(without).toContain('it failed')
      expect(steady(await printed(through, args)), `${name}: ${args.join(' ')}`).toBe(steady(without))
    }
  }
})

/** The time, and ports that were tried. */
const steady = (text: string) => text.replace(/\d{4}-\d\d-\d\dT\S+|[EFIW]\d{4} \S+ +\d+/g, 'T')
