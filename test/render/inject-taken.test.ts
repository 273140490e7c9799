import {expect, test} from 'vitest'
import type {TakenSocket, WhyEnded} from '../../src/proxy/control/inject-hears.ts'
import {injectLines} from '../../src/render/inject.ts'

const info = {
  tool: 'kubelimbo 0.1.0',
  pid: 7,
  listen: 'unix:///run/containerd/containerd.sock',
  upstream: 'unix:///run/containerd/.kubelimbo-0a1b2c3d',
  seed: 3,
  startedAt: '2026-11-30T03:00:00Z',
  expiresAt: '2026-11-30T03:10:00Z',
  control: '/run/kubelimbo/inject-7.sock',
  rules: [],
}
const taken: TakenSocket = {socket: '/run/containerd/containerd.sock', journal: '/run/kubelimbo/takeover/0a1b2c3d.json', protected: true}
const at = Date.parse('2026-11-30T03:00:09.500Z')

function said(more: Partial<TakenSocket>, why: WhyEnded, output: 'text' | 'json' = 'text'): string {
  let text = ''
  const lines = injectLines(
    output,
    (piece) => (text += piece),
    () => undefined,
  )
  lines.started({...info, taken: {...taken, ...more}})
  lines.kubelet(at)
  lines.leaving({clients: 1, server: 2}, 10_000)
  lines.ended(why, {clients: 0, server: 0})
  return text
}

test('injectLines() of a container runtime that was taken over says what else is needed, and when the kubelet is there', () => {
  const restart = {command: 'systemctl restart kubelet', words: 'it is kubelet, process 9, of the unit kubelet'}
  expect(said({callee: 'cri', restart}, 'expired')).toBe(
    `unix:///run/containerd/containerd.sock is taken over until 2026-11-30T03:10:00Z (seed 3); its server goes on at unix:///run/containerd/.kubelimbo-0a1b2c3d.
It is given back at Ctrl-C, by itself when the time is over or this process is gone, and by \`kubelimbo restore\`.
The kubelet keeps the connection that it has: \`systemctl restart kubelet\` has it connect anew (it is kubelet, process 9, of the unit kubelet). At the end no restart is needed.
The kubelet has not connected yet.
Calls about kube-system pass; --force takes those, too.
  no rule is in force: \`kubelimbo inject add\` adds one
To see and change it: kubelimbo trace --control /run/kubelimbo/inject-7.sock, kubelimbo inject list --control /run/kubelimbo/inject-7.sock
03:00:09.500 the kubelet has connected
unix:///run/containerd/containerd.sock is given back. 2 calls are under way, and may end within 10s; Ctrl-C cuts them off.
The time is over: no rule is in force, and unix:///run/containerd/containerd.sock is its server's again.
`,
  )
})

test.each([
  [
    {callee: 'csi', protected: false} as const,
    /\nIt takes effect from the next call: the kubelet dials a CSI driver for each\.\n {2}no rule/,
  ],
  [
    {callee: 'cri', restart: {words: 'no kubelet was seen to run here', unseen: true}} as const,
    /\nOnly clients that connect from now on are reached: no kubelet was seen to run here\. One that is connected already must be restarted\.\nThe kubelet has not connected yet\.\n/,
  ],
  [{}, /\nThe server does not say what it is\./],
])('injectLines() of %o says what it means for clients', (more, words) => {
  expect(said(more, 'expired')).toMatch(words)
})

test.each([
  ['stopped', /^Stopped: .* is its server's again\.$/],
  ['server restarted', /^The server has restarted and has unix:\S+ again, which is left alone: no rule is in force\.$/],
  ['server gone', /^The server is gone, and nobody listens on unix:\S+: no rule is in force\.$/],
  ['given back', /was given back by somebody else/],
  ['socket removed', /^Somebody has removed unix:\S+, so it is its server's again/],
  ['journal lost', /^The journal of .* was removed/],
  ['watchdog lost', /^There was nobody to watch over/],
  ['left dirty', /could not be given back: run `kubelimbo restore`\.$/],
] as const)('injectLines() ends with why it ended: %s', (why, words) => {
  expect(said({}, why).trim().split('\n').at(-1)).toMatch(words)
})

test('injectLines() in JSON has the same in a line each', () => {
  const lines = said({callee: 'cri'}, 'server restarted', 'json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    {kind: 'InjectStarted', taken: {...taken, callee: 'cri'}},
    {kind: 'KubeletConnected', at},
    {kind: 'InjectLeaving', calls: {clients: 1, server: 2}, forMs: 10_000},
    {kind: 'InjectEnded', why: 'server restarted'},
  ])
})
