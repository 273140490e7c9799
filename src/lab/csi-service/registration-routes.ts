// What a registrar serves in plugins_registry: whose driver it is, and an ear for what the kubelet makes of it.
import type {ConnectRouter} from '@connectrpc/connect'
import {Registration} from '../../wire/gen/registration_pb.ts'

export interface RegistrationStatus {
  readonly registered: boolean
  /** Why not; empty where it is. */
  readonly error: string
}

export interface RegistrationOptions {
  readonly name: string
  /** The path of the driver's socket. */
  readonly endpoint: string
  readonly versions?: readonly string[]
  readonly onStatus?: (status: RegistrationStatus) => void
}

export function registrationRoutes({name, endpoint, versions = ['1.0.0'], onStatus}: RegistrationOptions): (router: ConnectRouter) => void {
  return (router) => {
    router.service(Registration, {
      getInfo: () => ({type: 'CSIPlugin', name, endpoint, supportedVersions: [...versions]}),
      notifyRegistrationStatus: ({pluginRegistered: registered, error}) => {
        onStatus?.({registered, error})
        return {}
      },
    })
  }
}
