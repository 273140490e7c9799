import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {injectRequest, nodeOf, rulesGiven, rulesToAdd, traceRequest} from '../../src/cli/inject-flags.ts'
import {givenRuleFlags} from '../../src/cli/rule-flags.ts'
import {postedRules} from '../../src/proxy/control/posted-rules.ts'
import {tempDir} from '../support/socket-dir.ts'

const {signal} = new AbortController()
const signals = {signal, hurry: signal}
const places = {listen: '/tmp/l.sock', upstream: '@up', force: false, for: '10m', decode: false}

test('injectRequest() takes the seed of the flag before that of the file, and 1 where there is none', () => {
  const seedOf = (flag: number | undefined, file: number | undefined) =>
    injectRequest({...places, seed: flag}, {rules: [], ...(file === undefined ? {} : {seed: file})}, 'kubelimbo 0.1.0', signals).seed
  expect([seedOf(3, 4), seedOf(undefined, 4), seedOf(undefined, undefined), seedOf(0, 4)]).toEqual([3, 4, 1, 0])
})

test('injectRequest() has a control socket of its own, or the one that is named, wherever it is run', () => {
  const controlOf = (control?: string) => injectRequest({...places, control}, {rules: []}, 'kubelimbo 0.1.0', signals).control
  expect(controlOf()).toMatch(new RegExp(`/inject-${process.pid}\\.sock$`))
  expect(controlOf('c/x.sock')).toBe(join(process.cwd(), 'c/x.sock'))
})

test.each([
  ['10m', 600_000],
  ['24h', 86_400_000],
])('injectRequest() goes on for %s', (given, ms) => {
  expect(injectRequest({...places, for: given}, {rules: []}, 'kubelimbo 0.1.0', signals).forMs).toBe(ms)
})

test.each(['24h1s', '0s', '1d1ms'])('injectRequest() says what was typed where it goes on for %s', (given) => {
  expect(() => injectRequest({...places, for: given}, {rules: []}, 'kubelimbo 0.1.0', signals)).toThrow(
    `Cannot use --for as it must be more than nothing and at most 24h: it is '${given}'`,
  )
})

test('injectRequest() refuses a rule that would begin when all is over', async () => {
  const of = async (from: string) =>
    injectRequest({...places, for: '20s'}, await rulesGiven({fault: 'hang-call', from}), 'kubelimbo 0.1.0', signals).forMs
  await expect(of('20s')).rejects.toThrow(
    "Cannot inject as the rule 'hang-call' must begin before --for 20s is over: it begins 20 s after the start",
  )
  expect(await of('19s')).toBe(20_000)
})

test('givenRuleFlags() has the flags of the rule alone, and none without a fault', () => {
  const flags = {...places, rules: undefined, fault: 'delay', delay: '5s', request: ['a=b'], stale: true, control: 'x', method: undefined}
  expect(givenRuleFlags(flags)).toEqual({fault: 'delay', delay: '5s', request: ['a=b'], stale: true})
  expect(givenRuleFlags({method: 'X'})).toBeUndefined()
})

test('rulesGiven() reads the file, or the flags, or neither', async () => {
  const file = join(tempDir(), 'rules.yaml')
  writeFileSync(file, 'seed: 9\nrules:\n  - {name: a, fault: {kind: hang-call}}\n')
  expect(await rulesGiven({rules: file})).toMatchObject({seed: 9, rules: [{name: 'a'}]})
  expect(await rulesGiven({fault: 'error', code: 'INTERNAL', nth: '3'})).toMatchObject({
    rules: [{skip: 2, limit: 1, fault: {kind: 'error'}}],
  })
  expect(await rulesGiven({})).toEqual({rules: []})
  await expect(rulesGiven({fault: 'error'})).rejects.toThrow('code')
})

test('rulesToAdd() is what the control socket takes, and the same rules', async () => {
  const file = join(tempDir(), 'rules.yaml')
  writeFileSync(file, 'rules:\n  - {name: a, fault: {kind: hang-call}}\n')
  const flags = {fault: 'delay', delay: '5s', jitter: '1s', pvc: 'default/data', probability: '0.5', per: 'pvc', until: '5m', name: 'slow'}
  for (const given of [{rules: file}, flags]) expect(postedRules(await rulesToAdd(given))).toEqual(await rulesGiven(given))
  await expect(rulesToAdd({})).rejects.toThrow('Cannot add a rule as --rules or --fault must be given: neither is')
})

test('traceRequest() is by a proxy of its own, or by the injector that is named or found', async () => {
  const found = async () => '/run/found.sock'
  const of = async (flags: Parameters<typeof traceRequest>[0]) => (await traceRequest(flags, found, signal)).source
  expect(await of({listen: '/l', upstream: '/u'})).toEqual({listen: '/l', upstream: '/u'})
  expect(await of({control: '/c'})).toEqual({control: '/c'})
  expect(await of({})).toEqual({control: '/run/found.sock'})
  expect(await traceRequest({for: '1m'}, found, signal)).toMatchObject({forMs: 60_000})
  expect(await traceRequest({}, found, signal)).not.toHaveProperty('forMs')
})

test.each(['.', '..', ' ', 'x'.repeat(201)])('rulesGiven() takes no rule of the name %j', async (name) => {
  await expect(rulesGiven({fault: 'hang-call', name})).rejects.toThrow('Cannot use --name as it must be a ')
})

test('traceRequest() looks at --for before it looks for an injector', async () => {
  const none = () => Promise.reject(new Error('there is none'))
  await expect(traceRequest({for: 'abc'}, none, signal)).rejects.toMatchObject({message: expect.stringContaining('--for'), exit: 2})
})

test("nodeOf() takes a rule's --from for no bundle", () => {
  const flags = {timeout: '2s', deadline: '30s', from: '5s', 'host-root': '/host'}
  expect(nodeOf(flags)).toEqual(nodeOf({...flags, from: undefined}))
  expect(nodeOf(flags)).not.toHaveProperty('from')
})
