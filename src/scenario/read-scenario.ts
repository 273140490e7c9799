// A scenario's text as a Scenario, or what is wrong with it, each with its line.
import {UserError} from '../base/errors.ts'
import {readFile} from '../base/yaml/read-file.ts'
import {crossCheck} from './cross-check.ts'
import {type Scenario, scenarioSchema} from './schema/scenario.ts'

export type ScenarioRead =
  | {readonly scenario: Scenario; readonly problems: readonly []}
  | {readonly problems: readonly [string, ...string[]]}

/** @param file its path, for the messages. */
export function readScenario(text: string, file: string): ScenarioRead {
  const read = readFile(text, file, {what: 'scenario', schema: scenarioSchema, crossCheck})
  return 'value' in read ? {scenario: read.value, problems: []} : read
}

/** @throws UserError with what is wrong first. */
export function parseScenario(text: string, file: string): Scenario {
  const read = readScenario(text, file)
  if ('scenario' in read) return read.scenario
  throw new UserError(read.problems[0], {hint: `\`kubelimbo repro validate ${file}\` shows all that is wrong with it`})
}
