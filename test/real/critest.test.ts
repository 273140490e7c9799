import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {builtPeers} from '../support/built-peers.ts'
import {runCritest} from '../support/critest.ts'
import {startLabRuntime} from '../support/lab-runtime.ts'
import {tempDir} from '../support/socket-dir.ts'

/** Of the 142 of critest 1.37.0; docs/lab.md says why the others are not in it. */
const cases = readFileSync(new URL('critest-cases.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test('criRoutes() passes each case of critest that is in the list', async () => {
  const [critest = ''] = await builtPeers('critest')
  const folder = tempDir()
  await using runtime = await startLabRuntime(join(folder, 'cri.sock'))
  const {states, output} = await runCritest(critest, `unix://${runtime.path}`, cases, folder)
  const others = cases.filter((name) => states.get(name) !== 'passed').map((name) => `${states.get(name) ?? 'unknown'}: ${name}`)
  expect(others, output).toEqual([])
  expect([...states.values()].filter((state) => state === 'passed')).toHaveLength(cases.length)
  expect(states.size).toBe(142)
})
