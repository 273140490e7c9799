import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {ContainerState, PodStatus} from '../../../src/kubelet/pod.ts'
import {podDocument, podFromDocument} from '../../../src/lab/api/pod-document.ts'
import {podStatusDocument, podStatusFromDocument} from '../../../src/lab/api/pod-status-document.ts'

const word = fc.stringMatching(/^[a-zA-Z]{1,8}$/)
const second = fc.integer({min: 1, max: 2_000_000_000}).map((seconds) => seconds * 1000)
const state: fc.Arbitrary<ContainerState> = fc.oneof(
  fc.record({waiting: fc.record({reason: word, message: word}, {requiredKeys: []})}),
  fc.record({running: fc.record({startedAt: second})}),
  fc.record({
    terminated: fc.record(
      {exitCode: fc.integer({min: 0, max: 255}), reason: word, message: word, startedAt: second, finishedAt: second, containerID: word},
      {requiredKeys: ['exitCode']},
    ),
  }),
)
const containers = fc.array(
  fc.record(
    {name: word, image: word, state, lastState: state, ready: fc.boolean(), restartCount: fc.nat(9), containerID: word},
    {requiredKeys: ['name', 'image', 'state', 'ready', 'restartCount']},
  ),
  {maxLength: 3},
)
const status: fc.Arbitrary<PodStatus> = fc.record(
  {
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    reason: word,
    message: word,
    startTime: second,
    conditions: fc.array(
      fc.record(
        {type: word, status: fc.constantFrom('True', 'False', 'Unknown'), reason: word, lastTransitionTime: second},
        {requiredKeys: ['type', 'status']},
      ),
    ),
    initContainerStatuses: containers,
    containerStatuses: containers,
  },
  {requiredKeys: ['phase', 'conditions', 'initContainerStatuses', 'containerStatuses']},
)

/** Without what is carried along unseen. */
const plain = (it: unknown): unknown => JSON.parse(JSON.stringify(it))

test("podStatusFromDocument() reads back every status of the model's", () => {
  fc.assert(
    fc.property(status, (given) => {
      const document = JSON.parse(JSON.stringify(podStatusDocument(given)))
      expect(plain(podStatusFromDocument(document))).toEqual(plain(given))
    }),
  )
})

test('podStatusDocument() gives back what it was read from', () => {
  const document = {phase: 'Running', podIP: '10.0.0.1', containerStatuses: [{name: 'c', resources: {}}]}
  expect(podStatusDocument(podStatusFromDocument(document))).toBe(document)
})

const document = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    generation: 3,
    creationTimestamp: '2026-11-30T12:00:00Z',
    deletionTimestamp: '2026-11-30T12:00:30Z',
    deletionGracePeriodSeconds: 30,
    finalizers: ['x/y'],
    labels: {app: 'x'},
    annotations: {note: 'z'},
  },
  spec: {
    nodeName: 'lab',
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 5,
    activeDeadlineSeconds: 9,
    tolerations: [{operator: 'Exists'}],
    volumes: [
      {name: 'data', persistentVolumeClaim: {claimName: 'c'}},
      {name: 'tmp', emptyDir: {}},
      {name: 'inline', csi: {driver: 'd', volumeAttributes: {a: 'b'}}},
    ],
    containers: [
      {
        name: 'c',
        image: 'i',
        imagePullPolicy: 'Never',
        command: ['sh', '-c'],
        args: ['sleep 1'],
        volumeMounts: [{name: 'tmp', mountPath: '/t'}],
      },
    ],
  },
  status: {phase: 'Running', podIP: '10.0.0.1', qosClass: 'BestEffort'},
}

test("podFromDocument() reads the model's fields", () => {
  const moment = Date.parse('2026-11-30T12:00:00Z')
  expect(plain(podFromDocument(document))).toEqual({
    metadata: {
      name: 'a',
      namespace: 'n',
      uid: 'u',
      resourceVersion: 7,
      creationTimestamp: moment,
      deletionTimestamp: moment + 30_000,
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y'],
      labels: {app: 'x'},
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      activeDeadlineSeconds: 9,
      volumes: [
        {name: 'data', persistentVolumeClaim: {claimName: 'c'}},
        {name: 'inline', csi: {driver: 'd', volumeAttributes: {a: 'b'}}},
      ],
      containers: [
        {
          name: 'c',
          image: 'i',
          imagePullPolicy: 'Never',
          command: ['sh', '-c', 'sleep 1'],
          volumeMounts: [{name: 'tmp', mountPath: '/t'}],
        },
      ],
    },
    status: {phase: 'Running', conditions: [], initContainerStatuses: [], containerStatuses: []},
  })
})

test('podDocument() gives back what the model has no field for', () => {
  const pod = podFromDocument(document)
  expect(podDocument(pod, 'other')).toEqual(document)
  expect(podDocument(pod, 'other')).toBe(podDocument(pod, 'other'))
})
