// A history with one volume less, or with a plainer driver.
import type {Volume} from '../../../kubelet/pod.ts'
import type {Driver, History} from '../history.ts'

export function* simplerVolumes(history: History): Generator<History> {
  const {claims, drivers, pods} = history
  if (claims.length > 1) for (const {name} of claims) yield withoutClaim(history, name)
  for (const [index, pod] of pods.entries()) {
    const {volumes = [], ...spec} = pod.spec
    if (volumes.length === 1 && pods.length > 1) yield {...history, pods: pods.with(index, {...pod, spec})}
    if (volumes.length < 2) continue
    for (const volume of volumes.keys()) {
      yield {...history, pods: pods.with(index, {...pod, spec: {...spec, volumes: volumes.toSpliced(volume, 1)}})}
    }
  }
  for (const [index, driver] of drivers.entries()) {
    for (const plainer of simplerDrivers(driver)) yield {...history, drivers: drivers.with(index, plainer)}
  }
}

function withoutClaim(history: History, name: string): History {
  const {claims, pods, rules, steps} = history
  const isOther = (volume: Volume) => !('persistentVolumeClaim' in volume && volume.persistentVolumeClaim.claimName === name)
  return {
    ...history,
    claims: claims.filter((each) => each.name !== name),
    pods: pods.map((pod) => ({...pod, spec: {...pod.spec, volumes: (pod.spec.volumes ?? []).filter(isOther)}})),
    rules: rules.filter(({match}) => match.request?.volume !== `vol-${name}`),
    steps: steps.filter((step) => !('removePath' in step && step.removePath.endsWith(`/pv-${name}`))),
  }
}

function* simplerDrivers(driver: Driver): Generator<Driver> {
  const {takes = {}, capabilities, stillPublished, ...rest} = driver
  const kept = {...rest, ...(capabilities === undefined ? {} : {capabilities}), ...(stillPublished === undefined ? {} : {stillPublished})}
  const methods = Object.keys(takes) as (keyof typeof takes)[]
  if (methods.length > 0) yield kept
  for (const method of methods) {
    const {[method]: ms = 0, ...others} = takes
    if (methods.length > 1) yield {...driver, takes: others}
    for (const less of [10_000, 130_000]) if (less < ms) yield {...driver, takes: {...takes, [method]: less}}
  }
  const {capabilities: _, ...usual} = driver
  if (capabilities !== undefined) yield usual
  const {stillPublished: __, ...plain} = driver
  if (stillPublished !== undefined) yield plain
}
