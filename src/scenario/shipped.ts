// The scenarios that come with the tool, and those that somebody names.
import {createReadStream} from 'node:fs'
import {resolve} from 'node:path'
import {firstLine, UserError} from '../base/errors.ts'
import {likely} from '../base/nearest.ts'
import {type ShippedFile, shippedFiles} from '../base/shipped-files.ts'
import {mostBytes} from '../base/yaml/yaml-text.ts'
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

/** Each once, in the order in which they were named first. @throws UserError when one is neither a file nor one of ours. */
export async function scenariosNamed(words: readonly string[]): Promise<readonly Scenario[]> {
  const once = new Map<string, ScenarioFile>()
  // One after the other: of several that are wrong it is the first that is told.
  for (const word of new Set(words)) {
    const found = await scenarioFile(word)
    once.set(resolve(found.file), found)
  }
  return [...once.values()].map(({file, text}) => parseScenario(text, file))
}

/** A word with a / or an ending of YAML or JSON is a file, - is what comes on stdin, any other word the name of one of ours. */
export async function scenarioFile(word: string): Promise<ScenarioFile> {
  if (word === '-') return {file: 'stdin', text: await textOf(process.stdin, 'stdin')}
  if (word.includes('/') || /\.(ya?ml|json)$/.test(word))
    return {file: word, text: await textOf(createReadStream(word, {end: mostBytes}), word)}
  const shipped = await shippedFiles(folder)
  const found = shipped.find((each) => nameOf(each) === word)
  if (found !== undefined) return {file: found.path, text: found.text}
  const names = shipped.map(nameOf)
  const near = likely(word, names)
  const hint =
    near.length === 0
      ? `a file has a / or ends in .yaml; \`kubelimbo repro list\` shows what there is`
      : `'${near.join("' or '")}' may be meant`
  throw new UserError(`Cannot find the scenario as it must be one of ${names.join(', ')}: it is '${word}'`, {hint})
}

/** To be shown: whatever else is wrong with it. @throws UserError when it is no scenario at all. */
export async function scenarioToShow(word: string): Promise<string> {
  const {text, file} = await scenarioFile(word)
  if (!/(^|[\s{,])["']?kind["']?\s*:\s*["']?Scenario\b/m.test(text))
    throw new UserError(`Cannot show ${file} as it must be a scenario: it has no 'kind: Scenario'`)
  return text
}

const nameOf = ({path}: ShippedFile): string => path.replace(/^.*\//, '').replace(/\.yaml$/, '')

/** Not more of it than a scenario may have and one: whoever reads it says that it is too large. */
async function textOf(stream: AsyncIterable<unknown>, path: string): Promise<string> {
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk as Uint8Array))
      size += (chunk as Uint8Array).length
      if (size > mostBytes) break
    }
    if (size > mostBytes) throw new UserError(tooLarge(path))
    return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = error instanceof TypeError ? 'it is not UTF-8' : firstLine(error)
    throw new UserError(`Cannot read scenario ${path} as it must be a file that can be read: ${why}`, {cause: error})
  }
}

const tooLarge = (path: string): string => `Cannot read scenario ${path} as it must be at most ${mostBytes / 1e6} MB: it is larger`
