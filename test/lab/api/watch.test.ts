import {expect, onTestFinished, test} from 'vitest'
import {history} from '../../../src/lab/api/history.ts'
import type {JsonObject} from '../../../src/lab/api/json.ts'
import {kinds} from '../../../src/lab/api/kinds.ts'
import {type WatchEvent, watchEvents} from '../../../src/lab/api/watch-events.ts'
import {startApiLab} from '../../support/api-lab.ts'

const configmaps = '/api/v1/namespaces/default/configmaps'

interface Event {
  readonly type: string
  readonly object: JsonObject & {readonly metadata: JsonObject}
}

async function lab() {
  const {endpoint, tokens, ...started} = await startApiLab({kubelet: false})
  onTestFinished(() => started[Symbol.asyncDispose]())
  const headers = {authorization: `Bearer ${tokens.user}`, 'content-type': 'application/json'}
  const ask = async (method: string, path: string, body?: JsonObject) => {
    const response = await fetch(endpoint.url + path, {method, headers, ...(body === undefined ? {} : {body: JSON.stringify(body)})})
    return (await response.json()) as JsonObject & {readonly metadata: JsonObject}
  }
  let watches = 0
  const put = (name: string, labels: JsonObject = {}) => ask('POST', configmaps, {metadata: {name, labels}})
  /** The events of a watch that ends by itself when `work` is done. */
  const watch = async (
    query: string,
    work: () => Promise<unknown> = async () => {},
    accept = 'application/json',
  ): Promise<readonly Event[]> => {
    const gone = new AbortController()
    const response = await fetch(`${endpoint.url}${configmaps}?watch=true&${query}`, {headers: {...headers, accept}, signal: gone.signal})
    await work()
    // What was written before this is on its way before it.
    const last = `last-${++watches}`
    await put(last, {app: 'x'})
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, {stream: true})
      if (text.includes(`"name":"${last}"`) && text.endsWith('\n')) break
    }
    gone.abort()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
      .slice(0, -1)
  }
  return {...started, ask, put, watch}
}

const brief = (events: readonly Event[]) => events.map(({type, object}) => `${type} ${object.metadata.name ?? '-'}`)

test('a watch without a version begins with what is there', async () => {
  const {put, watch, ask} = await lab()
  await put('a')
  await put('b')
  const work = async () => {
    await put('c')
    await ask('DELETE', `${configmaps}/a`)
  }
  expect(brief(await watch('', work))).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'DELETED a'])
})

test('a watch from a version on has all that was written since', async () => {
  const {put, watch, ask} = await lab()
  const {metadata} = await put('a')
  await put('b')
  await ask('DELETE', `${configmaps}/a`)
  expect(brief(await watch(`resourceVersion=${metadata.resourceVersion}`, () => put('c')))).toEqual(['ADDED b', 'DELETED a', 'ADDED c'])
})

test('a watch with a selector sees objects come and go with their labels', async () => {
  const {put, watch, ask} = await lab()
  const before = await put('a', {app: 'x'})
  const label = (app: string) => ask('PUT', `${configmaps}/a`, {metadata: {name: 'a', labels: {app}}})
  const work = async () => {
    await label('y')
    await label('z')
    await label('x')
  }
  const events = await watch(`labelSelector=app%3Dx&resourceVersion=${before.metadata.resourceVersion}`, work)
  expect(brief(events)).toEqual(['DELETED a', 'ADDED a'])
})

test('a watch that asks for initial events has a bookmark at their end', async () => {
  const {put, watch} = await lab()
  await put('a')
  const events = await watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', () => put('b'))
  expect(brief(events)).toEqual(['ADDED a', 'BOOKMARK -', 'ADDED b'])
  expect(events[1]?.object).toMatchObject({kind: 'ConfigMap', metadata: {annotations: {'k8s.io/initial-events-end': 'true'}}})
})

test('a watch as a table has its columns once', async () => {
  const {put, watch} = await lab()
  await put('a')
  const events = await watch('includeObject=Metadata', () => put('b'), 'application/json;as=Table;v=v1;g=meta.k8s.io')
  expect(events.map(({object}) => object)).toMatchObject([
    {kind: 'Table', columnDefinitions: [{name: 'Name'}, {name: 'Age'}], rows: [{cells: ['a', '0s']}]},
    {kind: 'Table', columnDefinitions: [], rows: [{cells: ['b', '0s'], object: {kind: 'PartialObjectMetadata'}}]},
  ])
})

test('a watch ends after timeoutSeconds', async () => {
  const {endpoint, tokens, ...started} = await startApiLab({kubelet: false})
  onTestFinished(() => started[Symbol.asyncDispose]())
  const headers = {authorization: `Bearer ${tokens.user}`}
  const response = await fetch(`${endpoint.url}${configmaps}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`, {headers})
  expect(
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['BOOKMARK'])
})

test('watchEvents() says that a version is too old', () => {
  const past = history(1)
  for (let revision = 1; revision <= 5; revision++) past.push(change(revision))
  const [kind] = kinds
  if (kind === undefined) throw new Error('no kinds')
  const nothing = async () => {
    throw new Error('nobody writes here')
  }
  const collection = {kind, history: past, get: () => undefined, list: () => [], create: nothing, update: nothing, delete: nothing}
  const events: WatchEvent[] = []
  const rest = {collection, selector: () => true, sendInitialEvents: false, current: () => 5, signal: new AbortController().signal}
  const onEvent = (event: WatchEvent) => void events.push(event)
  expect(watchEvents({...rest, resourceVersion: '2', onEvent})).toBe(false)
  expect(events).toMatchObject([
    {
      type: 'ERROR',
      object: {kind: 'Status', code: 410, reason: 'Expired', message: expect.stringContaining('too old resource version: 2')},
    },
  ])
})

const change = (revision: number) => ({type: 'ADDED' as const, revision, document: () => ({}), before: () => undefined})

test('history() forgets what is older than it keeps, and says so', () => {
  const past = history(3)
  for (let revision = 1; revision <= 6; revision++) past.push(change(revision))
  expect(past.oldest()).toBe(3)
  expect(past.since(2)).toBeUndefined()
  expect(past.since(3)?.map(({revision}) => revision)).toEqual([4, 5, 6])
  expect(past.since(6)).toEqual([])
})

test('history() tells everybody in order, though a listener writes', () => {
  const past = history()
  const heard: number[] = []
  past.subscribe(({revision}) => revision === 1 && past.push(change(2)))
  past.subscribe(({revision}) => heard.push(revision))
  past.push(change(1))
  expect(heard).toEqual([1, 2])
})
