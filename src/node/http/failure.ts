// Why there is no reply at all, in words for a sentence that begins with the address.

export type HttpFailureKind = 'refused' | 'unreachable' | 'tls' | 'too-large' | 'broken'

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: HttpFailureKind

  constructor(kind: HttpFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

const failures: Readonly<Record<string, readonly [HttpFailureKind, string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there (connection refused)'],
  EHOSTUNREACH: ['unreachable', 'there is no way to that host'],
  ENETUNREACH: ['unreachable', 'there is no way to that network'],
  EADDRNOTAVAIL: ['unreachable', 'there is no way to that host'],
  ETIMEDOUT: ['unreachable', 'it does not take connections'],
  ENOTFOUND: ['unreachable', 'there is no host of that name'],
  EAI_AGAIN: ['unreachable', 'its name cannot be resolved now'],
  ECONNRESET: ['broken', 'it closed the connection without a reply'],
  EPIPE: ['broken', 'it closed the connection without a reply'],
  EPROTO: ['tls', 'it speaks no TLS'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['tls', 'it speaks no TLS'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['tls', 'it speaks no TLS'],
  CERT_HAS_EXPIRED: ['tls', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['tls', 'its certificate is not valid yet: see the clock'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'its certificate is for another name'],
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: ['tls', 'our client certificate and its key do not belong together'],
}

export function systemFailure(code: string | undefined): HttpFailure | undefined {
  const [kind, text] = failures[code ?? ''] ?? []
  if (kind !== undefined && text !== undefined) return new HttpFailure(kind, text)
  // OpenSSL's names, verification errors and alerts.
  return code !== undefined && /^(ERR_SSL_|ERR_OSSL_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/.test(code)
    ? new HttpFailure('tls', `there is no agreement on TLS (${code})`)
    : undefined
}
