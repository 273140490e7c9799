// In the place of a server's own socket, for a while.
import {dirname, join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {Rule} from '../../faults/rule.ts'
import type {Host} from '../../node/endpoints/host.ts'
import {type KubeletRestart, kubeletRestart} from '../../node/kubelet-facts/restart-words.ts'
import {findKubelet} from '../../node/kubelet-facts.ts'
import type {FileId, TakeoverCommand} from '../../node/takeover/journal.ts'
import {sameFile} from '../../node/takeover/same-file.ts'
import {endpointOf} from '../../wire/socket-address.ts'
import type {InjectHears} from '../control/inject-hears.ts'
import {type ProxyOptions, type Proxy as RunningProxy, serveProxy} from '../serve-proxy.ts'
import {openJournalFolder} from '../takeover/journal-folder.ts'
import {mayTakeOver} from '../takeover/may-take-over.ts'
import {type PinnedSocket, pinSocket} from '../takeover/pinned-socket.ts'
import {readDress} from '../takeover/socket-attributes.ts'
import {type StartWatchdog, takeOver} from '../takeover/take-over.ts'
import {askCallee} from './ask-callee.ts'
import {knownKubelet} from './known-kubelet.ts'
import {type KnownNames, leftAlone} from './known-names.ts'
import {momentOf, type Stand} from './stand.ts'
import {mustSuitTaken} from './suits-taken.ts'

export interface TakeRequest {
  /** As parseTakenSocket() has it. */
  readonly socket: string
  /** The folder of journals. */
  readonly journals: string
  /** On a node of the control plane, and for calls about kube-system, too. */
  readonly force: boolean
  /** Of the node, for calls that are left alone: a container runtime is asked itself. */
  readonly names: () => Promise<KnownNames>
  readonly startWatchdog: StartWatchdog
  /** Whose kubelet it is. */
  readonly host: Host
  /** Somebody wants no call to be waited for at the end. */
  readonly hurry: AbortSignal
}

export interface TakenStandOptions extends TakeRequest {
  readonly proxy: Omit<ProxyOptions, 'listen' | 'upstream'>
  readonly forMs: number
  readonly tool: string
  readonly command: TakeoverCommand
  readonly uid: number
  readonly pid: number
  readonly signal: AbortSignal
  readonly hears: Pick<InjectHears, 'trouble' | 'kubelet' | 'leaving'>
}

/** How long calls under way may go on at the end. */
const partingMs = 10_000

/** The socket is taken over when this resolves. @throws UserError, and nothing is changed then */
export async function takenStand(options: TakenStandOptions): Promise<Stand> {
  const {journals, uid, host, force, hears, signal, forMs, tool, command, pid, startWatchdog, proxy: given} = options
  const {clock, onCall} = given
  mustSuitTaken(given.rules)
  const {socket, original} = await mayTakeOver({socket: options.socket, journals, uid, force, host})
  await using stack = new AsyncDisposableStack()
  const pinned = stack.use(await pin(socket, original))
  const callee = (await askCallee(pinned.path, clock, signal)) ?? calleeOf(given.rules)
  const restart = callee === 'csi' ? undefined : await restartOf(host)
  const names = force || callee === 'cri' ? {} : await options.names()
  const dress = await readDress(socket)
  await openJournalFolder(journals, uid, socket)
  const {trouble} = hears
  const {steady} = momentOf(clock)
  const takeover = stack.use(
    await takeOver({socket, original, dress, forMs, tool, command, journals, pid, clock, startWatchdog, onTrouble: trouble}),
  )
  const known = callee === 'csi' ? undefined : knownKubelet(() => hears.kubelet(clock.now()))
  let leaving = false
  const proxy = stack.use(
    await serveProxy({
      ...given,
      // Faults of the socket end as it is given back: a place that is not ours any more is no news then.
      onTrouble: (text) => (leaving ? undefined : trouble(text)),
      listen: endpointOf(socket),
      upstream: endpointOf(pinned.path),
      placeFor: takeover.placeFor,
      ...(!force && {protect: leftAlone, ...names}),
      ...(callee === 'cri' && {prime: 'cri'}),
      onCall: (call) => {
        known?.(call)
        onCall?.(call)
      },
    }),
  )
  const {journal} = takeover
  // One end for all: as the journal has it.
  const since = {now: Date.parse(journal.startedAt), steady}
  const all = stack.move()
  return {
    proxy,
    since,
    upstream: endpointOf(join(dirname(socket), journal.side)),
    taken: {socket, ...(callee && {callee}), journal: takeover.journalPath, protected: !force, ...(restart && {restart})},
    over: takeover.lost,
    leave: async () => {
      leaving = true
      proxy.rules.pause(true)
      // First: from now on new clients reach the server.
      await takeover.giveBack()
      await drained(options, proxy)
      return proxy.underWay
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Between that look and this one it may have started again. */
async function pin(socket: string, original: FileId): Promise<PinnedSocket> {
  const pinned = await pinSocket(socket).catch((error: unknown) => {
    throw changed(socket, firstLine(error), error)
  })
  if (sameFile(pinned.id, original)) return pinned
  await pinned[Symbol.asyncDispose]()
  throw changed(socket, 'its server has started again at this moment')
}

const changed = (socket: string, why: string, cause?: unknown): UserError =>
  new UserError(`Cannot take ${socket} over as it must stay what it is: ${why}`, {hint: 'try again', exit: exitCodes.refused, cause})

/** What rules are about, of a server that does not say what it is. */
function calleeOf(rules: readonly Rule[]): 'cri' | 'csi' | undefined {
  const [only, ...others] = new Set(rules.map(({match}) => match.to))
  return others.length === 0 && (only === 'cri' || only === 'csi') ? only : undefined
}

async function restartOf(host: Host): Promise<KubeletRestart> {
  try {
    return kubeletRestart(await findKubelet(host))
  } catch (error) {
    return {words: `the kubelet could not be looked for: ${firstLine(error)}`, unseen: true}
  }
}

/** Clients are told to connect anew; calls that no rule holds may end. */
async function drained({hurry, signal, hears, proxy: {clock}}: TakenStandOptions, proxy: RunningProxy): Promise<void> {
  const late = new AbortController()
  // Where the time is over it is the first Ctrl-C that cuts them off.
  const either = AbortSignal.any([signal.aborted ? hurry : signal, late.signal])
  const calls = proxy.underWay
  if (calls.clients + calls.server > 0) hears.leaving(calls, partingMs)
  clock.sleep(partingMs, either).then(
    () => late.abort(),
    () => undefined,
  )
  await proxy.drain(either)
  late.abort()
}
