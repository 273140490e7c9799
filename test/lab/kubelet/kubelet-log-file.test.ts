import {readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {kubeletLogFile} from '../../../src/lab/kubelet/kubelet-log-file.ts'
import {parseKubeletLog} from '../../../src/node/kubelet-log.ts'
import {timeline} from '../../../src/timeline/timeline.ts'
import {tempDir} from '../../support/socket-dir.ts'

const at = Date.UTC(2026, 10, 30, 12)

function opened(zoneOffset = 0) {
  const path = join(tempDir(), 'kubelet.log')
  const now = () => at
  return {path, file: kubeletLogFile({path, profile: profileOf('1.26.5'), node: 'n1', timeline: timeline(now), now, zoneOffset})}
}

test('kubeletLogFile() has each line as soon as it is said, for its owner alone', () => {
  const {path, file} = opened()
  using _ = file
  file.started(at - 60_000)
  expect(parseKubeletLog(readFileSync(path, 'utf8'), {near: at})).toMatchObject([
    {at: at - 60_000, message: 'Starting Kubelet Volume Manager'},
  ])
  file.log({text: 'Failed to delete status for pod', pod: 'default/a', fields: {err: 'refused'}})
  file.log({text: 'nobody logs that at the usual level'})
  const lines = parseKubeletLog(readFileSync(path, 'utf8'), {near: at})
  expect(lines.slice(1)).toMatchObject([{at, message: 'Failed to delete status for pod', fields: {err: 'refused', pod: 'default/a'}}])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('kubeletLogFile() has local times, as klog has', () => {
  const {path, file} = opened(-5 * 3_600_000)
  using _ = file
  file.started(at)
  expect(readFileSync(path, 'utf8')).toMatch(/^I1130 07:00:00\.000000 /)
})

test('kubeletLogFile() has the texts of drivers as they are', () => {
  const {path, file} = opened()
  using _ = file
  file.log({text: 'kubernetes.io/csi: Register new plugin with name: d at endpoint: /d.sock'})
  expect(readFileSync(path, 'utf8')).toMatch(
    / csi_plugin\.go:1\] kubernetes\.io\/csi: Register new plugin with name: d at endpoint: \/d\.sock\n$/,
  )
})

test('kubeletLogFile() ends nothing when its file is removed, and says nothing once it is closed', () => {
  const {path, file} = opened()
  rmSync(path)
  file.started(at)
  file[Symbol.dispose]()
  expect(() => file.started(at)).not.toThrow()
})
