// Where credentials are looked for: what the user names decides alone; else the user's variable, the pod that we may run in, and the
// kubelet's own. An administrator's kubeconfig that happens to lie on the node is nobody's to take without being told.
import {UserError} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import {distributions} from '../kubelet-facts/distributions.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import {within} from '../rooted.ts'
import {Secret} from '../secret.ts'
import type {CredentialPlace} from './credentials.ts'
import {loadKubeconfig, type ReadFile} from './load-kubeconfig.ts'

interface Question {
  /** --kubeconfig */
  readonly kubeconfig?: string
  /** Where we run: the user's files, and those of our pod. */
  readonly own: Host
  /** The node, which may be mounted somewhere. */
  readonly host: Host
  readonly facts: Pick<KubeletFacts, 'root' | 'kubeconfig'>
}

/** In the order to try them. @throws UserError when the user's own kubeconfig is no kubeconfig. */
export async function findCredentials({kubeconfig, own, host, facts}: Question): Promise<readonly CredentialPlace[]> {
  const readOwn: ReadFile = (path) => own.readText(path)
  if (kubeconfig !== undefined) {
    const place = await loadKubeconfig(`--kubeconfig ${kubeconfig}`, kubeconfig, readOwn)
    // Credentials that come from a program are a matter for `doctor`, not a mistake.
    if (place.found.state === 'usable' || place.found.why.includes('kubectl')) return [place]
    throw new UserError(
      place.found.why.startsWith('Cannot ')
        ? place.found.why
        : `Cannot use --kubeconfig as ${kubeconfig} must be readable: ${place.found.why}`,
    )
  }
  const readKubelets: ReadFile = async (path) => host.readText(await within(host, facts.root, path))
  const [variable, pod, ...kubelets] = await Promise.all([
    fromVariable(own.env.KUBECONFIG ?? '', readOwn),
    ofPod(own),
    ...kubeletKubeconfigs(facts).map((path) => loadKubeconfig(`the kubelet's kubeconfig ${path}`, path, readKubelets)),
  ])
  const there = kubelets.filter(({found}) => found.state !== 'missing')
  const nowhere: CredentialPlace = {source: "the kubelet's kubeconfig", found: {state: 'missing', why: 'it is in none of its usual places'}}
  return [variable, pod, ...(there.length > 0 ? there : [nowhere])].filter((place) => place !== undefined)
}

/** kubectl merges all of them; the first that is there is what one means, as a rule. */
async function fromVariable(variable: string, readFile: ReadFile): Promise<CredentialPlace | undefined> {
  let last: CredentialPlace | undefined
  for (const path of variable.split(':').filter((path) => path !== '')) {
    last = await loadKubeconfig(`KUBECONFIG ${path}`, path, readFile)
    if (last.found.state !== 'missing') return last
  }
  return last
}

const accountDir = '/var/run/secrets/kubernetes.io/serviceaccount'

async function ofPod(own: Host): Promise<CredentialPlace | undefined> {
  const {KUBERNETES_SERVICE_HOST: name, KUBERNETES_SERVICE_PORT: port = '443'} = own.env
  const source = 'the service account of this pod'
  if (!name) return undefined
  try {
    const [token, ca] = await Promise.all([own.readText(`${accountDir}/token`), own.readText(`${accountDir}/ca.crt`)])
    const server = new URL(`https://${name.includes(':') ? `[${name}]` : name}:${port}`)
    return {
      source,
      found: {state: 'usable', by: 'a token', credentials: {source, server, tls: {verify: true, ca}, token: new Secret(token.trim())}},
    }
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return {
      source,
      found: {state: code === 'ENOENT' ? 'missing' : 'unusable', why: `${accountDir} cannot be read (${code ?? 'no such address'})`},
    }
  }
}

function kubeletKubeconfigs({kubeconfig}: Question['facts']): readonly string[] {
  const told = kubeconfig?.value.startsWith('/') ? [kubeconfig.value] : []
  return [...new Set([...told, ...distributions.map((distribution) => distribution.kubeconfig)])]
}
