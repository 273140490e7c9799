// inject RECIPE as a process, on a lab: what it aims at is found at the API server of the lab and at its drivers.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {capabilityOf, codeOf, csiCaller} from '../support/csi-caller.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {labProcess, startInjector} from '../support/lab-process.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const lab = labProcess()

async function injecting(...words: readonly string[]) {
  const path = join(tempDir(), 'p.sock')
  return {path, ...(await startInjector([...words, '--listen', path, ...lab.node]))}
}

test('inject stage-lost --pvc: finds volume, driver and socket, and loses the answers about that volume alone', async () => {
  const {path, said} = await injecting('stage-lost', '--pvc', 'default/data')
  expect(said()).toContain(
    'The claim default/data is bound to pv-data, a file system of the driver csi.example.com with the handle vol-data: so says the API server.',
  )
  expect(said()).toContain(`stands before ${lab.driver}`)
  expect(said()).toContain('every NodeStageVolume with volumeId vol-data: run it, whatever its deadline, and never answer')
  const {node: caller, [Symbol.dispose]: close} = await csiCaller(path)
  onTestFinished(close)
  const stage = (volumeId: string) => {
    const stagingTargetPath = join(lab.kubeletRoot, `plugins/kubernetes.io/csi/csi.example.com/${volumeId}/globalmount`)
    return codeOf(caller.nodeStageVolume({volumeId, stagingTargetPath, volumeCapability: capabilityOf('mount')}, {timeoutMs: 1000}))
  }
  expect(await stage('vol-data')).toBe('DEADLINE_EXCEEDED')
  await until(async () => expect(readFileSync(lab.mountinfo, 'utf8')).toContain('vol-data/globalmount'), 100, 20)
  expect(await stage('vol-of-nobody')).not.toBe('DEADLINE_EXCEEDED')
})

test('inject runtime-hang -o json: a line of what the kubelet will do, then those of the injector', async () => {
  const {said} = await injecting('runtime-hang', '-o', 'json')
  const [recipe, started] = said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(recipe).toMatchObject({
    kind: 'Recipe',
    recipe: 'runtime-hang',
    upstream: join(lab.folder, 'runtime.sock'),
    rules: [{name: 'runtime-hang'}],
  })
  expect(recipe.kubelet.length).toBeGreaterThan(2)
  expect(started).toMatchObject({kind: 'InjectStarted', rules: [{name: 'runtime-hang'}]})
})

test.each([
  [['stage-lsot'], "hint: 'stage-lost' may be meant"],
  [['stage-lost', '--fault', 'delay'], 'Cannot use --fault as a recipe has rules of its own: it is stage-lost'],
  [['stage-lost', '--pvc', 'none'], 'Cannot aim at the claim default/none as there must be one: the API server has none'],
  [['runtime-slow', 'nothing'], "Cannot find the container as it must be one of this node: there is no 'nothing'"],
  [['stop-sandbox-lost', '--pod', 'gone'], 'Cannot find the pod as it must be on this node: default/gone is not'],
  [['--pvc', 'data'], 'Cannot use --pvc as --fault must be given with it: it is not'],
  [['--driver', 'x'], 'Cannot use --driver as a recipe must be given: there is none'],
])('inject %o is refused with a word on why', async (words, message) => {
  const {exitCode, stderr, stdout} = await kubelimbo(['inject', ...words, '--listen', join(lab.folder, '../x.sock'), ...lab.node])
  expect({exitCode, stdout}).toEqual({exitCode: 2, stdout: ''})
  expect(stderr).toContain(message)
})

test('inject RECIPE --dry-run says what its rule does', async () => {
  const {exitCode, stdout} = await kubelimbo(['inject', 'stage-lost', '--pvc', 'default/data', '--dry-run', ...lab.node])
  expect({exitCode, stdout}).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(
      /\nThe rule:\n {2}stage-lost {2}every NodeStageVolume with volumeId vol-data: run it, whatever its deadline, and never answer\n/,
    ),
  })
})
