import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {kubelimbo} from '../support/kubelimbo.ts'
import {leftBehind} from '../support/left-behind.ts'
import {codeOfConnecting} from '../support/raw-sockets.ts'
import {tempDir} from '../support/socket-dir.ts'

const left = async (journals: string) => (await leftBehind(journals, {bootId: 'another'})).socket

describe('kubelimbo restore', () => {
  test('gives back what was left behind, and may be run again', async () => {
    const journals = tempDir()
    const socket = await left(journals)
    const dry = await kubelimbo(['restore', '--journals', journals, '--dry-run'])
    expect([dry.exitCode, await codeOfConnecting(socket)]).toEqual([0, 'ECONNREFUSED'])
    const {exitCode, stdout, stderr} = await kubelimbo(['restore', '--journals', journals, '--json'])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    expect(JSON.parse(stdout)).toMatchObject({apiVersion: 'kubelimbo/v1', kind: 'Restore', items: [{socket, outcome: 'given back'}]})
    expect(await codeOfConnecting(socket)).toBe('served')
    const again = await kubelimbo(['restore', '--journals', journals])
    expect(again).toMatchObject({exitCode: 0, stdout: `Nothing to restore: there is no journal of a takeover in ${journals}.`})
  })

  test('looks where journals of this user are', async () => {
    const own = tempDir()
    const isRoot = process.getuid?.() === 0
    const {exitCode, stdout} = await kubelimbo(['restore', '--dry-run', '-o', 'json'], {XDG_RUNTIME_DIR: own})
    const {journals} = JSON.parse(stdout)
    expect([exitCode, journals]).toEqual([0, isRoot ? '/run/kubelimbo/takeover' : join(own, 'kubelimbo/takeover')])
  })

  test.each(['table', 'json', 'yaml'])(
    'ends with 4 when something is still to be done, and with 5 when others could have written it (-o %s)',
    async (output) => {
      const journals = join(tempDir(), 'j')
      mkdirSync(journals, {mode: 0o700})
      writeFileSync(join(journals, '0a1b2c3d.json'), '{')
      const args = ['restore', '--journals', journals, '-o', output]
      const {exitCode, stdout} = await kubelimbo(args)
      expect([exitCode, stdout]).toEqual([4, expect.stringContaining('cannot be read: it is no JSON')])
      chmodSync(journals, 0o755)
      const refused = await kubelimbo(args)
      expect(refused).toMatchObject({
        exitCode: 5,
        stdout: '',
        stderr: expect.stringContaining('must be a directory of yours with mode 0700'),
      })
    },
  )
})
