// Names under which credentials travel: CSI secrets and contexts, registry logins, options of mounts and commands, parameters of URLs.

const words =
  'passw(?:or)?ds?|pass[_-]?(?:phrase|code)|secrets?|tokens?|credentials?|keytab|connection[_-]?string|' +
  '(?:require|db|user|admin|root|ldap|smtp|store)pass|(?:api|access|private|client|account|admin|user|storage|encryption|auth|shared|master|ssh|ceph|license|signing)[._-]?key(?:[_-]?data)?'
/** Words that are part of innocent ones too (compass, sigma), so only where a word begins. */
const shortWords = '(?:^|[_.-]|u0026)(?:pass|pwd|creds?|sig|auth|jwt|hmac|sas)'
const humps = '[a-z](?:Pass|Pwd|Creds?|Auth|Jwt)'

const inKey = new RegExp(
  `${words}|passw|authorization$|^(?:set-)?cookies?$|^(?:identitytoken|bearer|(?:php|j)?session_?id)$|^(?:tls|server|ca)\\.key$|^id_(?:rsa|dsa|ecdsa|ed25519)$|\\.dockerconfigjson|${shortWords}\\d?$`,
  'i',
)
const atEnd = new RegExp(`(?:${words}|access[_-]?key[_-]?id|(?:^|[_.-]|u0026|[a-z])signature|${shortWords})\\d?$`, 'i')
const humpAtEnd = new RegExp(`${humps}\\d?$`)

/** References to a Secret by its name, flags about tokens, and a shell's folder, are no secrets. */
const innocent =
  /^(?:secretName|secretRef|secretKeyRef|imagePullSecrets|automountServiceAccountToken|tokenExpirationSeconds|.*SecretRef|serviceAccountToken|tokenRequests|PWD|OLDPWD)$/
const innocentGo = /^(?:ImagePullSecrets|Secrets?|AutomountServiceAccountToken|ServiceAccountToken|TokenRequests)$/

/** A key of a JSON object whose value is a string. */
export function isSecretKey(name: string): boolean {
  return (inKey.test(name) || humpAtEnd.test(name)) && !innocent.test(name)
}

/** A name before '=', ':' or the value of a flag, in running text. */
export function isSecretOption(name: string): boolean {
  // Names are short: a run of letters that is not is judged by its end.
  const end = name.slice(-80)
  return (atEnd.test(end) || humpAtEnd.test(end)) && !innocent.test(end) && !innocentGo.test(end)
}
