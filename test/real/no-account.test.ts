// Containers run with any user id: one that has no account, no home and no shell.
import {chmod, cp, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {singleExecutable} from '../support/kubelimbo.ts'

const nobody = {uid: 12_345, gid: 12_345}
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kl-'))
  await chmod(folder, 0o755)
  for (const part of ['bin', 'dist', 'oclif.manifest.json', 'package.json', 'fixtures/nodes/healthy'])
    await cp(part, join(folder, part), {recursive: true})
  await cp(process.execPath, join(folder, 'node'))
  await cp(singleExecutable, join(folder, 'kubelimbo'))
})
afterAll(() => rm(folder, {recursive: true}))

test.each<[what: string, env: Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['a home', {HOME: '/'}],
  ['an empty home', {HOME: ''}],
])('kubelimbo runs for a user id without an account, with %s in its environment', async (_what, env) => {
  const from = join(folder, 'fixtures/nodes/healthy')
  for (const command of [[join(folder, 'node'), join(folder, 'bin/kubelimbo.js')], [join(folder, 'kubelimbo')]])
    for (const args of [
      ['--version'],
      ['--help'],
      ['explain', 'U01'],
      ['check', '--from', from],
      ['why', 'default/blk-0', '--from', from],
    ]) {
      const [file = '', ...before] = command
      const {stderr, exitCode} = await execa(file, [...before, ...args], {...nobody, env, extendEnv: false, reject: false})
      expect([command.length, args, stderr, exitCode]).toEqual([command.length, args, '', 0])
    }
})
