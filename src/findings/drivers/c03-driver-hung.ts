// C03: a driver lets us connect and never answers.
import {formatDuration} from '../../base/duration.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {type PodsHere, podsHere} from '../pods/pods-here.ts'
import {pauses} from '../retries.ts'
import {sinceAt} from '../since.ts'
import {findDriverPod, lookAgain, restartDriverPod} from './driver-remedies.ts'
import {type DriverTrouble, driverTroubles, troubleEvidence, unprovenSilence} from './driver-troubles.ts'
import {describeUsers} from './driver-users.ts'
import {servesFuse} from './fuse-drivers.ts'
import {provenMs} from './socket-silence.ts'
import {restartMs} from './socket-youth.ts'
import {troubleSince} from './trouble-since.ts'

const links = [
  'https://github.com/ceph/ceph-csi/pull/4200',
  'https://github.com/kubernetes-csi/node-driver-registrar/issues/139',
  'https://github.com/kubernetes/kubernetes/pull/129799',
]

export const driverHung: Detector = {
  code: 'C03',
  name: 'driver-hung',
  severities: [
    {severity: 'error', when: 'volumes on this node need the driver and its own socket does not answer'},
    {severity: 'warning', when: 'no volume needs it, or only its registration does not answer'},
    {
      severity: 'info',
      when: `nothing tells whose the socket is, the socket is younger than ${formatDuration(restartMs)}, or the node or its kubelet started less than ${formatDuration(healingMs)} ago: a slow start`,
    },
  ],
  graceMs: healingMs,
  needs: () => [['csi.drivers', 'csi.registrations']],
  cannotLook: (context) => (driverTroubles(context).some(({code}) => code === 'C03') ? undefined : unprovenSilence(context)),
  besides: unprovenSilence,
  helpedBy: ['csi.drivers', 'csi.registrations', 'disk.entries', 'disk.vol-data', 'kernel.boot', 'kubelet.log', 'kernel.mounts'],
  explain: {
    what: 'The socket of a CSI driver accepts a connection, and the driver answers neither GetPluginInfo nor Probe nor, before that, HTTP/2.',
    how:
      'Its threads wait: for a storage backend, for a lock that a lost call holds, for stat() on a file system that hangs. The kubelet waits two ' +
      'minutes for each call and does not know afterwards what the driver did.',
    lookAlikes: [
      'a driver that starts slowly',
      `a driver that takes a second to answer: silence counts after ${formatDuration(provenMs)}, and a shorter --deadline gives less`,
      'a driver whose Probe says that it is not ready: it answers, so it lives',
      'a node under such load that everything is slow',
    ],
    links,
  },
  detect: (context) => {
    const pods = podsHere(context)
    return driverTroubles(context).flatMap((trouble) => (trouble.code === 'C03' ? [finding(trouble, context, pods)] : []))
  },
}

function finding(trouble: DriverTrouble, context: DetectContext, pods: PodsHere): Finding {
  const {driver, own, registrations, severity, subject, users} = trouble
  const whose = driver === undefined ? 'an unknown driver' : `driver ${driver}`
  const since = troubleSince(context, trouble)
  const [first] = own
  const sentence =
    first === undefined
      ? `The registration socket ${registrations[0]?.socket ?? ''} of ${whose} accepts connections and does not answer: the kubelet cannot register the driver.`
      : `The socket ${first.socket} of ${whose} accepts connections and does not answer: the kubelet cannot tell what becomes of its calls.`
  return {
    code: 'C03',
    name: 'driver-hung',
    severity,
    subject,
    message: [sentence, ...(users.length === 0 ? [] : [`${describeUsers(users, pods)}.`])].join(' '),
    ...sinceAt(since?.at, context.snapshot.when),
    next: first === undefined ? registrationNext : callNext(context),
    evidence: [...troubleEvidence(context, trouble), ...(since?.evidence ?? [])],
    cause: null,
    remedy: [
      lookAgain,
      findDriverPod(context.snapshot.node, driver),
      ...(severity === 'info' ? [] : [restartDriverPod(driver, driver !== undefined && servesFuse(driver, context))]),
    ],
    links,
  }
}

const registrationNext =
  'The kubelet gives GetInfo up after 1s and tries to register the driver again, up to 2m 2s apart; it needs no restart when the driver answers.'

function callNext({profile}: DetectContext): string {
  const unknown = profile.switches.has('uncertain-mounts')
    ? 'takes what a stage or publish did for uncertain'
    : 'takes a stage or publish for not done, so that nobody undoes it'
  // grpc-go waits 20 s for the first frame of a server (seen with 1.37.2).
  return `The kubelet gives each call up after 2m, or 20s where the driver does not even greet it, ${unknown}, and repeats it ${pauses}.`
}
