// Volumes have claims, claims have drivers, and each is its own.
import {nearest} from '../base/nearest.ts'
import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import {claimsOf} from './claims.ts'
import type {Scenario} from './schema/scenario.ts'

export function driverProblems(scenario: Scenario): readonly Problem[] {
  const drivers = scenario.drivers.map(({name}) => name)
  const claims = claimsOf(scenario)
  const keys = claims.map(keyOf)
  return [
    ...twice(drivers, 'driver', (index) => ['drivers', index, 'name']),
    ...twice(keys, 'claim', (index) => ['claims', index, 'name']),
    ...twice(
      claims.map(({driver, volumeHandle}) => `${driver} ${volumeHandle}`),
      'volume',
      (index) => ['claims', index, 'volumeHandle'],
    ),
    ...twice(
      claims.map(({volumeName}) => volumeName),
      'volume',
      (index) => ['claims', index, 'volumeName'],
    ),
    ...claims.flatMap(({driver}, index) => unknown(driver, drivers, 'a driver', ['claims', index, 'driver'])),
    ...scenario.pods.flatMap(({metadata: {namespace = 'default'}, spec: {volumes = []}}, pod) =>
      volumes.flatMap((volume, index) => {
        const path = ['pods', pod, 'spec', 'volumes', index]
        if ('csi' in volume) return unknown(volume.csi.driver, drivers, 'a driver', [...path, 'csi', 'driver'])
        const key = keyOf({namespace, name: volume.persistentVolumeClaim.claimName})
        return unknown(key, keys, 'a claim', [...path, 'persistentVolumeClaim', 'claimName'])
      }),
    ),
    ...scenario.steps.flatMap((step, index) =>
      'restartDriver' in step ? unknown(step.restartDriver.driver, drivers, 'a driver', ['steps', index, 'restartDriver', 'driver']) : [],
    ),
  ]
}

const keyOf = ({namespace, name}: {readonly namespace: string; readonly name: string}): string => `${namespace}/${name}`

function unknown(name: string, names: readonly string[], what: string, path: Path): readonly Problem[] {
  if (names.includes(name)) return []
  const near = nearest(name, names)
  const meant = near === undefined ? '' : `, '${near}' may be meant`
  return [{what: `${pathWords(path)} must be ${what} of this scenario: it is '${name}'${meant}`, path, ofKey: false}]
}

function twice(names: readonly string[], what: string, path: (index: number) => Path): readonly Problem[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{what: `${pathWords(path(index))} must be another ${what}'s: it is '${name}' again`, path: path(index), ofKey: false}],
  )
}
