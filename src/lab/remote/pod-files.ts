// The files of a pod that are in its containers although nobody asked for them. Upstream: kubelet_pods.go, makePodDataDirs, ensureHostsFile;
// kuberuntime/kuberuntime_container.go, makeMounts
import {chmod, mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Dice} from '../../base/dice.ts'
import type {CriMount} from '../../kubelet/cri.ts'

export interface PodFiles {
  makeDataDirs(uid: string): Promise<void>
  /** Makes what belongs to one container of it. @param ip of the pod; '' when it has none. */
  makeMounts(pod: {readonly uid: string; readonly name: string}, container: string, ip: string): Promise<readonly CriMount[]>
}

/** @param root of the kubelet, as this machine has it @param dice two containers of one name have a file each */
export function podFiles(root: string, dice: Dice): PodFiles {
  const podDir = (uid: string) => join(root, 'pods', uid)
  return {
    makeDataDirs: async (uid) => {
      for (const folder of ['volumes', 'plugins']) await mkdir(join(podDir(uid), folder), {recursive: true, mode: 0o750})
    },
    makeMounts: async ({uid, name}, container, ip) => {
      const folder = join(podDir(uid), 'containers', container)
      await mkdir(folder, {recursive: true, mode: 0o750})
      const hosts = join(podDir(uid), 'etc-hosts')
      await writeFile(hosts, hostsFile(name, ip))
      const log = join(folder, hex(dice))
      await writeFile(log, '')
      // Whoever the container runs as.
      await chmod(log, 0o666)
      return [
        {containerPath: '/etc/hosts', hostPath: hosts, readonly: false},
        {containerPath: '/dev/termination-log', hostPath: log, readonly: false},
      ]
    },
  }
}

const hostsFile = (name: string, ip: string): string =>
  [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ...(ip === '' ? [] : [`${ip}\t${name}`]),
    '',
  ].join('\n')

const hex = (dice: Dice): string => [0, 1].map(() => dice.roll(0x10000).toString(16).padStart(4, '0')).join('')
