// Pods of a scenario: manifests as a client writes them, as far as the lab heeds them.
import * as v from 'valibot'
import {byKey, strict} from './strict.ts'
import {count, listOf, objectName as name, oneOf, recordOf, text} from './values.ts'

const exec = strict({exec: strict({command: listOf(v.string('a text'))})})

const container = strict({
  name,
  image: v.exactOptional(text),
  imagePullPolicy: v.exactOptional(oneOf(['Always', 'IfNotPresent', 'Never'])),
  command: v.exactOptional(listOf(v.string('a text'))),
  lifecycle: v.exactOptional(strict({postStart: v.exactOptional(exec)})),
  readinessProbe: v.exactOptional(strict({exec: v.exactOptional(strict({command: listOf(v.string('a text'))}))})),
})

/** Only what a CSI driver serves. */
const volume = byKey('a volume', {
  persistentVolumeClaim: strict({name, persistentVolumeClaim: strict({claimName: name})}),
  csi: strict({name, csi: strict({driver: name})}),
})

export const podSchema = strict({
  apiVersion: v.exactOptional(v.literal('v1', 'v1')),
  kind: v.exactOptional(v.literal('Pod', 'Pod')),
  /** Copies, named name-0, name-1 and so on. */
  count: v.exactOptional(v.pipe(count, v.minValue(1, '1 or more'), v.maxValue(100_000, '100000 or less'))),
  metadata: strict({
    name,
    namespace: v.exactOptional(name),
    finalizers: v.exactOptional(listOf(text)),
    labels: v.exactOptional(recordOf(v.string('a text'))),
  }),
  spec: strict({
    restartPolicy: v.exactOptional(oneOf(['Always', 'OnFailure', 'Never'])),
    terminationGracePeriodSeconds: v.exactOptional(count),
    activeDeadlineSeconds: v.exactOptional(count),
    initContainers: v.exactOptional(listOf(container)),
    containers: v.pipe(listOf(container), v.minLength(1, 'a list of at least one container')),
    volumes: v.exactOptional(listOf(volume)),
  }),
})
