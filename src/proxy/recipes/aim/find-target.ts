// What a recipe aims at: found by what was asked for and by what is known of the node.
import {UserError} from '../../../base/errors.ts'
import {shellWord} from '../../../findings/shell-word.ts'
import {parseSocketAddress} from '../../../wire/socket-address.ts'
import {type Asked, type Namespaced, namespacedOf, slashed} from '../asked.ts'
import type {Facts} from '../facts.ts'
import type {Recipe} from '../recipe.ts'
import {claimedVolume} from './claim.ts'
import {findContainer} from './container.ts'
import {driverSocket, type FoundSocket} from './driver-socket.ts'
import {podWords} from './pod.ts'
import type {Target} from './target.ts'

/** @throws UserError when it is not there, or not one */
export function findTarget(recipe: Recipe, asked: Asked, facts: Facts): Target {
  refuseOthers(recipe, asked)
  switch (recipe.aim) {
    case 'pvc':
    case 'driver':
      return asked.pvc === undefined
        ? driverTarget(recipe, asked, facts)
        : claimTarget(namespacedOf(asked.pvc, '--pvc'), recipe, asked, facts)
    case 'pod':
      return podTarget(recipe, asked, facts)
    case 'container':
      return containerTarget(recipe, asked, facts)
    case 'runtime':
      return {...runtimeTarget(asked, facts), narrowing: requestOf(asked)}
    default:
      return recipe.aim satisfies never
  }
}

const takes: Readonly<Record<Recipe['aim'], readonly (keyof Asked)[]>> = {
  pvc: ['pvc', 'driver', 'request'],
  driver: ['driver', 'pvc', 'request'],
  pod: ['pod', 'container'],
  container: ['container', 'pod'],
  runtime: ['request'],
}

/** What would be left out without a word is refused. */
function refuseOthers({name, aim}: Recipe, asked: Asked): void {
  const odd = (['pvc', 'driver', 'pod', 'container', 'request'] as const).find(
    (each) => asked[each] !== undefined && !takes[aim].includes(each),
  )
  if (odd === undefined) return
  throw new UserError(
    `Cannot use --${odd} with ${name} as it aims at ${aimWords[aim]}: it takes ${takes[aim].map((each) => `--${each}`).join(', ')}`,
  )
}

const aimWords: Readonly<Record<Recipe['aim'], string>> = {
  pvc: 'the volume of a claim',
  driver: 'a CSI driver',
  pod: 'a pod',
  container: 'a container',
  runtime: 'the container runtime',
}

function claimTarget(claim: Namespaced, recipe: Recipe, asked: Asked, {snapshot, claim: answers}: Facts): Target {
  const {driver, handle, mode, words, pod} = claimedVolume(claim, snapshot, answers)
  if (asked.driver !== undefined && asked.driver !== driver)
    throw new UserError(`Cannot aim at ${slashed(claim)} as its driver must be ${driver}: --driver is '${asked.driver}'`)
  const socket = socketOf(asked, () => driverSocket(driver, snapshot))
  return {
    narrowing: {request: {volumeId: handle, ...asked.request}},
    upstream: socket.path,
    words: [...words, socket.words, ...inVain(recipe, socket)],
    names: {claim: slashed(claim), ...(pod !== undefined && {pod}), ...nodeOf(snapshot.node)},
    mode,
  }
}

function driverTarget(recipe: Recipe, asked: Asked, {snapshot}: Facts): Target {
  const {name, aim} = recipe
  const {driver, upstream, socket: named} = asked
  if (driver === undefined && upstream === undefined && named === undefined) {
    throw new UserError(`Cannot inject ${name} as ${aim === 'pvc' ? '--pvc or --driver' : '--driver or --pvc'} must be given: it is not`, {
      hint: '`kubelimbo drivers` lists them, and `kubelimbo volumes` their volumes',
    })
  }
  const socket = socketOf(asked, () => driverSocket(driver ?? '', snapshot))
  const fields = Object.entries(asked.request ?? {}).map(([field, value]) => `${field} ${shellWord(`${value}`)}`)
  const which = fields.length === 0 ? 'all of its volumes' : `calls with ${fields.join(', ')}`
  return {
    narrowing: requestOf(asked),
    upstream: socket.path,
    words: [socket.words, ...inVain(recipe, socket), ...(aim === 'pvc' ? [`It is for ${which}.`] : [])],
    names: nodeOf(snapshot.node),
  }
}

/** csi_attacher.go and csi_block.go: a driver without the capability is never asked to stage. */
function inVain({rules}: Recipe, {capabilities}: FoundSocket): readonly string[] {
  const stages = rules.some(({method}) => method === 'NodeStageVolume' || method === 'NodeUnstageVolume')
  if (!stages || capabilities === undefined || capabilities.includes('STAGE_UNSTAGE_VOLUME')) return []
  return ['It does not stage volumes (no STAGE_UNSTAGE_VOLUME), so that no kubelet asks it to: the rule will take nothing.']
}

function podTarget({name, mayCome}: Recipe, asked: Asked, facts: Facts): Target {
  if (asked.pod === undefined)
    throw new UserError(`Cannot inject ${name} as --pod must be given: it is not`, {hint: '`kubelimbo pods` lists those of this node'})
  const pod = namespacedOf(asked.pod, '--pod')
  const {container} = asked
  const runtime = runtimeTarget(asked, facts)
  return {
    ...runtime,
    narrowing: {pod: slashed(pod), ...(container !== undefined && {container})},
    words: [podWords(pod, facts.snapshot, mayCome === true), ...runtime.words],
    names: {...runtime.names, pod: slashed(pod), ...(container !== undefined && {container})},
  }
}

function containerTarget({name}: Recipe, asked: Asked, facts: Facts): Target {
  if (asked.container === undefined)
    throw new UserError(`Cannot inject ${name} as CONTAINER must be given: it is not`, {hint: '`kubelimbo ps` lists those of this node'})
  const pod = asked.pod === undefined ? undefined : namespacedOf(asked.pod, '--pod')
  const found = findContainer(asked.container, pod, facts.snapshot)
  const runtime = runtimeTarget(asked, facts)
  return {
    ...runtime,
    narrowing: {request: {containerId: found.id}},
    words: [found.words, ...runtime.words],
    names: {...runtime.names, pod: found.pod, container: found.id},
  }
}

function runtimeTarget(asked: Asked, {snapshot, runtime}: Facts): Omit<Target, 'narrowing'> {
  const socket = socketOf(asked, () => {
    if (runtime === undefined)
      throw new UserError('Cannot find the container runtime as its socket must be known: it was not looked for', {
        hint: '--socket unix:///run/containerd/containerd.sock names it',
      })
    const {path, endpoint} = parseSocketAddress(runtime.endpoint, 'the endpoint of the container runtime')
    return {path, words: `The container runtime listens on ${endpoint} (${runtime.source}).`}
  })
  return {upstream: socket.path, words: [socket.words], names: nodeOf(snapshot.node)}
}

function socketOf({upstream, socket}: Asked, find: () => FoundSocket): FoundSocket {
  const [text, flag] = socket === undefined ? [upstream, '--upstream'] : [socket, '--socket']
  if (text === undefined) return find()
  const {path, endpoint} = parseSocketAddress(text, flag)
  return {path, words: `The server's socket is ${endpoint}, as ${flag} says.`}
}

const requestOf = ({request}: Asked) => (request === undefined ? {} : {request})
const nodeOf = (node: string) => (node === '' ? {} : {node})
