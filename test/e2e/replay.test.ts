import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {kubelimbo, start} from '../support/kubelimbo.ts'
import {startReplay} from '../support/replaying.ts'

const bundle = 'fixtures/nodes/runtime-errors'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(made, {recursive: true}))
  return made
}

test('replay prints the commands that look at it, and the second finds what is in the bundle', async () => {
  const dir = join(folder(), 'n')
  const child = start(['replay', bundle, '--dir', dir])
  // All of it is written at once.
  child.stdout.once('data', () => child.kill('SIGINT'))
  const lines = (await child).stdout.split('\n')
  const socket = `unix://${dir}/run/containerd/containerd.sock`
  expect(lines).toEqual([
    `Replaying ${bundle}: n1 as it was at 2026-11-30T03:00:36Z, ${lines[0]?.match(/\d+ calls/)?.[0]}, read-only. Ctrl-C ends it.`,
    '  it is of before bundles kept calls: what only these tell is not answered',
    `  runtime ${socket}`,
    `crictl -r ${socket} -i ${socket} pods`,
    `kubelimbo check --host-root ${dir}`,
  ])
})

test.for(['json', 'table'])('check and volumes on a replay print what they print of the bundle: -o %s', async (output) => {
  await using replay = await startReplay(bundle)
  for (const command of [['check', '--once'], ['volumes']]) {
    const [there, here] = await Promise.all([
      kubelimbo([...command, '--host-root', replay.root, '-o', output]),
      kubelimbo([...command, '--from', bundle, '-o', output]),
    ])
    expect({...there, stderr: ''}).toEqual({...here, stderr: ''})
    expect(there.stderr).toContain(`this is a replay of ${join(process.cwd(), bundle)}`)
  }
})

test('replay ends with 0 when its time is over, and with 130 at Ctrl-C', async () => {
  expect(await kubelimbo(['replay', bundle, '--for', '1s'])).toMatchObject({exitCode: 0, stderr: ''})
  const child = start(['replay', bundle])
  child.stdout.once('data', () => child.kill('SIGINT'))
  expect((await child).exitCode).toBe(130)
})

test.for<[string, string]>([
  ['/nowhere', 'Cannot replay /nowhere: there is no such file or folder'],
  ['package.json', 'its first line must be the head of a recording'],
])('replay %s says what is wrong, and ends with 2', async ([file, why]) => {
  expect(await kubelimbo(['replay', file])).toMatchObject({exitCode: 2, stderr: expect.stringContaining(why)})
})

test('replay --dir of a folder with something in it is refused with 5', async () => {
  expect(await kubelimbo(['replay', bundle, '--dir', 'docs'])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('there is something in it'),
  })
})
