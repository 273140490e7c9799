import {expect, test} from 'vitest'
import {type InjectOutput, injectLines} from '../../src/render/inject.ts'
import {renderInjectExplained, renderInjectorRules} from '../../src/render/inject-rules.ts'
import {tracedCall} from '../support/traced-calls.ts'

const info = {
  tool: 'kubelimbo 0.1.0',
  pid: 7,
  listen: 'unix:///tmp/l.sock',
  upstream: 'unix:///csi/csi.sock',
  seed: 3,
  startedAt: '2026-11-30T03:00:00Z',
  expiresAt: '2026-11-30T03:10:00Z',
}
const rule = {name: 'stage', fault: 'hang-call', says: 'every NodeStageVolume: do not run it and never answer', seen: 2, taken: 1}

function said(output: InjectOutput, rules = [rule]): string {
  let text = ''
  const lines = injectLines(
    output,
    (more) => (text += more),
    () => undefined,
  )
  lines.started({...info, control: '/run/kubelimbo/inject-7.sock', rules})
  lines.took({at: tracedCall().at, rule: 'stage', fault: 'hang-call', method: 'NodeStageVolume'})
  const call = tracedCall({
    rule: 'stage',
    fault: 'hang-call',
    code: 'DEADLINE_EXCEEDED',
    durationMs: 120_000,
    volume: 'vol\n1',
    pod: 'default/p',
  })
  lines.fault({...call, upstream: {code: 'OK', durationMs: 40, late: false}})
  lines.fault({...call, skipped: 'its request is larger than 64 MiB', code: 'OK', durationMs: 1500})
  lines.fault({...call, update: true, upstream: {code: 'OK', durationMs: 123_200, late: true}})
  lines.socket({at: call.at, rule: 'down', fault: 'refuse', begins: true})
  lines.socket({at: call.at + 1, rule: 'down', fault: 'refuse', begins: false})
  lines.ended('expired', {clients: 1, server: 2})
  return text
}

test('injectLines() says what is in force, each fault as it happens, and the end, a line each', () => {
  expect(said('text')).toBe(
    `unix:///tmp/l.sock stands before unix:///csi/csi.sock until 2026-11-30T03:10:00Z (seed 3). Point clients at it; Ctrl-C heals.
  stage  every NodeStageVolume: do not run it and never answer
To see and change it: kubelimbo trace --control /run/kubelimbo/inject-7.sock, kubelimbo inject list --control /run/kubelimbo/inject-7.sock
03:00:00.000 stage takes NodeStageVolume
03:02:00.000 stage: NodeStageVolume vol\\n1 of default/p: the client has DEADLINE_EXCEEDED after 2m; the server ended with OK after 40ms
03:00:01.500 stage: NodeStageVolume vol\\n1 of default/p: the rule could do nothing: its request is larger than 64 MiB; the client has OK after 1.5s
03:02:03.200 stage: NodeStageVolume vol\\n1 of default/p: the server ended with OK 3.2s after the client had gone
03:00:00.000 down: refuse begins
03:00:00.001 down: refuse is over
The time is over: no rule is in force, all connections are closed, and unix:///tmp/l.sock is gone. Cut off were 1 that a client waited for, and 2 that the server still worked on.
`,
  )
})

test('injectLines() without a rule says how to add one', () => {
  expect(said('text', [])).toContain('\n  no rule is in force: `kubelimbo inject add` adds one\n')
})

test('injectLines() in JSON has a line each', () => {
  const lines = said('json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({kind}) => kind)).toEqual([
    'InjectStarted',
    'Taken',
    'Fault',
    'Fault',
    'Fault',
    'SocketFault',
    'SocketFault',
    'InjectEnded',
  ])
  expect(lines[0]).toMatchObject({apiVersion: 'kubelimbo/v1', ...info, rules: [rule]})
  expect(lines[5]).toMatchObject({rule: 'down', fault: 'refuse', begins: true})
  expect(lines.at(-1)).toEqual({kind: 'InjectEnded', why: 'expired', cutOff: {clients: 1, server: 2}})
})

test('renderInjectorRules() shows the injector and its rules', async () => {
  expect(await renderInjectorRules({...info, paused: false, rules: [rule]}, 'table', 200)).toBe(
    `unix:///tmp/l.sock before unix:///csi/csi.sock until 2026-11-30T03:10:00Z, by the process 7
NAME   FAULT      SEEN  TAKEN  WHAT IT DOES
stage  hang-call  2     1      every NodeStageVolume: do not run it and never answer
`,
  )
  const paused = await renderInjectorRules({...info, paused: true, rules: []}, 'table', 200)
  expect(paused).toMatch(/, paused: no rule has a part in any call\nThere is no rule\.\n$/)
  expect(JSON.parse(await renderInjectorRules({...info, paused: true, rules: [rule]}, 'json', 200))).toMatchObject({
    apiVersion: 'kubelimbo/v1',
    kind: 'InjectorRules',
    paused: true,
    rules: [rule],
  })
})

test('renderInjectExplained() says how many calls are unknown, and why', async () => {
  const rule = {name: 'r', fault: 'hang', says: 'every call', seen: 1, taken: 1, unknown: 2}
  const first = 'r: every call; of 3 recorded calls 1 match and it would have had 1, and of 2 it is unknown\n'
  expect(await renderInjectExplained({rules: [rule], calls: 3, undecoded: 2}, 'table')).toBe(
    `${first}2 calls were recorded without their requests: record with \`inject --decode\` or \`trace --listen\`.\n`,
  )
  expect(await renderInjectExplained({rules: [rule], calls: 3}, 'table')).toBe(
    `${first}A recording has no fields that are lists, maps or nested in others.\n`,
  )
})

test('renderInjectExplained() has a sentence for each rule, with what it would have had of a recording', async () => {
  const {seen, taken, ...alone} = rule
  expect(await renderInjectExplained({rules: [alone]}, 'table')).toBe('stage: every NodeStageVolume: do not run it and never answer\n')
  expect(await renderInjectExplained({rules: [rule], calls: 9}, 'table')).toBe(
    `stage: every NodeStageVolume: do not run it and never answer; of 9 recorded calls ${seen} match and it would have had ${taken}\n`,
  )
  expect(JSON.parse(await renderInjectExplained({rules: [rule], calls: 9}, 'json'))).toMatchObject({
    kind: 'ExplainedRules',
    calls: 9,
    rules: [rule],
  })
})
