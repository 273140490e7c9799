// Serves a recording or a bundle to real clients, read-only, until the signal or the end of the time.
import {open, rm, stat, writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {UserError} from './base/errors.ts'
import {onAbort} from './base/on-abort.ts'
import {unwritten} from './base/unwritten.ts'
import {kubeconfig, writeKubeconfig} from './lab/api/kubeconfig.ts'
import {isWholeList} from './lab/replay/list-filter.ts'
import {nodeTree} from './lab/replay/node-tree.ts'
import {type RecordedSocket, runtimePath, socketsOfBundle, socketsOfRecording} from './lab/replay/recorded-node.ts'
import {type ReplayFolder, replayFolder} from './lab/replay/replay-folder.ts'
import {serveHttp} from './lab/replay/serve-http.ts'
import {serveSockets} from './lab/replay/serve-sockets.ts'
import {Tree} from './lab/replay/tree.ts'
import {systemReason} from './node/bundle/system-reason.ts'
import {mustAnswer} from './node/must-answer.ts'
import {readLines} from './node/recorded/read-lines.ts'
import {readRecording} from './node/recorded/recording.ts'
import {noteName, type ReplayNote} from './node/replayed/replay-note.ts'
import type {Machine} from './node/runtime-source.ts'
import type {Snapshot} from './node/snapshot.ts'
import type {ReplayView} from './render/replay.ts'

export interface ReplayRequest {
  readonly file: string
  /** A folder that is new or empty; default: one of our own, which is gone afterwards. */
  readonly dir?: string
  /** Milliseconds; default: until the signal. */
  readonly forMs?: number
  readonly temporary: string
  readonly uid: number
  readonly random: (size: number) => Uint8Array
}

/** What is served of a node. */
interface Recorded {
  readonly sockets: readonly RecordedSocket[]
  readonly bundle?: Snapshot
  readonly missing: readonly string[]
}

/** @param ready is told when it serves. @throws UserError */
export async function replay(request: ReplayRequest, machine: Machine, ready: (view: ReplayView) => Promise<void>): Promise<void> {
  const {clock, signal} = machine
  const {sockets, bundle, missing} = await recordedIn(request.file, machine)
  if (sockets.length === 0 && bundle === undefined)
    throw new UserError(`Cannot replay ${request.file} as it must have a call at least: it has none`)
  const longest = Math.max(0, ...sockets.map(({path}) => Buffer.byteLength(path)))
  await using folder = await replayFolder({...request, longest})
  await using stack = new AsyncDisposableStack()
  try {
    const tree = bundle === undefined ? new Tree() : nodeTree(bundle, logPath)
    tree.write(folder.root)
    stack.use(await serveSockets(folder.root, sockets))
    if (bundle !== undefined) stack.use(await serveNode(request, bundle, folder, clock.now()))
    await folder.filled()
  } catch (error) {
    throw unwritten(`lay the node out in ${folder.root}`, error)
  }
  const node = bundle === undefined ? {} : {node: {name: bundle.node, when: bundle.when}}
  await ready({
    file: request.file,
    root: folder.shown,
    ...node,
    sockets: sockets.map(({path, kind, state}) => ({kind, state, endpoint: `unix://${join(folder.shown, path)}`})),
    ...commandsOf(sockets, bundle),
    calls: sockets.reduce((sum, {calls}) => sum + calls.length, 0),
    missing,
  })
  const over = new AbortController()
  const stop = onAbort(signal, () => over.abort())
  if (signal.aborted) over.abort()
  await (request.forMs === undefined
    ? new Promise<void>((end) => onAbort(over.signal, end))
    : clock.sleep(request.forMs, over.signal).catch(() => undefined))
  stop()
}

/** What the commands that are printed need to know. */
function commandsOf(sockets: readonly RecordedSocket[], bundle: Snapshot | undefined): Pick<ReplayView, 'lists' | 'kubeletRoot'> {
  const has = (...methods: readonly string[]) =>
    sockets.some(({kind, calls}) => kind === 'runtime' && calls.some((call) => methods.includes(call.method) && isWholeList(call)))
  const lists =
    bundle !== undefined || has('ListPodSandbox', 'StreamPodSandboxes')
      ? 'pods'
      : has('ListContainers', 'StreamContainers')
        ? 'ps -a'
        : undefined
  const below = bundle === undefined ? sockets.flatMap(({path}) => /^(.+?)\/plugins(?:_registry)?\//.exec(path)?.[1] ?? []) : []
  return {...(lists && {lists}), ...(below[0] !== undefined && {kubeletRoot: below[0]})}
}

// At the top, where no link of a bundle can lead elsewhere.
const logPath = '/kubelimbo-replay.log'
const kubeconfigPath = '/kubelimbo-replay.kubeconfig'

async function recordedIn(file: string, machine: Machine): Promise<Recorded> {
  await mustAnswer(file, machine.host.reach)
  if (await isRecording(file)) {
    const {calls, skipped} = await readRecording(readLines(file), file)
    return {sockets: socketsOfRecording(calls), missing: skipped === 0 ? [] : [`${skipped} of its lines are no calls`]}
  }
  const bundle = await machine.openBundle(file, {keepReplies: true}).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.message, {hint: whatIsReplayed, more: error.more, exit: error.exit, cause: error})
  })
  const missing = bundle.calls?.missing ?? ['it is of before bundles kept calls: what only these tell is not answered']
  return {sockets: socketsOfBundle(bundle), bundle, missing}
}

const whatIsReplayed = 'name a recording of `kubelimbo record`, or a bundle of `kubelimbo snapshot`'

/** Neither an archive nor a folder begins so. */
async function isRecording(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await using handle = await open(file)
    const {buffer, bytesRead} = await handle.read({buffer: new Uint8Array(1), position: 0})
    return bytesRead === 1 && buffer[0] === '{'.charCodeAt(0)
  } catch (error) {
    throw new UserError(`Cannot replay ${file}: ${systemReason(error)}`, {hint: whatIsReplayed, cause: error})
  }
}

/** What was asked by HTTP, and the note by which `check --host-root` knows where. */
async function serveNode(
  {file, random}: ReplayRequest,
  bundle: Snapshot,
  {root, shown}: ReplayFolder,
  now: number,
): Promise<AsyncDisposable> {
  const served = await serveHttp(bundle, now, random)
  await writeKubeconfig(join(root, kubeconfigPath), kubeconfig(served.url, served.token, served.authority))
  const note: ReplayNote = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Replay',
    bundle: resolve(file),
    runtimeEndpoint: `unix://${runtimePath(bundle)}`,
    kubeletRoot: bundle.kubeletRoot,
    kubeletUrl: served.url,
    kubeconfig: join(shown, kubeconfigPath),
    kubeletLog: join(shown, logPath),
  }
  await rm(join(root, noteName), {force: true, recursive: true})
  await writeFile(join(root, noteName), `${JSON.stringify(note, null, 2)}\n`, {mode: 0o600, flag: 'wx'})
  return served
}
