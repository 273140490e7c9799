// What is wrong with a driver, for findings about its volumes: they follow from it.
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {driverTroubles} from './driver-troubles.ts'
import {checkRegistrations} from './unregistered-drivers.ts'

type Cause = NonNullable<Finding['cause']>

/** By the driver's name: the finding C01, C02 or C03 about it. */
export function driverCauses(context: DetectContext): ReadonlyMap<string, Cause> {
  const causes = new Map<string, Cause>(
    checkRegistrations(context).unregistered.map(({driver, subject}) => [driver, {code: 'C01', subject}]),
  )
  for (const {driver, code, subject} of driverTroubles(context)) if (driver !== undefined) causes.set(driver, {code, subject})
  return causes
}
