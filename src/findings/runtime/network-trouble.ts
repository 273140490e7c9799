// Whether the network of a sandbox cannot be taken down: then no command removes the sandbox before the network plugin works again.
import {oncePer} from '../../base/once-per.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'

const trouble =
  /failed to (?:destroy|teardown|tear down) (?:pod )?(?:network|sandbox network)|CNI failed to delete|cni plugin not initialized/i
const mostWords = 200

interface Said {
  readonly text: string
  readonly evidence: Evidence
}

/** What the log or an event says that names one of these: ids of sandboxes, the pod's UID. */
export function networkTrouble(snapshot: Snapshot, names: readonly string[]): Evidence | undefined {
  return allSaid(snapshot).findLast(({text}) => names.some((name) => text.includes(name)))?.evidence
}

const allSaid: (snapshot: Snapshot) => readonly Said[] = oncePer(({readings}) => {
  const events = (known(readings['api.events']) ?? []).map(({uid, message}) => ({
    source: 'api.events',
    said: message,
    text: `${uid} ${message}`,
  }))
  const lines = (known(readings['kubelet.log']) ?? []).map(({message, fields}) => {
    const said = fields.err ?? message
    return {source: 'kubelet.log', said, text: `${message} ${Object.values(fields).join(' ')}`}
  })
  return [...events, ...lines]
    .filter(({text}) => trouble.test(text))
    .map(({source, said, text}) => ({text, evidence: {source, fact: said.length > mostWords ? `${said.slice(0, mostWords)}…` : said}}))
})
