// A lab as a process, for all tests of a file, and injectors as processes beside it.
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest'
import {kubelimbo, start} from './kubelimbo.ts'
import {shortDir, tempDir} from './socket-dir.ts'
import {until} from './until.ts'

export interface LabProcess {
  readonly folder: string
  /** Of its driver: 'unix:///…/csi.sock'. */
  readonly driver: string
  readonly runtime: string
  readonly kubeletRoot: string
  readonly mountinfo: string
  /** Flags by which a command finds the node. */
  readonly node: readonly string[]
}

/** It is up before the first test, and down after the last one. */
export function labProcess(): LabProcess {
  const folder = join(shortDir(), 'lab')
  const lab = {folder, driver: '', runtime: '', kubeletRoot: '', mountinfo: '', node: [] as readonly string[]}
  beforeAll(async () => {
    const up = await kubelimbo(['lab', 'up', '--dir', folder, '-o', 'json'])
    expect(up).toMatchObject({exitCode: 0, stderr: ''})
    const {drivers, kubeconfig, kubeletRoot, kubeletUrl, kubeletLog, mountinfo, runtime} = JSON.parse(up.stdout)
    const kubelet = ['--kubeconfig', kubeconfig, '--kubelet-root', kubeletRoot, '--kubelet-url', kubeletUrl, '--kubelet-log', kubeletLog]
    const node = [...kubelet, '--mountinfo', mountinfo, '--runtime-endpoint', runtime]
    Object.assign(lab, {driver: drivers[0].endpoint, runtime, kubeletRoot, mountinfo, node})
  }, 60_000)
  afterAll(async () => void (await kubelimbo(['lab', 'down', '--dir', folder])), 60_000)
  return lab
}

/** One that has started, with what it says. */
export async function startInjector(words: readonly string[]) {
  const control = join(tempDir(), 'control/c.sock')
  const child = start(['inject', ...words, '--control', control])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  await until(async () => expect(said).toContain(control), 300, 50).catch(async () => {
    child.kill()
    throw new Error((await child).stderr)
  })
  return {control, child, said: () => said, at: ['--control', control]}
}
