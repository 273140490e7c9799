import {chmod, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {type ReproKubeletRequest, reproKubelet} from '../../src/repro-kubelet.ts'

const folder = await mkdtemp(join(tmpdir(), 'kl-'))
afterAll(() => rm(folder, {recursive: true}))

/** What calls itself a kubelet and does as it is told. */
async function program(name: string, does: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n[ "$1" = --version ] && echo Kubernetes v1.37.2 && exit\n${does}\n`)
  await chmod(path, 0o755)
  return path
}

const asked = (kubelet: string, more: Partial<ReproKubeletRequest> = {}) =>
  reproKubelet({
    kubelets: [kubelet],
    names: ['success-without-status'],
    atOnce: 1,
    timelines: false,
    tool: 'kubelimbo 0.0.0',
    uid: 0,
    clock: systemClock,
    temporary: folder,
    signal: new AbortController().signal,
    onRun: () => undefined,
    ...more,
  })

test('a kubelet that ends by itself is inconclusive, with the last lines of its log, and nothing of it is left', async () => {
  const path = await program('dies', 'echo "F1201 03:31:38.420981 1 server.go:1] no such luck"; exit 3')
  const {scenarios} = await asked(path)
  const [run] = scenarios[0]?.runs ?? []
  expect(run?.verdict).toBe('inconclusive')
  expect(run?.why).toMatch(/^Cannot play on this kubelet as it must run: its log ends with\n.*no such luck\nit ended with 3$/)
  expect(await readdir(folder)).toEqual(['dies'])
  // The kubelet runs in a folder of its own.
  const again = await asked(relative(process.cwd(), path))
  expect(again.scenarios[0]?.runs[0]?.why).toMatch(/no such luck/)
})
