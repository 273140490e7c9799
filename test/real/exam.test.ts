import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {exam} from '../../src/exam.ts'
import {renderExam} from '../../src/render/exam.ts'
import {startCsiBind} from '../support/csi-bind.ts'
import {tempDir} from '../support/socket-dir.ts'

test.each([
  ['mounts nothing where it stages', false],
  ['mounts where it stages', true],
])(
  'exam() passes a driver that really mounts and %s, filesystem and block, and leaves nothing of it behind',
  async (_, stageMount) => {
    const folder = tempDir()
    const root = join(folder, 'kubelet')
    await using driver = await startCsiBind({kubeletRoot: root, state: join(folder, 'state'), stageMount})
    const report = await exam({
      endpoint: driver.socket,
      cases: [],
      kubelet: '1.36.2',
      scale: 10,
      volumeModes: ['Filesystem', 'Block'],
      parameters: {},
      fsType: '',
      root: join(root, 'exam'),
      seed: 1,
      timelines: false,
      tool: 'kubelimbo 0.0.0',
      clock: systemClock,
      signal: new AbortController().signal,
    })
    const tried = report.cases.filter(({name}) => name !== 'driver-restart')
    expect(await renderExam({...report, cases: tried.filter(({verdict}) => verdict !== 'passed')}, 'table')).toMatch(/0 cases: $/m)
    expect(tried).toHaveLength(20)
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(root)
  },
  120_000,
)
