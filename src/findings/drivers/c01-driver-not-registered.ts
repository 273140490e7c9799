// C01: volumes need a driver that the kubelet cannot have registered: every call for them ends with 'not found in the list of registered CSI drivers'.
import {formatDuration} from '../../base/duration.ts'
import {onHost} from '../../node/below-root.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity} from '../finding.ts'
import {healingMs, startedAgo} from '../healing.ts'
import {podsHere} from '../pods/pods-here.ts'
import {pauses} from '../retries.ts'
import {sinceAt} from '../since.ts'
import {findDriverPod, restartDriverPod} from './driver-remedies.ts'
import {describeUsers} from './driver-users.ts'
import {checkRegistrations, type UnregisteredDriver} from './unregistered-drivers.ts'
import {unregisteredSince} from './unregistered-since.ts'

const links = [
  'https://github.com/kubernetes-csi/csi-driver-host-path/issues/71',
  'https://github.com/kubernetes-csi/node-driver-registrar/issues/139',
  'https://github.com/kubernetes-sigs/secrets-store-csi-driver/issues/895',
]

export const driverNotRegistered: Detector = {
  code: 'C01',
  name: 'driver-not-registered',
  severities: [
    {severity: 'error', when: 'volumes on this node need the driver and no socket answers for it'},
    {severity: 'warning', when: 'its own socket answers and only its registration is missing, or a socket that did not answer may be its'},
    {
      severity: 'info',
      when: `the node or its kubelet started less than ${formatDuration(healingMs)} ago: drivers register one after the other`,
    },
  ],
  graceMs: healingMs,
  needs: () => [['csi.registrations'], ['disk.entries'], ['disk.vol-data']],
  cannotLook: (context) => checkRegistrations(context).doubt,
  helpedBy: ['csi.drivers', 'kernel.boot', 'kubelet.log', 'kubelet.pods'],
  explain: {
    what: 'A vol_data.json of a pod or of a staging directory names a driver, and none of the sockets on this node answers with that name.',
    how:
      'The driver was removed, evicted or renamed before its volumes were gone. The kubelet cannot unpublish or unstage them without it: pods ' +
      'stay in Terminating, and new ones in ContainerCreating.',
    lookAlikes: [
      'a node that has just started: the pods of drivers start after the kubelet',
      'a driver whose socket is there and does not answer: that is C02 or C03',
      'a registration socket that we may not open: we could not look',
      'a driver with the same directory as another one: the name that it answers with counts, not the directory',
    ],
    links,
  },
  detect: (context) => checkRegistrations(context).unregistered.map((found) => finding(found, context)),
}

function finding(found: UnregisteredDriver, context: DetectContext): Finding {
  const {driver, users, running, renamed} = found
  const {snapshot} = context
  const nobody = running === undefined ? `No socket answers for driver ${driver}` : `Driver ${driver} runs and nothing registers it`
  const hint = renamed?.name === undefined ? '' : ` Where it was, ${renamed.name} answers: it may be the same driver under another name.`
  const started = startedAgo(context)
  const young = started !== undefined && started < healingMs
  const since = unregisteredSince(context, found, young)
  return {
    code: 'C01',
    name: 'driver-not-registered',
    severity: severityOf(found, young),
    subject: found.subject,
    message: [
      `${nobody}, and ${describeUsers(users, podsHere(context))}.`,
      'The kubelet can neither mount nor unmount them.',
      ...(young ? [`It may still come: the node or its kubelet started ${formatDuration(started)} ago.`] : []),
    ]
      .join(' ')
      .concat(hint),
    ...sinceAt(since?.at, snapshot.when),
    next: `The kubelet looks at plugins_registry each second and registers the driver when a socket there answers for it; until then every call for a volume of it fails, and is repeated ${pauses}.`,
    evidence: [...evidenceOf(found, context), ...(since?.evidence ?? [])],
    cause: null,
    remedy: [findDriverPod(snapshot.node, driver), ...remedies(found)],
    links,
  }
}

function severityOf({running, doubtful}: UnregisteredDriver, young: boolean): Severity {
  if (young) return 'info'
  return running !== undefined || doubtful.length > 0 ? 'warning' : 'error'
}

function evidenceOf({users, running, renamed, doubtful}: UnregisteredDriver, {snapshot}: DetectContext): Evidence[] {
  const registrations = snapshot.readings['csi.registrations']
  const names = registrations.state === 'read' ? registrations.value.flatMap(({name}) => name ?? []) : []
  return [
    ...users.slice(0, 3).map(({path}) => ({source: 'disk.vol-data', fact: `${onHost(snapshot, path)} is a volume of it`})),
    {source: 'csi.registrations', fact: names.length === 0 ? 'nothing is registered' : `registered are ${names.join(', ')}`},
    ...doubtful.map((socket) => ({source: 'csi.registrations', fact: `${socket} did not answer: it may be its`})),
    ...[running, renamed].flatMap((socket) =>
      socket === undefined ? [] : [{source: 'csi.drivers', fact: `${socket.socket} answers as ${socket.name ?? ''}`}],
    ),
  ]
}

function remedies({driver, running, renamed}: UnregisteredDriver): Remedy[] {
  if (running !== undefined) return [restartDriverPod(driver, false)]
  const install: Remedy = {
    command: 'kubectl get daemonsets -A',
    why: `install ${driver} on this node again, until its volumes are gone: then the pods finish by themselves`,
    loses: null,
  }
  if (renamed === undefined) return [install]
  return [{...install, why: `run the driver under its old name ${driver} beside the new one, until its volumes are gone`}]
}
