// The configuration of a containerd that keeps to one folder and runs without a registry and without CAP_SYS_RESOURCE.
// Version 2 is what containerd 1.6 reads and 2.x migrates.
import {join} from 'node:path'

/** The sandbox image, made by ourselves: containerd must find it in its store, since nothing can be pulled. */
export const pauseImage = 'localhost/pause:1'

/** Short, for the socket's sake: see ContainerdPlaces. */
export const folderPrefix = 'limbo-rig-'

export interface ContainerdPlaces {
  /** Holds the pid of the process that looks after the folder. */
  readonly owner: string
  readonly config: string
  readonly root: string
  readonly state: string
  /** containerd refuses a socket path of more than 104 bytes. */
  readonly socket: string
  /** runc's own state, which would go to /run/containerd/runc. */
  readonly runc: string
  readonly log: string
  readonly networks: string
  readonly leases: string
  /** Where it looks up, at each pull, which host has the images of a registry. */
  readonly registries: string
  /** A bridge belongs to the whole machine, and its name has room for 15 characters. */
  readonly bridge: string
  readonly cgroup: string
}

export function containerdPlaces(folder: string): ContainerdPlaces {
  const mark = folder.slice(-6)
  return {
    owner: join(folder, 'owner'),
    config: join(folder, 'config.toml'),
    root: join(folder, 'root'),
    state: join(folder, 'state'),
    socket: join(folder, 'c.sock'),
    runc: join(folder, 'runc'),
    log: join(folder, 'containerd.log'),
    networks: join(folder, 'networks'),
    leases: join(folder, 'leases'),
    registries: join(folder, 'registries'),
    bridge: `limbo-${mark}`,
    cgroup: `/kubelimbo-${mark}`,
  }
}

/** Netns mounts go under the state folder, and the plugins that touch the rest of the machine (/opt, btrfs, zfs, devmapper) stay off. */
export function containerdConfig(places: ContainerdPlaces, cniPlugins: string): string {
  return `version = 2
root = "${places.root}"
state = "${places.state}"
oom_score = 0
disabled_plugins = [
  "io.containerd.internal.v1.opt",
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
]

[grpc]
  address = "${places.socket}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniPlugins}"
    conf_dir = "${places.networks}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${places.registries}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        Root = "${places.runc}"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.other]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.other.options]
        Root = "${places.runc}"
`
}

/** A bridge without a gateway: with one, the plugin would turn on the machine's ip_forward. */
export function bridgeNetwork(places: ContainerdPlaces): string {
  const ipam = {type: 'host-local', dataDir: places.leases, ranges: [[{subnet: '10.213.77.0/24'}]]}
  return JSON.stringify({
    cniVersion: '1.0.0',
    name: places.bridge,
    plugins: [{type: 'bridge', bridge: places.bridge, isGateway: false, ipMasq: false, ipam}],
  })
}
