import {existsSync, statSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {hang} from '../../../src/faults/hang.ts'
import {controlClient} from '../../../src/proxy/control/control-client.ts'
import {serveControl} from '../../../src/proxy/control/serve-control.ts'
import {callRing} from '../../../src/proxy/trace/call-ring.ts'
import {ledgerBook} from '../../../src/proxy/trace/ledger.ts'
import {listedRules} from '../../support/listed-rules.ts'
import {serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {tracedCall} from '../../support/traced-calls.ts'

const info = {tool: 'kubelimbo 0.1.0', pid: 7, listen: 'unix:///l.sock', upstream: 'unix:///u.sock', seed: 1, startedAt: '', expiresAt: ''}
const never = new AbortController().signal

async function served() {
  const path = join(tempDir(), 'control.sock')
  const calls = callRing(3)
  const rules = listedRules({name: 'first', match: {}, fault: hang()})
  const parseRules = (text: string) => {
    if (text === 'bad') throw new UserError('Cannot read the rule as it must be one: it is bad (the request:1)', {hint: 'write another'})
    return {rules: [{name: text, match: {}, fault: hang()}]}
  }
  const control = await serveControl(path, {info, rules, calls, ledger: ledgerBook(), parseRules})
  onTestFinished(() => control[Symbol.asyncDispose]())
  return {path, calls, rules, control, client: controlClient(path, never)}
}

/** As curl would. */
function http(path: string, method: string, at: string, body = ''): Promise<{status: number | undefined; text: string}> {
  return new Promise((resolve, reject) => {
    const asked = request({socketPath: path, method, path: at}, (response) => {
      let text = ''
      response.on('data', (piece) => (text += piece)).on('end', () => resolve({status: response.statusCode, text}))
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

test('serveControl() is for its owner alone, and takes its socket away', async () => {
  const {path, control} = await served()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await control[Symbol.asyncDispose]()
  expect(existsSync(path)).toBe(false)
})

test('controlClient() asks all that there is to ask', async () => {
  const {client, rules} = await served()
  expect(await client.info()).toMatchObject({...info, paused: false})
  expect(await client.add('second')).toMatchObject({rules: [{name: 'second'}]})
  expect((await client.rules()).rules.map(({name}) => name)).toEqual(['first', 'second'])
  await client.remove('first')
  await client.pause(true)
  expect(rules.paused).toBe(true)
  expect(await client.clear()).toBe(1)
  expect(rules.list()).toEqual([])
  expect(await client.ledger()).toEqual({spenders: [], lateSuccesses: [], more: 0})
})

test('controlClient() has the sentence and the hint of what was refused', async () => {
  const {path, client} = await served()
  await expect(client.add('bad')).rejects.toMatchObject({
    message: 'Cannot read the rule as it must be one: it is bad (the request:1)',
    hint: 'write another',
    exit: 2,
  })
  expect(await http(path, 'POST', '/v1/rules', 'bad')).toEqual({
    status: 400,
    text: '{"error":"Cannot read the rule as it must be one: it is bad (the request:1)","hint":"write another"}\n',
  })
  await expect(client.remove('none')).rejects.toThrow("Cannot remove the rule 'none' as it must be in force: there are first")
})

test('GET /v1/calls has the calls that are kept after `since`, then those that come, until the proxy ends', async () => {
  const {client, calls, control} = await served()
  for (const id of [1, 2, 3, 4]) calls.add(tracedCall({id}))
  const heard: number[] = []
  for await (const {id} of client.calls(2)) {
    heard.push(id)
    if (id === 4) calls.add(tracedCall({id: 5}))
    if (id === 5) await control[Symbol.asyncDispose]()
  }
  expect(heard).toEqual([3, 4, 5])
})

test('GET /v1/calls?follow=false ends with those that are kept', async () => {
  const {path, calls} = await served()
  for (const id of [1, 2]) calls.add(tracedCall({id}))
  const {status, text} = await http(path, 'GET', '/v1/calls?follow=false')
  expect(status).toBe(200)
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2])
  expect(await http(path, 'GET', '/v1/calls?since=x')).toEqual({
    status: 400,
    text: `{"error":"Cannot use since as it must be the id of a call: it is 'x'"}\n`,
  })
})

test('serveControl() takes no request of more than a megabyte', async () => {
  const {path} = await served()
  expect(await http(path, 'POST', '/v1/rules', 'x'.repeat(2 ** 20 + 1))).toMatchObject({status: 413})
  expect((await http(path, 'GET', '/v1')).status).toBe(200)
})

test('serveControl() refuses a path where somebody serves, and one that is a file', async () => {
  const {path, calls, rules} = await served()
  const more = {info, rules, calls, ledger: ledgerBook(), parseRules: () => ({rules: []})}
  await expect(serveControl(path, more)).rejects.toThrow(`Cannot listen on ${path} as nobody must listen there: somebody does`)
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  await expect(serveControl(file, more)).rejects.toThrow('it is a file that is no socket')
})

test.each([
  ['nothing', async () => undefined, 'there is no such socket'],
  ['a file', async (path: string) => writeFileSync(path, ''), 'what is there is no socket'],
  ['something else', async (path: string) => void (await serving(path)), 'Parse Error'],
])('controlClient() says so when there is %s', async (_, make, why) => {
  const path = join(tempDir(), 'x.sock')
  await make(path)
  const client = controlClient(path, never)
  await expect(client.info()).rejects.toThrow(`Cannot reach the injector at ${path} as it must be running: `)
  await expect(client.info()).rejects.toThrow(why)
  await expect(client.info()).rejects.toMatchObject({exit: 3})
})

test.each(['', '.', '..', '%2e', '/', '?', '../rules', 'a/b', '#'])(
  'controlClient() removes the rule of the name %j and no other',
  async (name) => {
    const {client, rules} = await served()
    await expect(client.remove(name)).rejects.toThrow(`Cannot remove the rule '${name}' as it must be in force: there are first`)
    rules.add({name, match: {}, fault: hang()})
    if (name !== '') await client.remove(name)
    expect(rules.list().map((standing) => standing.rule.name)).toEqual(name === '' ? ['first', ''] : ['first'])
  },
)

test.each(['/v1/rules/.', '/v1/rules/..', '/v1/rules/%2e', '/v1/rules/', '/v1/rules/./', '//v1/rules'])(
  'serveControl() looks at %s as it came, and takes nothing away',
  async (at) => {
    const {path, rules} = await served()
    expect((await http(path, 'DELETE', at)).status).toBe(404)
    expect(rules.list()).toHaveLength(1)
    expect((await http(path, 'GET', 'http://localhost/v1/rules?x=1')).status).toBe(200)
  },
)
