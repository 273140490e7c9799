// Where this kubelet's log may be: the unit that its process belongs to first, then what distributions call theirs.
import type {Host} from '../endpoints/host.ts'
import {distributions} from './distributions.ts'
import type {Fact} from './fact.ts'
import type {KubeletSettings} from './settings.ts'

export interface LogPlaces {
  readonly units: Fact<readonly string[]>
  /** In the order to try them. */
  readonly files: readonly Fact<string>[]
}

export async function logPlacesOf(host: Host, pid: number | undefined, settings: KubeletSettings): Promise<LogPlaces> {
  const own = pid === undefined ? undefined : await unitOf(host, pid)
  const usual = [...new Set(distributions.flatMap(({units}) => units))]
  const flag = settings.flag('log-file')
  return {
    units: own === undefined ? {value: usual, why: 'the usual names'} : {value: [own], why: `the cgroup of pid ${pid}`},
    files: [
      ...(flag?.value.startsWith('/') ? [flag] : []),
      ...distributions.flatMap(({name, logFiles}) => logFiles.map((value) => ({value, why: `the usual place of ${name}`}))),
    ],
  }
}

async function unitOf(host: Host, pid: number): Promise<string | undefined> {
  try {
    const units = (await host.readText(`/proc/${pid}/cgroup`)).match(/[^/\n]+(?=\.service)/g) ?? []
    return units.at(-1)
  } catch {
    return undefined
  }
}
