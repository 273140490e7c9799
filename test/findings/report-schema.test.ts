// The published shape of a report: each property matters.
import {Ajv} from 'ajv'
import {expect, test} from 'vitest'
import type {CheckReport} from '../../src/findings/report.ts'
import {publishedSchema} from '../support/published-schema.ts'

const schema = publishedSchema('check-report')
const validate = new Ajv({strict: true, allErrors: true, allowUnionTypes: true}).compile(schema)

const subject = {
  kind: 'Volume',
  namespace: 'default',
  name: 'pv1',
  uid: 'u',
  id: 'i',
  path: '/p',
  driver: 'd',
  handle: 'h',
  pod: 'web-0',
  podUid: 'u1',
} as const

/** A report in which every property of the schema appears. */
const full: CheckReport = {
  apiVersion: 'kubelimbo/v1',
  kind: 'CheckReport',
  metadata: {node: 'n1', when: '2026-11-30T03:11:04Z', tool: 'kubelimbo 0.1.0', baseline: {node: 'n1', when: '2026-11-29T03:11:04Z'}},
  partial: true,
  looked: ['U01'],
  unseen: [{source: 'kubelet.log', why: 'not in the capture'}],
  findings: [
    {
      code: 'U01',
      name: 'stage-uncertain',
      severity: 'info',
      subject,
      message: 'm',
      since: '2026-11-30T03:10:04Z',
      next: 'the kubelet gives up at 03:12:44Z',
      evidence: [{source: 'disk.entries', fact: 'f'}],
      cause: {code: 'V09', subject},
      remedy: [{command: 'c', why: 'w', loses: null}],
      links: ['https://example.test/1'],
      known: true,
    },
  ],
}

type Path = readonly (string | number)[]

/** Every property of a value, as the path to it. */
function propertyPaths(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => propertyPaths(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [[...path, key], ...propertyPaths(item, [...path, key])])
}

function changed(path: Path, change: (holder: Record<string, unknown>, key: string) => void): unknown {
  const copy = structuredClone(full) as unknown as Record<string, unknown>
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], copy)
  change(holder as Record<string, unknown>, String(path.at(-1)))
  return copy
}

const paths = propertyPaths(full)
const optional = new Set(Object.keys(subject).filter((key) => key !== 'kind'))
const notAlways = new Set(['baseline', 'known', 'since', 'next'])
const required = paths.filter((path) => {
  const last = String(path.at(-1))
  return !notAlways.has(last) && !(path.includes('subject') && optional.has(last))
})

test('the schema accepts a report with every property', () => {
  expect(validate(full), JSON.stringify(validate.errors)).toBe(true)
})

test('the schema names no property that the full report lacks', () => {
  const named = [...JSON.stringify(schema).matchAll(/"properties":\{/g)].length
  expect(named).toBeGreaterThan(5)
  const keys = new Set(paths.map((path) => String(path.at(-1))))
  const inSchema = propertyPaths(schema).flatMap((path) => (path.at(-2) === 'properties' ? [String(path.at(-1))] : []))
  expect(inSchema.filter((key) => !keys.has(key))).toEqual([])
})

test.each(required.map((path) => [path.join('.'), path] as const))('the schema refuses a report without %s', (_name, path) => {
  expect(validate(changed(path, (holder, key) => delete holder[key]))).toBe(false)
})

test.each(paths.map((path) => [path.join('.'), path] as const))('the schema refuses a report whose %s has another name', (_name, path) => {
  const renamed = changed(path, (holder, key) => {
    holder[`${key}X`] = holder[key]
    delete holder[key]
  })
  expect(validate(renamed)).toBe(false)
})
