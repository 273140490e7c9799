// How far a walk goes below the kubelet's root. What is not named here is an entry and is not entered: a pod can write there, or nobody
// of ours asks for it.

export interface Plan {
  /** By name; an undefined one is an entry only. */
  readonly named?: Readonly<Record<string, Plan | undefined>>
  /** Of every other name. */
  readonly each?: Plan
  /** A pod or a driver writes in it: not listed, only counted, and only when nothing is mounted there. */
  readonly content?: true
  /** Entered even where a local file system is mounted on it: some have ROOT/pods on a disk of its own. */
  readonly crossable?: true
  /** Given up as a whole when a look in it hangs. */
  readonly unit?: true
  /** The kubelet keeps a vol_data.json in it. */
  readonly volData?: true
}

const list: Plan = {}
const content: Plan = {content: true}
const unitList: Plan = {unit: true}

const pod: Plan = {
  unit: true,
  named: {
    volumes: {
      named: {'kubernetes.io~csi': {each: {volData: true, named: {mount: content}}}},
      each: {each: content},
    },
    volumeDevices: {each: list},
    'volume-subpaths': {each: {each: {each: content}}},
    plugins: {each: {each: list}},
    containers: {each: list},
  },
}

const staged: Plan = {volData: true, named: {globalmount: content}}

const blockVolumes: Plan = {
  unit: true,
  named: {staging: {each: content}, publish: {each: list}},
  each: {named: {data: {volData: true}, dev: list}},
}

const csi: Plan = {
  crossable: true,
  named: {volumeDevices: blockVolumes},
  // By driver; `pv`, by the volume's name, until 1.23.
  each: {unit: true, each: staged},
}

export const rootPlan: Plan = {
  crossable: true,
  named: {
    pods: {crossable: true, each: pod},
    plugins: {crossable: true, named: {'kubernetes.io': {crossable: true, named: {csi}, each: unitList}}, each: unitList},
    // The kubelet looks for sockets in its subdirectories, too.
    plugins_registry: {crossable: true, each: unitList},
    'device-plugins': list,
    'pod-resources': list,
    'pods-api': list,
    checkpoints: list,
    image_manager: list,
  },
}
