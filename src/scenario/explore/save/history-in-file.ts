// A history as the parts of a scenario file: moments as people write them, names without the usual namespace.
import type {Fault} from '../../../faults/fault.ts'
import type {Rule} from '../../../faults/rule.ts'
import type {Step} from '../../schema/step.ts'
import type {Driver, History} from '../history.ts'

type Plain = Readonly<Record<string, unknown>>

export function historyInFile({drivers, claims, pods, rules, steps, until}: History): Plain {
  return {
    ...(drivers.length === 0 ? {} : {drivers: drivers.map(driverInFile)}),
    ...(claims.length === 0 ? {} : {claims}),
    pods,
    ...(rules.length === 0 ? {} : {rules: rules.map(ruleInFile)}),
    steps: steps.map(stepInFile),
    until: durationInFile(until),
  }
}

/** '7.25s' */
const durationInFile = (ms: number): string => `${ms / 1000}s`

function driverInFile({takes, ...rest}: Driver): Plain {
  if (takes === undefined) return rest
  return {...rest, takes: Object.fromEntries(Object.entries(takes).map(([method, ms]) => [method, durationInFile(ms)]))}
}

const durations = new Set(['at', 'plus', 'within', 'down', 'gracePeriod'])

function stepInFile(step: Step): Plain {
  return inFile(step as unknown as Plain)
}

function inFile(values: Plain): Plain {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueInFile(name, value)]))
}

function valueInFile(name: string, value: unknown): unknown {
  if (durations.has(name) && typeof value === 'number') return durationInFile(value)
  if (typeof value === 'string') return value.replace(/^default\//, '')
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? short(name, inFile(value as Plain)) : value
}

/** {pod: web-0} alone is written as web-0. */
function short(name: string, value: Plain): unknown {
  const {pod, ...more} = value
  return (name === 'delete' || name === 'evict') && Object.keys(more).length === 0 ? pod : value
}

function ruleInFile({fault, match, ...rest}: Rule): Plain {
  return {...rest, match: inFile(match as unknown as Plain), fault: faultInFile(fault)}
}

function faultInFile({kind, plan: {before, reply}}: Fault): Plain {
  if (kind === 'delay') return {kind, for: durationInFile(before)}
  if (kind === 'hold' && reply.kind === 'hold') return {kind, for: durationInFile(reply.ms)}
  if (reply.kind === 'replace' && 'code' in reply.with) return {kind, code: reply.with.code}
  return {kind}
}
