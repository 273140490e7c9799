// The configuration file and the flags of a kubelet that shares its machine with others: no cgroups, no iptables, no eviction, nothing of swap, ports of its own.
import {join} from 'node:path'
import {stringify} from 'yaml'
import type {KubeletConfig} from '../../kubelet/ports.ts'

export interface KubeletPlaces {
  /** For its configuration, its certificates and its log. */
  readonly folder: string
  /** What it calls /var/lib/kubelet. */
  readonly root: string
  /** Path of a socket. */
  readonly runtime: string
  readonly nodeName: string
  readonly ports: {readonly https: number; readonly readOnly: number}
  /** What a scenario says of it. */
  readonly own: KubeletConfig
}

export interface KubeletSettings {
  /** For the file that --config names. */
  readonly config: string
  readonly flags: readonly string[]
}

export const configFile = (folder: string): string => join(folder, 'config.yaml')
export const kubeconfigFile = (folder: string): string => join(folder, 'kubeconfig-of-the-kubelet')

/** @param minor of its version: 17 and later */
export function kubeletSettings(minor: number, {folder, root, runtime, nodeName, ports, own}: KubeletPlaces): KubeletSettings {
  const endpoint = `unix://${runtime}`
  const config = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: '127.0.0.1',
    port: ports.https,
    readOnlyPort: ports.readOnly,
    healthzPort: 0,
    authentication: {anonymous: {enabled: true}, webhook: {enabled: false}},
    authorization: {mode: 'AlwaysAllow'},
    contentType: 'application/json',
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    // How full this machine's disk is is no concern of the scenario's.
    evictionHard: {'memory.available': '0%', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'imagefs.available': '0%'},
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    makeIPTablesUtilChains: false,
    ...own,
    ...(minor >= 31 && {failCgroupV1: false}),
    ...(minor >= 27 && {containerRuntimeEndpoint: endpoint}),
  }
  const flags = [
    ...[`--config=${configFile(folder)}`, `--kubeconfig=${kubeconfigFile(folder)}`, `--root-dir=${root}`],
    ...[`--cert-dir=${join(folder, 'pki')}`, `--hostname-override=${nodeName}`, `--volume-plugin-dir=${join(folder, 'plugins')}`],
    // Otherwise docker, which went with 1.24.
    ...(minor < 24 ? ['--container-runtime=remote'] : []),
    ...(minor < 27 ? [`--container-runtime-endpoint=${endpoint}`] : []),
    '--v=4',
  ]
  return {config: stringify(config), flags}
}
