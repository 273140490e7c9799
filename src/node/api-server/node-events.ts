// Of a cluster's events those that are about this node's pods. There is no selector for it: an event does not say where its pod runs.
import {arrayOf, fieldsOf, textOf} from '../kube-list.ts'

interface Kept {
  /** The list, with the events of this node only. */
  readonly text: string
  /** The server has more than it handed over. */
  readonly cut: boolean
}

/** By the node that reported the event, or by the pod's UID. A text that is no list stays as it is. */
export function eventsOfNode(text: string, node: string, uids: ReadonlySet<string>): Kept {
  let list: ReturnType<typeof fieldsOf>
  try {
    list = fieldsOf(JSON.parse(text))
  } catch {
    return {text, cut: false}
  }
  if (!Array.isArray(list?.items)) return {text, cut: false}
  const items = arrayOf(list.items).filter((item) => {
    const event = fieldsOf(item)
    const reporters = [fieldsOf(event?.source)?.host, event?.reportingInstance, fieldsOf(event?.deprecatedSource)?.host]
    return reporters.includes(node) || uids.has(textOf(fieldsOf(event?.involvedObject)?.uid) ?? '')
  })
  return {text: JSON.stringify({...list, items}), cut: textOf(fieldsOf(list.metadata)?.continue) !== undefined}
}
