import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {klogFormOf, klogTexts} from '../../../src/lab/kubelet/klog-forms.ts'
import {kubeletLog} from '../../../src/lab/kubelet/kubelet-log-lines.ts'
import type {LogEvent} from '../../../src/timeline/event.ts'

const at = Date.UTC(2026, 0, 1, 0, 2, 3, 45)
const line = (text: string, more: Partial<LogEvent> = {}): LogEvent => ({kind: 'log', at, text, ...more})
const linesOf = (event: LogEvent, version = '1.36.2') =>
  kubeletLog({profile: profileOf(version), node: 'lab', events: [event], restarts: []})(at + 60_000)

const refused = line('Status update on pod aborted', {
  pod: 'default/web',
  fields: {error: 'terminated container a attempted illegal transition to non-terminated state'},
})

test('kubeletLog() has the words of kubelets before key=value pairs', () => {
  expect(linesOf(refused, '1.17.3')).toEqual([
    {
      at,
      severity: 'error',
      source: 'status_manager.go:1',
      message: 'Status update on pod default/web aborted: terminated container a attempted illegal transition to non-terminated state',
      fields: {},
    },
  ])
})

test('kubeletLog() has the words and the pairs of later ones', () => {
  expect(linesOf(refused)).toMatchObject([
    {
      at,
      message: 'Status update on pod aborted',
      fields: {pod: 'default/web', err: 'terminated container a attempted illegal transition to non-terminated state'},
    },
  ])
})

test.each(['1.17.3', '1.36.2'])('kubeletLog() leaves out what %s does not log at its usual level', (version) => {
  expect(linesOf(line('Skipping the status update for pod for now because the channel is full', {pod: 'default/a'}), version)).toEqual([])
})

test('kubeletLog() keeps what is quoted in a field', () => {
  const err = 'failed to reserve name "x_1": it is "y\\z"\nand more'
  expect(linesOf(line('Error syncing pod, skipping', {pod: 'a/b', fields: {err, tries: 2}}))).toMatchObject([
    {fields: {pod: 'a/b', err, tries: '2'}},
  ])
})

test('kubeletLog() reads what is new, and tells of each start of the kubelet in its place', () => {
  const events = [refused]
  const restarts: number[] = []
  const log = kubeletLog({profile: profileOf('1.36.2'), node: 'lab', events, restarts})
  const first = log(at + 1000)
  restarts.push(at + 2000)
  events.push({...refused, at: at + 3000})
  expect(log(at + 4000).map((each) => [each.at, each.message])).toEqual([
    [at, 'Status update on pod aborted'],
    [at + 2000, 'Starting Kubelet Volume Manager'],
    [at + 3000, 'Status update on pod aborted'],
  ])
  expect(first).toHaveLength(1)
})

test('each text that klogFormOf() knows is one of the model, or of what stands around it on a real machine', () => {
  const sources = ['src/kubelet', 'src/lab/remote']
    .flatMap((folder) => readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  expect(klogTexts.filter((text) => !sources.includes(text))).toEqual([])
  expect(klogFormOf('of nobody')).toBeUndefined()
})
