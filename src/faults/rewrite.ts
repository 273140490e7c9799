// Fields of what the caller sends, of what the server answers, or of both have other values.
import type {Edit} from './edit.ts'
import type {Fault} from './fault.ts'

/** By the paths of the fields: 'containers[].state'. */
export type NewValues = Readonly<Record<string, unknown>>

export const rewrite = ({request = {}, reply = {}}: {readonly request?: NewValues; readonly reply?: NewValues}): Fault => {
  const ofRequest = setsOf(request)
  const ofReply = setsOf(reply)
  return {
    kind: 'rewrite',
    plan: {
      before: 0,
      forward: 1,
      upstreamDeadline: 'keep',
      ...(ofRequest.length === 0 ? {} : {request: ofRequest}),
      reply: ofReply.length === 0 ? {kind: 'pass'} : {kind: 'edit', edits: ofReply},
    },
  }
}

const setsOf = (values: NewValues): readonly Edit[] => Object.entries(values).map(([path, value]) => ({kind: 'set', path, value}))
