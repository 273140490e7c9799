// What a driver is made of: csi-bind, which is its own registrar, or the published programs of kubernetes-csi where the machine has them.
import {dirname} from 'node:path'

export interface DriverProgram {
  readonly command: readonly [file: string, ...args: string[]]
  /** It has written this on stderr once it serves. */
  readonly ready: string
}

export interface DriverPlaces {
  /** csi-bind's. */
  readonly binary: string
  readonly name: string
  readonly socket: string
  readonly registration: string
  readonly state: string
  readonly stageMount: boolean
}

/** The driver first. With KUBELIMBO_HOSTPATHPLUGIN and KUBELIMBO_REGISTRAR, two paths, it is csi-driver-host-path with node-driver-registrar. */
export function programsOf(env: Readonly<Record<string, string | undefined>>, places: DriverPlaces): readonly DriverProgram[] {
  const {binary, name, socket, registration, state, stageMount} = places
  const {KUBELIMBO_HOSTPATHPLUGIN: hostpath, KUBELIMBO_REGISTRAR: registrar} = env
  // hostpath mounts nothing on a staging path.
  if (hostpath === undefined || registrar === undefined || stageMount) {
    const sockets = ['-endpoint', socket, '-registration', registration, '-kubelet-registration-path', socket]
    return [
      {
        command: [binary, ...sockets, '-state', state, '-drivername', name, ...(stageMount ? ['-stage-mount'] : [])],
        ready: 'csi-bind: ready',
      },
    ]
  }
  return [
    {
      command: [hostpath, `--endpoint=unix://${socket}`, '--nodeid=n1', `--drivername=${name}`, `--statedir=${state}`, '--v=3'],
      ready: 'Listening for connections',
    },
    {
      command: [
        registrar,
        `--csi-address=${socket}`,
        `--kubelet-registration-path=${socket}`,
        `--plugin-registration-path=${dirname(registration)}`,
        '--v=2',
      ],
      ready: 'Registration Server started',
    },
  ]
}
