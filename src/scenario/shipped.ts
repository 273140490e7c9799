// The scenarios that come with the tool, and those that somebody names.
import {readFile} from 'node:fs/promises'
import {firstLine, UserError} from '../base/errors.ts'
import {nearest} from '../base/nearest.ts'
import {type ShippedFile, shippedFiles} from '../base/shipped-files.ts'
import {parseScenario} from './read-scenario.ts'
import type {Scenario} from './schema/scenario.ts'

const folder = 'fixtures/scenarios'

export interface ScenarioFile {
  readonly file: string
  readonly text: string
}

export async function shippedScenarios(): Promise<readonly Scenario[]> {
  return (await shippedFiles(folder)).map(({path, text}) => parseScenario(text, path))
}

/** @throws UserError when it is neither a file nor one of ours. */
export async function scenarioNamed(word: string): Promise<Scenario> {
  const {text, file} = await scenarioFile(word)
  return parseScenario(text, file)
}

/** A word with a / or an ending of YAML is a file, any other the name of one of ours. */
export async function scenarioFile(word: string): Promise<ScenarioFile> {
  if (word.includes('/') || /\.ya?ml$/.test(word)) return {file: word, text: await ownFile(word)}
  const shipped = await shippedFiles(folder)
  const found = shipped.find((each) => nameOf(each) === word)
  if (found !== undefined) return {file: found.path, text: found.text}
  const names = shipped.map(nameOf)
  const near = nearest(word, names)
  const hint = near === undefined ? 'a file has a / or ends in .yaml; `kubelimbo repro list` shows what there is' : `'${near}' may be meant`
  throw new UserError(`Cannot find the scenario as it must be one of ${names.join(', ')}: it is '${word}'`, {hint})
}

const nameOf = ({path}: ShippedFile): string => path.replace(/^.*\//, '').replace(/\.yaml$/, '')

async function ownFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UserError(`Cannot read scenario ${path} as it must be a file that can be read: ${firstLine(error)}`, {cause: error})
  }
}
