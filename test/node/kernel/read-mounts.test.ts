import {describe, expect, test} from 'vitest'
import {type ReadMountsOptions, readMounts} from '../../../src/node/kernel/read-mounts.ts'
import {known} from '../../../src/node/reading.ts'
import {hostTree} from '../../support/host-tree.ts'

const line = (mountPoint: string) => `43 42 254:0 / ${mountPoint} rw,relatime shared:1 - ext4 /dev/vda rw\n`
const machine = {'/proc/1/ns/pid': 'pid:[4026531836]'}

async function mountPoints(
  files: Readonly<Record<string, string>>,
  options: ReadMountsOptions = {},
  links: Record<string, string> = machine,
) {
  const {host} = await hostTree({files, links})
  const reading = await readMounts(host, options)
  return {
    reading,
    at: known(reading)?.map(({mountPoint}) => mountPoint),
    incomplete: 'incomplete' in reading ? reading.incomplete : undefined,
  }
}

const tables = {'/proc/7/mountinfo': line('/kubelet'), '/proc/1/mountinfo': line('/init'), '/proc/self/mountinfo': line('/ours')}

test("readMounts reads the table of the kubelet's mount namespace", async () => {
  expect(await mountPoints(tables, {kubeletPid: 7})).toMatchObject({at: ['/kubelet'], incomplete: undefined})
})

test('readMounts reads that of process 1 when no kubelet runs', async () => {
  expect(await mountPoints(tables)).toMatchObject({at: ['/init'], incomplete: undefined})
})

test.each<[string, Record<string, string>]>([
  ['another pid namespace', {'/proc/1/ns/pid': 'pid:[4026532210]'}],
  ['a pid namespace that we may not ask for', {}],
])('readMounts does not vouch for the table of process 1 in %s', async (_, links) => {
  const {at, incomplete} = await mountPoints(tables, {}, links)
  expect(at).toEqual(['/init'])
  expect(incomplete).toBe('no kubelet is to be seen, and /proc may be that of a container')
})

test("readMounts does not vouch for another table than the kubelet's", async () => {
  const {'/proc/7/mountinfo': _, ...others} = tables
  expect(await mountPoints(others, {kubeletPid: 7})).toMatchObject({
    at: ['/init'],
    incomplete: "it is that of process 1, as the kubelet's cannot be read",
  })
  expect(await mountPoints({'/proc/self/mountinfo': line('/ours')}, {kubeletPid: 7})).toMatchObject({
    at: ['/ours'],
    incomplete: "it is that of our own process, and the kubelet's mounts may be others",
  })
})

test('readMounts reads a file instead', async () => {
  const files = {...tables, '/tmp/table': line('/captured')}
  expect(await mountPoints(files, {kubeletPid: 7, file: '/tmp/table'})).toMatchObject({at: ['/captured'], incomplete: undefined})
})

test('readMounts tells of a line that is torn', async () => {
  const files = {...tables, '/tmp/table': `${line('/captured')}37 1 8:1 / /to`}
  const incomplete = '1 of its lines are none of a mount table'
  expect(await mountPoints(files, {kubeletPid: 7, file: '/tmp/table'})).toMatchObject({at: ['/captured'], incomplete})
})

describe('readMounts fails on', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no table at all', {'/proc/x': ''}, '/proc/self/mountinfo: there is no such file'],
    ['a table of nothing', {'/proc/self/mountinfo': ''}, '/proc/self/mountinfo is empty'],
    ['what is no table', {'/proc/self/mountinfo': '<html>\n'}, '/proc/self/mountinfo: Cannot read the mount table'],
  ])('%s', async (_, files, why) => {
    const {reading} = await mountPoints(files)
    expect(reading).toEqual({state: 'failed', why: expect.stringContaining(why) as string})
  })
})

test('readMounts keeps the text for a bundle when it is told to', async () => {
  const {reading} = await mountPoints(tables, {kubeletPid: 7, keepReply: true})
  expect(reading).toMatchObject({raw: line('/kubelet')})
  expect((await mountPoints(tables, {kubeletPid: 7})).reading).not.toHaveProperty('raw')
})

/** Reads that differ, the last one for good. */
async function changing(...texts: readonly string[]) {
  const {host} = await hostTree({links: machine})
  let reads = 0
  const reading = await readMounts({...host, readText: async () => texts[Math.min(reads++, texts.length - 1)] ?? ''})
  return {reads, at: known(reading)?.map(({mountPoint}) => mountPoint), incomplete: 'incomplete' in reading && reading.incomplete}
}

test('readMounts reads until two reads agree', async () => {
  expect(await changing(line('/a'))).toEqual({reads: 2, at: ['/a'], incomplete: false})
  expect(await changing(line('/a'), line('/b'))).toEqual({reads: 3, at: ['/b'], incomplete: false})
  expect(await changing(line('/a'), line('/b'), line('/c'))).toEqual({reads: 4, at: ['/c'], incomplete: false})
})

test('readMounts says that a table that changes each time is unstable', async () => {
  expect(await changing(...'abcdefg'.split('').map((name) => line(`/${name}`)))).toEqual({
    reads: 4,
    at: ['/d'],
    incomplete: 'unstable: /proc/1/mountinfo changed each time it was read',
  })
})

test('readMounts reads 75,000 lines, a torn last one left out', async () => {
  const many = Array.from({length: 75_000}, (_, index) => line(`/var/lib/kubelet/${index}`)).join('')
  const {at} = await mountPoints({'/proc/1/mountinfo': `${many}43 42 254:0 / /to`})
  expect(at).toHaveLength(75_000)
})
