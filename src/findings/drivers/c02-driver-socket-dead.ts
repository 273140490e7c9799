// C02: a driver's socket is there and nobody listens on it.
import {formatDuration} from '../../base/duration.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {type PodsHere, podsHere} from '../pods/pods-here.ts'
import {findDriverPod, lookAgain, removeStaleSocket, restartDriverPod} from './driver-remedies.ts'
import {type DriverTrouble, driverTroubles, restartMs, troubleEvidence} from './driver-troubles.ts'
import {describeUsers} from './driver-users.ts'
import {servesFuse} from './fuse-drivers.ts'

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
  graceMs: restartMs,
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
  return {
    code: 'C02',
    name: 'driver-socket-dead',
    severity,
    subject,
    message: [sentence(trouble), ...(users.length === 0 ? [] : [`${describeUsers(users, pods)}.`])].join(' '),
    evidence: troubleEvidence(context, trouble),
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
