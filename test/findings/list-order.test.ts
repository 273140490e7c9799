// containerd lists in another order each time: the same node must give the same report.
import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import type {Snapshot, SourceName} from '../../src/node/snapshot.ts'
import {goldenCases, openCase} from '../support/golden-case.ts'

const lists = ['runtime.sandboxes', 'runtime.containers', 'runtime.container-status', 'processes'] as const satisfies readonly SourceName[]

function turnedAround(snapshot: Snapshot): Snapshot {
  const turned = lists.flatMap((name) => {
    const reading = snapshot.readings[name]
    return reading.state === 'read' ? [[name, {...reading, value: reading.value.toReversed()}]] : []
  })
  return {...snapshot, readings: {...snapshot.readings, ...Object.fromEntries(turned)}}
}

test.each(goldenCases)('detect() of %s gives the same, in whatever order the runtime lists', async (name) => {
  const {snapshot, profile} = await openCase(name)
  expect(detect(turnedAround(snapshot), profile, detectors)).toEqual(detect(snapshot, profile, detectors))
})
