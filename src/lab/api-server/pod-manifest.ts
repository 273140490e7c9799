// A pod as a client writes it: what is absent gets the API server's default.
import type {Container, RestartPolicy, Volume} from '../../kubelet/pod.ts'

export interface PodManifest {
  readonly metadata: {
    readonly name: string
    /** Default: default. */
    readonly namespace?: string
    readonly finalizers?: readonly string[]
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly restartPolicy?: RestartPolicy
    readonly terminationGracePeriodSeconds?: number
    readonly activeDeadlineSeconds?: number
    readonly initContainers?: readonly ContainerManifest[]
    readonly containers: readonly ContainerManifest[]
    readonly volumes?: readonly Volume[]
  }
}

export type ContainerManifest = Pick<Container, 'name'> & Partial<Container>
