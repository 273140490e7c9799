import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {kubeconfig, newToken, writeKubeconfig} from '../../../src/lab/api/kubeconfig.ts'
import {tempDir} from '../../support/socket-dir.ts'

test('kubeconfig() has the token where clients of plain HTTP look for it', () => {
  const {clusters, users} = parse(kubeconfig('http://127.0.0.1:40123', 'a-b_c'))
  expect(clusters[0].cluster).toEqual({server: 'http://lab:a-b_c@127.0.0.1:40123'})
  expect(users[0].user).toEqual({token: 'a-b_c'})
})

test('newToken() needs no escape in an address', () => {
  expect(newToken((size) => new Uint8Array(size).fill(255))).toMatch(/^[A-Za-z0-9_-]{32}$/)
})

test('writeKubeconfig() lets nobody else read it, even where somebody could', async () => {
  const path = join(tempDir(), 'kubeconfig')
  writeFileSync(path, 'old')
  chmodSync(path, 0o644)
  await writeKubeconfig(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
