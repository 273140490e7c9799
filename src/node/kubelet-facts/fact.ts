// Something about the kubelet, and how we know.

export interface Fact<T> {
  readonly value: T
  /** 'the command line of kubelet (pid 812)', '/var/lib/kubelet/config.yaml:12', 'the default'. */
  readonly why: string
}
