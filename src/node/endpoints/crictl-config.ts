// crictl's configuration file: which one, and what of it concerns us.
import {firstLine, UserError} from '../../base/errors.ts'
import type {Host} from './host.ts'

export interface CrictlConfig {
  /** Undefined when there is no file. */
  readonly path: string | undefined
  readonly runtimeEndpoint?: {readonly text: string; readonly source: string}
  readonly timeoutMs?: number
  readonly warnings: readonly string[]
}

const defaultConfigPath = '/etc/crictl.yaml'

const knownKeys = ['runtime-endpoint', 'image-endpoint', 'timeout', 'debug', 'pull-image-on-create', 'disable-pull-on-run', 'max-retries']

/**
 * @param flag the value of --config.
 * @throws UserError when the file was named by the user and cannot be used. The default one only warns: crictl ignores it without a word.
 */
export async function readCrictlConfig(host: Host, flag: string | undefined): Promise<CrictlConfig> {
  const fromEnv = host.env.CRI_CONFIG_FILE || undefined
  const path = flag ?? fromEnv ?? defaultConfigPath
  const named = flag !== undefined ? '--config' : fromEnv !== undefined ? 'CRI_CONFIG_FILE' : undefined
  const complain = (problem: string, cause?: unknown): CrictlConfig => {
    if (named) throw new UserError(`Cannot use the file that ${named} names ${problem}`, {cause})
    return {path, warnings: [`${path} is left out of account: cannot use it ${problem}`]}
  }
  let text: string
  try {
    text = await host.readText(path)
  } catch (error) {
    if (!named && (error as NodeJS.ErrnoException).code === 'ENOENT') return {path: undefined, warnings: []}
    return complain(`as it must be readable: ${firstLine(error)}`, error)
  }
  return parse(text, path, complain)
}

async function parse(text: string, path: string, complain: (problem: string) => CrictlConfig): Promise<CrictlConfig> {
  const {isMap, isScalar, LineCounter, parseDocument} = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, {lineCounter: lines, uniqueKeys: false})
  const [error] = document.errors
  if (error) return complain(`as it must be YAML: ${firstLine(error)}`)
  if (document.contents === null) return {path, warnings: []}
  if (!isMap(document.contents)) return complain('as it must be a YAML map of settings')
  const warnings: string[] = []
  let found: Omit<CrictlConfig, 'path' | 'warnings'> = {}
  for (const {key, value} of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : String(key)
    const where = `${path}:${isScalar(key) && key.range ? lines.linePos(key.range[0]).line : 1}`
    const setting = isScalar(value) ? value.value : undefined
    if (!knownKeys.includes(name)) warnings.push(`${where} has a key that crictl does not know: '${name}'`)
    else if (name === 'runtime-endpoint') {
      if (typeof setting === 'string' && setting !== '') found = {...found, runtimeEndpoint: {text: setting, source: where}}
      else if (setting !== '' && setting !== null) return complain(`as 'runtime-endpoint' must be a text (${where})`)
    } else if (name === 'timeout') {
      if (!Number.isInteger(setting))
        return complain(`as 'timeout' must be a whole number of seconds: it is '${String(setting)}' (${where})`)
      // crictl takes 0 and less for its default.
      if (Number(setting) > 0) found = {...found, timeoutMs: Number(setting) * 1000}
    }
  }
  return {path, ...found, warnings}
}
