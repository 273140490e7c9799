// Reads a scenario and says whether it can be played.
import {readScenario} from './scenario/read-scenario.ts'
import {scenarioFile} from './scenario/shipped.ts'

export interface Validated {
  /** What it is, when nothing is wrong. */
  readonly says: string
  readonly problems: readonly string[]
}

/** @throws UserError when there is no such file. */
export async function validateScenario(word: string): Promise<Validated> {
  const {text, file} = await scenarioFile(word)
  const read = readScenario(text, file)
  if (!('scenario' in read)) return {says: '', problems: read.problems}
  const {name, label, expect} = read.scenario
  const verdicts = (['reproduced', 'fixed'] as const).flatMap((verdict) => {
    const keys = Object.entries(expect).flatMap(([key, expected]) => (expected.verdict === verdict ? [key] : []))
    return keys.length === 0 ? [] : [`${verdict} on ${keysText(keys, Object.keys(expect).length === 1)}`]
  })
  return {says: `${file} is the scenario ${name} (${label}): ${verdicts.join('; ')}`, problems: []}
}

/** Where nothing else is named, the default is of all. */
const keysText = (keys: readonly string[], isAlone: boolean): string =>
  keys.map((key) => (key === 'default' ? (isAlone ? 'all' : 'all others') : key)).join(', ')
