import {expect, test} from 'vitest'
import {detectors} from '../../src/findings/detectors.ts'
import {wrongCauses} from '../support/examined/causes.ts'
import {expectSilent, reportOf} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {nfsGone} from '../support/examined/pictures.ts'
import {changesSomething, deletesTrees, wordsOf} from '../support/examined/shell.ts'

test('check of the healthy node that is changed below looks for every code and finds nothing', () => {
  const {looked, unseen} = expectSilent(healthy())
  expect(looked).toEqual(detectors.map(({code}) => code))
  expect(unseen).toEqual([])
})

test.each([
  ["umount '/a b/c'", ['umount', '/a b/c']],
  ["umount '/it'\\''s'", ['umount', "/it's"]],
  ["umount $'/a\\u000ab'", ['umount', '/a\nb']],
  ["umount $'/a\\'b'", ['umount', "/a'b"]],
  ['umount /a; rm b', ['umount', '/a', ';', 'rm', 'b']],
])('wordsOf(%s) splits as a shell does', (command, words) => {
  expect(wordsOf(command)).toEqual(words)
})

test.each([
  ['rm -rf /a', true],
  ['rm /a && rmdir -p /r', false],
  ['sudo rm --recursive /a', true],
  ['find /a -delete', true],
  ['find /a -type d -delete', true],
  ['find /a -xdev -depth -type d -empty -delete', false],
])('deletesTrees(%s) is %s', (command, deletes) => {
  expect(deletesTrees(command)).toBe(deletes)
})

test.each([
  ['kubelimbo check', false],
  ['crictl -r unix:///run/a.sock inspect c1', false],
  ['crictl -r unix:///run/a.sock rm c1', true],
  ['kubectl get pods -A | grep x', false],
  ['kubectl get pods; kubectl delete pod x', true],
  ['umount /a', true],
  ['find /a -type d -empty -delete', true],
  ['toString /a', true],
])('changesSomething(%s) is %s', (command, changes) => {
  expect(changesSomething(command)).toBe(changes)
})

test('wrongCauses of a report knows a cause that is not there, and causes that lead round', () => {
  const report = reportOf(healthy((node) => nfsGone(node)))
  expect(wrongCauses(report)).toEqual([])
  const [first, ...others] = report.findings.filter(({code}) => code === 'K02')
  if (first?.cause == null) throw new Error('Cannot change the causes as K02 must have one')
  const {code, subject} = first
  expect([others, wrongCauses({...report, findings: [first]})]).toEqual([[], [expect.stringContaining('which is there 0 times')]])
  expect(wrongCauses({...report, findings: [{...first, cause: {code, subject}}]})).toEqual([expect.stringContaining('is led round to K02')])
})
