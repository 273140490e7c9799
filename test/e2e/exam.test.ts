import {readFileSync} from 'node:fs'
import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import {junitErrors} from '../support/junit-schema.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {plantedDriver} from '../support/planted-driver.ts'
import {tempDir} from '../support/socket-dir.ts'

const shape = new Ajv({allowUnionTypes: true}).compile(JSON.parse(readFileSync('fixtures/schema/exam.json', 'utf8')))

test('exam prints its verdicts as a table, as json of the published shape and as junit, and its exit code is that of the worst', async () => {
  await using driver = await plantedDriver(tempDir(), ['unpublish-needs-target'])
  const asked = ['exam', 'use-and-leave', 'unpublish-without-target', 'driver-restart', '--csi-endpoint', driver.endpoint, '--scale', '40']
  const table = await kubelimbo(asked)
  expect(table).toMatchObject({exitCode: 1, stderr: ''})
  expect(table.stdout).toMatch(/^use-and-leave +Filesystem +passed/m)
  expect(table.stdout).toMatch(/^unpublish-without-target +Filesystem +failed/m)
  expect(table.stdout).toMatch(/NodeUnpublishVolume -> NOT_FOUND/)
  expect(table.stdout).toMatch(/^3 cases: 1 passed, 1 failed, 1 not tried$/m)
  const json = await kubelimbo([...asked, '-o', 'json', '-v'])
  const report = JSON.parse(json.stdout)
  expect(json.exitCode).toBe(1)
  expect({valid: shape(report), errors: shape.errors}).toEqual({valid: true, errors: null})
  const junit = await kubelimbo([...asked, '-o', 'junit'])
  expect(junit.exitCode).toBe(1)
  expect(await junitErrors(junit.stdout)).toEqual([])
  expect(junit.stdout).toContain('tests="3" failures="1" errors="0" skipped="1"')
}, 120_000)

test('exam ends with 0 when all that it tried was passed', async () => {
  await using driver = await plantedDriver(tempDir(), [])
  const ran = await kubelimbo(['exam', 'use-and-leave', '--csi-endpoint', `unix://${driver.endpoint}`, '--scale', '20'])
  expect(ran).toMatchObject({exitCode: 0, stdout: expect.stringContaining('1 case: 1 passed')})
}, 60_000)

test.each([
  ['no endpoint', [], 2, /^kubelimbo: Cannot run this as --csi-endpoint must be given: it is not/],
  [
    'a socket that is not there',
    ['--csi-endpoint', '/nonexistent/csi.sock'],
    3,
    /Cannot examine the driver at \/nonexistent\/csi.sock as it must answer/,
  ],
  [
    'a parameter without a value',
    ['--csi-endpoint', '/x/csi.sock', '--parameter', 'x'],
    2,
    /Cannot use --parameter as it must be KEY=VALUE: it is 'x'/,
  ],
])('exam refuses %s', async (_, args, exitCode, stderr) => {
  expect(await kubelimbo(['exam', ...args])).toMatchObject({exitCode, stderr: expect.stringMatching(stderr)})
})
