// Pods of a scenario: manifests as a client writes them, as far as the lab heeds them.
import * as v from 'valibot'
import {byKey, strict} from '../../base/yaml/strict.ts'
import {int32, listOf, oneOf, recordOf, text, whole} from '../../base/yaml/values.ts'
import {labelName, objectName} from './values.ts'

const exec = strict({exec: strict({command: listOf(v.string('a text'))})})

const container = strict({
  name: labelName,
  image: v.exactOptional(text),
  imagePullPolicy: v.exactOptional(oneOf(['Always', 'IfNotPresent', 'Never'])),
  command: v.exactOptional(listOf(v.string('a text'))),
  lifecycle: v.exactOptional(strict({postStart: v.exactOptional(exec)})),
  readinessProbe: v.exactOptional(strict({exec: v.exactOptional(strict({command: listOf(v.string('a text'))}))})),
  volumeMounts: v.exactOptional(listOf(strict({name: labelName, mountPath: text}))),
  volumeDevices: v.exactOptional(listOf(strict({name: labelName, devicePath: text}))),
})

/** Only what a CSI driver serves. */
const volume = byKey('a volume', {
  persistentVolumeClaim: strict({name: labelName, persistentVolumeClaim: strict({claimName: objectName})}),
  csi: strict({name: labelName, csi: strict({driver: objectName})}),
})

/** Of a scenario, in all: what runs in a minute or so. */
export const mostPods = 10_000

export const podSchema = strict({
  apiVersion: v.exactOptional(v.literal('v1', 'v1')),
  kind: v.exactOptional(v.literal('Pod', 'Pod')),
  /** Copies, named name-0, name-1 and so on. */
  count: v.exactOptional(whole(1, mostPods)),
  metadata: strict({
    name: objectName,
    namespace: v.exactOptional(labelName),
    finalizers: v.exactOptional(listOf(text)),
    labels: v.exactOptional(recordOf(v.string('a text'))),
  }),
  spec: strict({
    restartPolicy: v.exactOptional(oneOf(['Always', 'OnFailure', 'Never'])),
    terminationGracePeriodSeconds: v.exactOptional(whole(0, int32)),
    activeDeadlineSeconds: v.exactOptional(whole(1, int32)),
    initContainers: v.exactOptional(listOf(container)),
    containers: v.pipe(listOf(container), v.minLength(1, 'a list of at least one container')),
    volumes: v.exactOptional(listOf(volume)),
  }),
})
