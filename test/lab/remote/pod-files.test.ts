import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {podFiles} from '../../../src/lab/remote/pod-files.ts'
import {tempDir} from '../../support/socket-dir.ts'

const pod = {uid: 'u1', name: 'web-0'}

test('podFiles() makes the directories of a pod, again and again', async () => {
  const root = tempDir()
  const files = podFiles(root, seeded(1))
  for (let turn = 0; turn < 2; turn++) await files.makeDataDirs('u1')
  for (const folder of ['volumes', 'plugins']) expect(statSync(join(root, 'pods/u1', folder)).mode & 0o7777).toBe(0o750)
})

test('podFiles() makes a hosts file and a termination log for each container', async () => {
  const root = tempDir()
  const files = podFiles(root, seeded(1))
  const [hosts, log] = await files.makeMounts(pod, 'app', '192.0.2.7')
  expect(hosts).toEqual({containerPath: '/etc/hosts', hostPath: join(root, 'pods/u1/etc-hosts'), readonly: false})
  expect(readFileSync(hosts?.hostPath ?? '', 'utf8')).toMatch(
    /^# Kubernetes-managed hosts file\.\n127\.0\.0\.1\tlocalhost\n[\s\S]*\n192\.0\.2\.7\tweb-0\n$/,
  )
  expect(log?.containerPath).toBe('/dev/termination-log')
  expect(log?.hostPath).toMatch(new RegExp(`^${root}/pods/u1/containers/app/[0-9a-f]{8}$`))
  expect(statSync(log?.hostPath ?? '').mode & 0o777).toBe(0o666)
  const [, next] = await files.makeMounts(pod, 'app', '')
  expect(next?.hostPath).not.toBe(log?.hostPath)
})
