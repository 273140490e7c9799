// C02: a driver's socket is there and nobody listens on it.
import {formatDuration} from '../../base/duration.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {type PodsHere, podsHere} from '../pods/pods-here.ts'
import {pauses} from '../retries.ts'
import {sinceAt} from '../since.ts'
import {findDriverPod, lookAgain, removeStaleSocket, restartDriverPod} from './driver-remedies.ts'
import {type DriverTrouble, driverTroubles, troubleEvidence} from './driver-troubles.ts'
import {describeUsers} from './driver-users.ts'
import {servesFuse} from './fuse-drivers.ts'
import {restartMs} from './socket-youth.ts'
import {troubleSince} from './trouble-since.ts'

const links = [
  'https://github.com/kubernetes-csi/node-driver-registrar/issues/206',
  'https://github.com/juicedata/juicefs-csi-driver/issues/452',
  'https://github.com/kubernetes-csi/node-driver-registrar/issues/139',
]

export const driverSocketDead: Detector = {
  code: 'C02',
  name: 'driver-socket-dead',
  severities: [
    {severity: 'error', when: 'volumes on this node need the driver'},
    {severity: 'warning', when: 'no volume needs it: a registered driver that is down, or a registration socket that was left behind'},
    {
      severity: 'info',
      when: `the driver answers through another socket, nothing tells whose the socket is, the socket is younger than ${formatDuration(restartMs)}, or the node or its kubelet started less than ${formatDuration(healingMs)} ago`,
    },
  ],
  graceMs: healingMs,
  sampleTwice: true,
  needs: () => [['csi.drivers', 'csi.registrations']],
  helpedBy: ['csi.drivers', 'csi.registrations', 'disk.entries', 'disk.vol-data', 'kernel.boot', 'kubelet.log', 'kernel.mounts'],
  explain: {
    what: "A CSI driver's own socket, or the one that it registers with, exists and refuses connections: its process is gone and has left the file.",
    how:
      'A process that is killed, and a node that is switched off, leave their sockets behind. The kubelet tries a stale registration socket ' +
      'again and again, up to 2m 2s apart, and every call to a dead driver ends with UNAVAILABLE.',
    lookAlikes: [
      'a driver that is being restarted: its sockets are back within seconds',
      'a socket that we may not open: we could not look',
      'an old socket beside the one that the driver answers on now',
      'two drivers that share a directory: a dead socket is that of the driver whose registration names it',
    ],
    links,
  },
  detect: (context) => {
    const pods = podsHere(context)
    return driverTroubles(context).flatMap((trouble) => (trouble.code === 'C02' ? [finding(trouble, context, pods)] : []))
  },
}

function finding(trouble: DriverTrouble, context: DetectContext, pods: PodsHere): Finding {
  const {severity, subject, users} = trouble
  const since = troubleSince(context, trouble)
  return {
    code: 'C02',
    name: 'driver-socket-dead',
    severity,
    subject,
    message: [sentence(trouble), ...(users.length === 0 ? [] : [`${describeUsers(users, pods)}.`])].join(' '),
    ...sinceAt(since?.at, context.snapshot.when),
    next: next(trouble),
    evidence: [...troubleEvidence(context, trouble), ...(since?.evidence ?? [])],
    cause: null,
    remedy: remedies(trouble, context),
    links,
  }
}

function sentence({driver, own, registrations, registered, answers}: DriverTrouble): string {
  const whose = driver === undefined ? 'an unknown driver' : `driver ${driver}`
  const [first] = own
  if (first !== undefined) {
    const what = first.answer.state === 'missing' ? 'is not there, although its registration names it' : 'refuses connections'
    return `The socket ${first.socket} of ${whose} ${what}: the kubelet cannot call the driver.`
  }
  const stale = `The registration socket ${registrations[0]?.socket ?? ''} of ${whose} refuses connections`
  if (registered) return `${stale}; another one answers for the driver.`
  return `${stale}${answers ? ', while the driver itself answers' : ''}: a kubelet that starts now cannot register the driver.`
}

function next({own, registered}: DriverTrouble): string {
  if (own.length > 0)
    return `The kubelet gets UNAVAILABLE at once for each call about a volume of it, and repeats the call ${pauses}; it needs no restart when the driver is back.`
  const stale =
    'The kubelet tries a registration socket that it has not registered by again and again, up to 2m 2s apart, until somebody listens on it or the file is gone'
  return registered
    ? `${stale}; the driver stays registered by the other one.`
    : `${stale}; a driver that it registered before stays so until the file goes or the kubelet starts anew.`
}

function remedies(trouble: DriverTrouble, context: DetectContext): Remedy[] {
  const {driver, registrations, severity, users} = trouble
  if (severity === 'info') return driver === undefined ? [lookAgain] : [lookAgain, findDriverPod(context.snapshot.node, driver)]
  const stale = registrations.filter(({answer}) => answer.state === 'refused').map(({socket}) => removeStaleSocket(socket))
  const ownerDown = !trouble.answers || trouble.registered
  const leftBehind = users.length === 0 && trouble.own.length === 0
  const restart = driver === undefined || leftBehind ? [] : [restartDriverPod(driver, servesFuse(driver, context))]
  if (users.length === 0 && (trouble.registered || driver === undefined)) return [lookAgain, ...stale]
  return [lookAgain, findDriverPod(context.snapshot.node, driver), ...restart, ...(ownerDown ? stale : [])]
}
