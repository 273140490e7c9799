// Who we can be, before the API server and the kubelet.
import type {HttpTarget} from '../http/get.ts'
import type {TlsSettings} from '../http/secure.ts'
import type {Secret} from '../secret.ts'

export interface Credentials {
  /** '--kubeconfig k.yaml', 'the service account of this pod': a noun for a sentence. */
  readonly source: string
  /** The API server; absent when they are for the kubelet only. */
  readonly server?: URL
  /** How to be sure of the API server, and our own certificate. */
  readonly tls: TlsSettings
  readonly token?: Secret
  /** From the server's address, which does not have it any more. */
  readonly login?: HttpTarget['login']
}

/** A place where credentials may be, and what became of it. */
export interface CredentialPlace {
  readonly source: string
  readonly found:
    | {readonly state: 'usable'; readonly credentials: Credentials; readonly by: string}
    | {readonly state: 'missing' | 'unusable'; readonly why: string}
}

export function usable(places: readonly CredentialPlace[]): readonly Credentials[] {
  return places.flatMap(({found}) => (found.state === 'usable' ? [found.credentials] : []))
}
