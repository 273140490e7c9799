// Keeps everything that is known of a node in a file, to be looked at elsewhere and later.
import {bundleContent, writeBundle} from './node/bundle/write.ts'
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
  const {snapshot: taken, warnings} = await takeSnapshot({...request, keepReplies: true}, machine)
  const content = bundleContent(taken, tool)
  await writeBundle(file, content, taken.when)
  return {file, bytes: sizeOf(content.files), ...seenOf(taken), redactions: content.redactions, warnings}
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
