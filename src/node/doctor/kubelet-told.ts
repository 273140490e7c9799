// What is known of the kubelet, in lines.
import type {Pins} from '../kubelet-api/pins.ts'
import type {Fact} from '../kubelet-facts/fact.ts'
import type {Address} from '../kubelet-facts/ports.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import type {Told} from './told.ts'

interface Known {
  readonly facts: KubeletFacts
  /** Undefined when the user named a kubelet that may be another's. */
  readonly pins: Pins | undefined
  readonly version: string | undefined
}

export function kubeletTold({facts, pins, version}: Known): readonly Told[] {
  const {process, root, rootDir, rootDirReal, node, kubeconfig, ports, log} = facts
  const address = (name: string, {value, why}: Fact<Address>) => ({
    name,
    value: value.port === 0 ? 'off' : `${value.host}:${value.port}`,
    why,
  })
  return [
    {
      name: 'process',
      value: process === undefined ? 'none' : `${process.program} (pid ${process.pid})`,
      why: process === undefined ? 'no process of that name was seen' : root === '' ? '/proc' : `below ${root}`,
    },
    {
      name: 'version',
      value: version ?? 'unknown',
      why: version === undefined ? 'neither its metrics nor its node say it' : 'its metrics, or its node',
    },
    {name: 'node', value: node.value === '' ? 'unknown' : node.value, why: node.why},
    {
      name: 'root directory',
      value: rootDir.value,
      why: rootDirReal === undefined ? rootDir.why : `${rootDir.why}; it is a link to ${rootDirReal}`,
    },
    ...(kubeconfig === undefined ? [] : [{name: 'kubeconfig', value: kubeconfig.value, why: kubeconfig.why}]),
    address('port', ports.secure),
    address('read-only port', ports.readOnly),
    address('healthz port', ports.healthz),
    certificate(pins),
    {
      name: 'unit',
      value: log.units.value.length === 1 ? (log.units.value[0] ?? '') : 'unknown',
      why: log.units.value.length === 1 ? log.units.why : `${log.units.why}: ${log.units.value.join(', ')}`,
    },
  ]
}

function certificate(pins: Pins | undefined): Told {
  const name = 'certificate'
  if (pins === undefined) return {name, value: 'not verified', why: '--kubelet-url may be that of another node'}
  return pins.files.length > 0
    ? {name, value: 'verified', why: `it must be that of ${pins.files.join(' or ')}`}
    : {name, value: 'not verified', why: 'none of the files that may hold it can be read: whoever listens is believed'}
}
