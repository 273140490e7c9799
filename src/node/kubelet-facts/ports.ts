// Where the kubelet listens. Port 0 means that it does not.
import type {Fact} from './fact.ts'
import type {KubeletSettings} from './settings.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface KubeletPorts {
  readonly secure: Fact<Address>
  readonly readOnly: Fact<Address>
  readonly healthz: Fact<Address>
}

export function portsOf(settings: KubeletSettings, running: {readonly certain: boolean} | undefined): KubeletPorts {
  const host = settings.setting('address')?.value ?? ''
  const port = (key: 'readOnlyPort' | 'port' | 'healthzPort', usual: number, why = 'the default', of = host): Fact<Address> => {
    const said = settings.setting(key)
    const number = Number(said?.value)
    return said !== undefined && Number.isInteger(number) && number >= 0 && number <= 65_535
      ? {value: {host: dialled(of), port: number}, why: said.why}
      : {value: {host: dialled(of), port: usual}, why}
  }
  return {
    secure: port('port', 10_250),
    readOnly: port('readOnlyPort', ...readOnlyDefault(settings, running)),
    healthz: port('healthzPort', 10_248, 'the default', settings.setting('healthzBindAddress')?.value ?? ''),
  }
}

/** The port is off by default in a configuration file, and on by default in flags alone (cmd/kubelet/app/options, applyLegacyDefaults). */
function readOnlyDefault({hasConfig, problem}: KubeletSettings, running: {readonly certain: boolean} | undefined): [number, string] {
  if (running === undefined) return [10_255, 'no kubelet was seen to turn it off']
  if (problem !== undefined) return [10_255, problem]
  if (!running.certain) return [10_255, 'its settings are not seen']
  return hasConfig ? [0, 'the default of a configuration file'] : [10_255, 'the default of the flags']
}

/** What to dial for what is listened on. */
function dialled(host: string): string {
  if (host === '::') return '::1'
  return host === '' || host === '0.0.0.0' ? '127.0.0.1' : host
}
