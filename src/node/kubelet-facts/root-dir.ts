// The kubelet's root directory. It is a flag and nothing else: the configuration file has no key for it.
import {UserError} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import {within} from '../rooted.ts'
import {distributions} from './distributions.ts'
import type {Fact} from './fact.ts'
import type {KubeletSettings} from './settings.ts'

interface Question {
  readonly host: Host
  readonly root: string
  /** --kubelet-root */
  readonly given: string | undefined
  readonly running: {readonly pid: number; readonly program: string} | undefined
  readonly settings: KubeletSettings
}

const usual = '/var/lib/kubelet'

/** @throws UserError when the user's own is no absolute path. */
export async function rootDirOf({host, root, given, running, settings}: Question): Promise<Fact<string>> {
  if (given !== undefined) {
    if (!given.startsWith('/')) throw new UserError(`Cannot use --kubelet-root as it must be an absolute path: it is '${given}'`)
    return {value: plain(given), why: '--kubelet-root'}
  }
  const flag = settings.flag('root-dir')
  if (flag?.value.startsWith('/')) return {value: plain(flag.value), why: flag.why}
  const places = [...new Set(distributions.filter(({program}) => (running?.program ?? program) === program).map(({rootDir}) => rootDir))]
  // A plain kubelet without the flag has one place; a distribution's always says where.
  if (running?.program === 'kubelet') return {value: usual, why: `the default of kubelet (pid ${running.pid})`}
  const found: string[] = []
  for (const place of places) if (await isThere(host, root, `${place}/pods`)) found.push(place)
  const [first, ...others] = found
  const who = running === undefined ? 'no kubelet runs, and' : `${running.program} (pid ${running.pid}) runs, and`
  if (first === undefined)
    return {value: places[0] && running ? places[0] : usual, why: `${who} none of the usual places has a folder of pods`}
  const rivals = others.length === 0 ? '' : `; so has ${others.join(' and ')}`
  return {value: first, why: `${who} it has a folder of pods${rivals}`}
}

function plain(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}

/** What we may not look into is there. */
async function isThere(host: Host, root: string, path: string): Promise<boolean> {
  try {
    await host.look(await within(host, root, path))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}
