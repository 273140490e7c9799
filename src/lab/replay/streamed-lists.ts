// Lists that come whole or in a stream: the same question, so that what answered one of them answers the other. Source: the kubelet's pkg/kubelet/cri, which
// asks for streams where the runtime has them; crictl asks for the whole.
import type {JsonObject, JsonValue} from '@bufbuild/protobuf'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'

export interface StreamedList {
  /** The method that answers with the whole. */
  readonly list: string
  /** Its field of items, and that of the stream's messages. */
  readonly whole: string
  readonly part: string
}

export const streamedLists: Readonly<Record<string, StreamedList>> = {
  StreamPodSandboxes: {list: 'ListPodSandbox', whole: 'items', part: 'podSandboxes'},
  StreamContainers: {list: 'ListContainers', whole: 'containers', part: 'containers'},
  StreamContainerStats: {list: 'ListContainerStats', whole: 'stats', part: 'containerStats'},
  StreamPodSandboxStats: {list: 'ListPodSandboxStats', whole: 'stats', part: 'podSandboxStats'},
  StreamPodSandboxMetrics: {list: 'ListPodSandboxMetrics', whole: 'podMetrics', part: 'podSandboxMetrics'},
  StreamImages: {list: 'ListImages', whole: 'images', part: 'images'},
}

/** Each stream of a list is followed by the list that it is, so that the newest of either holds. */
export function withListsOfStreams(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  return calls.flatMap((call) => {
    const streamed = Object.hasOwn(streamedLists, call.method) ? streamedLists[call.method] : undefined
    return streamed === undefined || !tellsOfTheList(call) ? [call] : [call, wholeOf(call, streamed)]
  })
}

/** Not so what its client broke off, what was not kept to its end, and that the runtime has no streams. */
function tellsOfTheList({code, unkept}: RecordedCall): boolean {
  return unkept === undefined && code !== 'UNIMPLEMENTED' && code !== 'CANCELLED'
}

function wholeOf(call: RecordedCall, {list, whole, part}: StreamedList): RecordedCall {
  if (call.responses === undefined) return {...call, method: list}
  return {...call, method: list, responses: [{[whole]: call.responses.flatMap((each) => itemsIn(each, part))}]}
}

function itemsIn(response: JsonValue, part: string): readonly JsonValue[] {
  const items = (response as JsonObject | null)?.[part]
  return Array.isArray(items) ? items : []
}

/** Of a message, as runtimes that stream do not send all at once. */
const itemsPerMessage = 100

/** @param items of the whole */
export function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += itemsPerMessage) yield items.slice(from, from + itemsPerMessage)
}
