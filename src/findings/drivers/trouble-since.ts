// Since when a driver's sockets have been dead or silent, as far as that is proven.
import {belowRoot} from '../../node/below-root.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import {later, missingSince, type Proof} from '../since.ts'
import type {DriverTrouble} from './driver-troubles.ts'
import {waitedFor} from './socket-silence.ts'
import {madeAt} from './socket-youth.ts'

/** A young socket has had trouble for no longer than it has been there; an old one may have answered until a moment ago. */
export function troubleSince(context: DetectContext, {own, registrations, young}: DriverTrouble): Proof | undefined {
  const [first] = [...own, ...registrations]
  const proven = first === undefined ? undefined : provenSince(context, first)
  return young !== undefined && proven !== undefined ? later(young, proven) : (young ?? proven)
}

function provenSince({snapshot}: DetectContext, {socket, answer}: DriverTrouble['own'][number]): Proof | undefined {
  if (answer.state === 'silent') {
    const waited = waitedFor(answer)
    // What it was asked, and for how long, is among the evidence.
    return waited === undefined ? undefined : {at: snapshot.when - waited, evidence: []}
  }
  const path = belowRoot(snapshot)(socket)
  if (answer.state === 'missing') return path === undefined ? undefined : missingSince(snapshot, path)
  // Nobody can listen on a socket that was made before the node started: who listens makes it anew.
  const boot = known(snapshot.readings['kernel.boot'])
  const made = madeAt(snapshot)(socket)
  if (boot === undefined || made.length === 0 || made.some(({at}) => at >= boot.at)) return undefined
  return {
    at: boot.at,
    evidence: [{source: 'kernel.boot', fact: 'the node started after the socket was made'}, ...made.flatMap(({evidence}) => evidence)],
  }
}
