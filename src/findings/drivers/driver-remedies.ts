// Next steps about a CSI driver on this node.
import {checkAgain} from '../check-again.ts'
import type {Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'

export const lookAgain = checkAgain('look again in 15 seconds: a driver that is being restarted is back by then')

export function findDriverPod(node: string, driver: string | undefined): Remedy {
  return {
    command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${shellWord(node || 'NODE')}`,
    why: `find the pod of ${driver ?? 'the driver'} on this node: is it there, does it crash, what do its logs say?`,
    loses: null,
  }
}

/** @param fuse mounts that processes of the driver's pod serve */
export function restartDriverPod(driver: string | undefined, fuse: boolean): Remedy {
  return {
    command: 'kubectl delete pod -n NAMESPACE DRIVER-POD',
    why: `its DaemonSet makes the pod of ${driver ?? 'the driver'} anew, and with it the sockets${fuse ? '; drain the node first: its processes serve mounts' : ''}`,
    loses: fuse ? 'the FUSE mounts that the pod serves: what uses them gets ENOTCONN' : null,
  }
}

/** Only where nothing listens: the kubelet unregisters a driver whose socket goes. 7 is curl's word for that; a socket that answers gives another. */
export function removeStaleSocket(socket: string): Remedy {
  const path = shellWord(socket)
  return {
    command: `curl -s -m 3 -o /dev/null --unix-socket ${path} http://localhost/; test $? -eq 7 && rm ${path}`,
    why: 'the kubelet tries it again and again; a driver that comes back makes its own',
    loses: null,
  }
}
