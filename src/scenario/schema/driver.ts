// CSI drivers of a scenario, and the claims whose volumes they have.
import * as v from 'valibot'
import {strict} from '../../base/yaml/strict.ts'
import {duration, listOf, oneOf, text} from '../../base/yaml/values.ts'
import {driverWork} from '../../lab/drivers/fake-driver.ts'
import {objectName} from './values.ts'

const [stage, unstage, publish, unpublish] = driverWork
const takes = v.exactOptional(duration)

export const driverSchema = strict({
  name: objectName,
  capabilities: v.exactOptional(listOf(oneOf(['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME']))),
  /** How long its work takes, whether the caller waits or not. */
  takes: v.exactOptional(strict({[stage]: takes, [unstage]: takes, [publish]: takes, [unpublish]: takes})),
  /** What it answers to an unstage of a volume that is published. */
  stillPublished: v.exactOptional(oneOf(['FAILED_PRECONDITION', 'INTERNAL'])),
})

export const claimSchema = strict({
  name: objectName,
  namespace: v.exactOptional(objectName),
  /** Where there is only one, that. */
  driver: v.exactOptional(objectName),
  /** The persistent volume's name. */
  volumeName: v.exactOptional(objectName),
  volumeHandle: v.exactOptional(text),
  volumeMode: v.exactOptional(oneOf(['Filesystem', 'Block'])),
})
