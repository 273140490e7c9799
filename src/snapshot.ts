// Keeps everything that is known of a node in a file, to be looked at elsewhere and later.
import {bundleContent, writeBundle} from './node/bundle/write.ts'
import {keepCalls} from './node/kept-calls/keep-calls.ts'
import type {KeptCalls} from './node/kept-calls/kept-calls.ts'
import {hostOf} from './node/kubelet-sources.ts'
import {mustAnswer} from './node/must-answer.ts'
import type {Machine} from './node/runtime-source.ts'
import {type Snapshot, sourceNames} from './node/snapshot.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'
import type {SnapshotView} from './render/snapshot.ts'

export interface SnapshotReport extends SnapshotView {
  readonly warnings: readonly string[]
}

/** @throws UserError when the file cannot be written, or the request is wrong. */
export async function snapshot(file: string, request: SnapshotRequest, tool: string, machine: Machine): Promise<SnapshotReport> {
  await mustAnswer(file, machine.host.reach)
  const until = machine.clock.now() + request.deadlineMs * 0.97
  const {snapshot: seen, warnings} = await takeSnapshot({...request, keepReplies: true}, machine)
  const taken = request.from === undefined ? {...seen, calls: await callsOf(seen, request, machine, until)} : seen
  const content = bundleContent(taken, tool)
  await writeBundle(file, content, taken.when)
  return {file, bytes: sizeOf(content.files), ...seenOf(taken), ...callsSeen(taken), redactions: content.redactions, warnings}
}

async function callsOf(seen: Snapshot, request: SnapshotRequest, machine: Machine, until: number): Promise<KeptCalls> {
  const {clock, signal} = machine
  return await keepCalls(seen, {host: await hostOf(request, machine.host), clock, signal, until})
}

function callsSeen({calls}: Snapshot): Pick<SnapshotView, 'calls' | 'unasked'> {
  return {calls: calls?.calls.length ?? 0, unasked: calls?.missing ?? []}
}

function sizeOf(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function seenOf({readings}: Snapshot): Pick<SnapshotView, 'read' | 'unseen'> {
  const unseen = sourceNames.flatMap((source) => {
    const reading = readings[source]
    return reading.state === 'read' ? [] : [{source, why: reading.why}]
  })
  return {read: sourceNames.filter((name) => readings[name].state === 'read'), unseen}
}
