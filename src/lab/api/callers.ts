// Who calls: the lab gives out two tokens, one to people and one to its kubelet.

export interface Tokens {
  readonly user: string
  readonly kubelet: string
}

/** A bearer token, or the password of an address with one in it. Undefined: nobody we know. */
export function callerOf(authorization: string, {user, kubelet}: Tokens): 'user' | 'kubelet' | undefined {
  const [scheme = '', value = ''] = authorization.split(' ')
  const token = scheme.toLowerCase() === 'basic' ? passwordIn(value) : scheme.toLowerCase() === 'bearer' ? value : undefined
  if (token === undefined || token === '') return undefined
  if (token === user) return 'user'
  return token === kubelet ? 'kubelet' : undefined
}

function passwordIn(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
