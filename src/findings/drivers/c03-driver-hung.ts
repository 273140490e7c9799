// C03: a driver lets us connect and never answers.
import {formatDuration} from '../../base/duration.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {type PodsHere, podsHere} from '../pods/pods-here.ts'
import {findDriverPod, lookAgain, restartDriverPod} from './driver-remedies.ts'
import {type DriverTrouble, driverTroubles, restartMs, troubleEvidence, unprovenSilence} from './driver-troubles.ts'
import {describeUsers} from './driver-users.ts'
import {servesFuse} from './fuse-drivers.ts'
import {provenMs} from './socket-silence.ts'

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
  graceMs: restartMs,
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
  const [first] = own
  const sentence =
    first === undefined
      ? `The registration socket ${registrations[0]?.socket ?? ''} of ${whose} accepts connections and does not answer: the kubelet cannot register the driver.`
      : `The socket ${first.socket} of ${whose} accepts connections and does not answer: every call of the kubelet takes its two minutes and ends unknown.`
  return {
    code: 'C03',
    name: 'driver-hung',
    severity,
    subject,
    message: [sentence, ...(users.length === 0 ? [] : [`${describeUsers(users, pods)}.`])].join(' '),
    evidence: troubleEvidence(context, trouble),
    cause: null,
    remedy: [
      lookAgain,
      findDriverPod(context.snapshot.node, driver),
      ...(severity === 'info' ? [] : [restartDriverPod(driver, driver !== undefined && servesFuse(driver, context))]),
    ],
    links,
  }
}
