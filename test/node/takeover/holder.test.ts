import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {holderOf, ownPidNamespace, readBootId, readProcessId} from '../../../src/node/takeover/holder.ts'
import {journalOf} from '../../support/journal.ts'
import {bootId, procTree, statText} from '../../support/proc-tree.ts'

const journal = journalOf('/run/a.sock', {proxy: {pid: 7, startTicks: '50'}, watchdog: {pid: 8, startTicks: '60'}})

test.each([
  ['both are there', {7: statText(7, '50'), 8: statText(8, '60')}, {proxy: 'there', watchdog: 'there'}],
  ['the proxy is gone', {8: statText(8, '60')}, {proxy: 'gone', watchdog: 'there'}],
  ['the watchdog is gone', {7: statText(7, '50')}, {proxy: 'there', watchdog: 'gone'}],
  ['others have their ids', {7: statText(7, '51'), 8: statText(8, '6')}, {proxy: 'gone', watchdog: 'gone'}],
  [
    'a name looks like the end of one',
    {7: statText(7, '50', {comm: 'a) Z 1 (b'}), 8: statText(8, '60')},
    {proxy: 'there', watchdog: 'there'},
  ],
  ['nobody has waited for the proxy', {7: statText(7, '50', {state: 'Z'}), 8: statText(8, '60')}, {proxy: 'gone', watchdog: 'there'}],
])('holderOf() says who holds a takeover when %s', (_, processes, expected) => {
  expect(holderOf(journal, procTree(processes))).toEqual({...expected, otherBoot: false})
})

test('holderOf() has nobody hold what is from another boot, whoever has their ids now', () => {
  const proc = procTree({7: statText(7, '50'), 8: statText(8, '60')}, 'another')
  expect(holderOf(journal, proc)).toEqual({proxy: 'gone', watchdog: 'gone', otherBoot: true})
  expect(holderOf(journalOf('/run/a.sock'), procTree({}))).toEqual({proxy: 'gone', otherBoot: false})
})

test.each([
  ['process 1 of the same one', '1', 'pid:[5]', {proxy: 'gone', watchdog: 'gone', otherBoot: false}],
  ['process 1 of another one', '1', 'pid:[6]', undefined],
  ['ourselves, who may not ask of process 1', 'self', 'pid:[6]', undefined],
])('holderOf() cannot say who holds a takeover of another pid namespace: /proc shows %s', (_, who, namespace, expected) => {
  const inNamespace = {...journal, pidNamespace: 'pid:[5]'}
  const proc = procTree({})
  mkdirSync(join(proc, who, 'ns'), {recursive: true})
  symlinkSync(namespace, join(proc, who, 'ns/pid'))
  expect(holderOf(inNamespace, proc)).toEqual(expected)
  expect(holderOf({...inNamespace, bootId: 'another'}, proc)).toEqual({proxy: 'gone', watchdog: 'gone', otherBoot: true})
})

test('ownPidNamespace() is one as a journal has it', () => {
  expect(ownPidNamespace()).toMatch(/^pid:\[\d+\]$/)
})

test('readProcessId() names a process as it cannot come again, and none that is torn', () => {
  const proc = procTree({7: statText(7, '50')})
  expect(readProcessId(7, proc)).toEqual({pid: 7, startTicks: '50'})
  writeFileSync(join(proc, '7/stat'), '7 (node) S 1')
  expect(readProcessId(7, proc)).toBeUndefined()
  expect(readProcessId(9, proc)).toBeUndefined()
  expect(readProcessId(process.pid)).toEqual({pid: process.pid, startTicks: expect.stringMatching(/^\d+$/) as string})
  expect(readBootId(proc)).toBe(bootId)
})
