import {expect, test} from 'vitest'
import {kubeletsPath} from '../../../src/findings/takeovers/kubelets-path.ts'
import {takeoverState} from '../../../src/findings/takeovers/takeover-state.ts'
import type {TakeoverJournal} from '../../../src/node/takeover/takeover.ts'
import {smallNode} from '../../support/small-node.ts'

const path = '/run/kubelimbo/takeover/1.json'
const held = (proxy: 'there' | 'gone', watchdog?: 'there' | 'gone', otherBoot = false) => ({
  holder: {proxy, ...(watchdog && {watchdog}), otherBoot},
})

test.each<[string, Partial<TakeoverJournal>, number]>([
  ['in force', held('there', 'there'), 0],
  ['in force', held('there'), 0],
  ['in force', {}, 0],
  ['in force', held('there', 'there'), 60_000],
  ['overdue', held('there', 'there'), 60_001],
  ['overdue', {}, 60_001],
  ['unwatched', held('there', 'gone'), 0],
  ['overdue', held('there', 'gone'), 60_001],
  ['gone', held('gone', 'there'), 0],
  ['gone', held('gone', 'gone'), 60_001],
  ['other boot', held('gone', 'gone', true), 0],
  ['journal left', {...held('gone', 'gone'), atPath: 'original'}, 0],
  ['journal left', {...held('gone', 'gone', true), atPath: 'original'}, 0],
  ['journal left', {...held('there', 'there'), atPath: 'original'}, 60_001],
  ['server has it', {...held('gone', 'gone'), atPath: 'other'}, 0],
  ['gone', {...held('gone', 'gone'), atPath: 'ours'}, 0],
  ['gone', {...held('gone', 'gone'), atPath: 'nothing'}, 0],
  ['about to be', {...held('there'), atPath: 'original'}, 0],
  ['in force', {...held('there'), atPath: 'ours'}, 0],
  ['in force', {...held('there', 'there'), atPath: 'nothing'}, 0],
  ['unreadable', {unreadable: 'it is empty'}, 0],
])('takeoverState() is %s for %j, %d ms after its end', (state, parts, late) => {
  expect(takeoverState({path, socket: '/run/a.sock', expiresAt: 1_000_000, ...parts}, 1_000_000 + late)).toBe(state)
})

test('takeoverState() takes what has no socket for unreadable, as from a bundle that was cut', () => {
  expect(takeoverState({path}, 0)).toBe('unreadable')
})

test('kubeletsPath() has the path as the kubelet writes it, where its root is a link', () => {
  const node = {...smallNode(() => undefined), kubeletRoot: '/var/lib/kubelet', kubeletRootReal: '/data/kubelet'}
  expect(kubeletsPath('/data/kubelet/plugins/a/csi.sock', node)).toBe('/var/lib/kubelet/plugins/a/csi.sock')
  expect(kubeletsPath('/data/kubelets/csi.sock', node)).toBe('/data/kubelets/csi.sock')
  expect(kubeletsPath('/run/a.sock', node)).toBe('/run/a.sock')
})
