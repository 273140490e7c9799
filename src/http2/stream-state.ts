// The states of a stream from its HEADERS on (RFC 9113, 5.1). Streams that nobody opened are idle, those of smaller numbers closed: the connection knows.

export type StreamState = 'open' | 'half-closed-local' | 'half-closed-remote' | 'closed'

export type StreamEvent = 'sent-end' | 'received-end' | 'reset'

const moves: Readonly<Record<StreamState, Readonly<Record<StreamEvent, StreamState>>>> = {
  open: {'sent-end': 'half-closed-local', 'received-end': 'half-closed-remote', reset: 'closed'},
  'half-closed-local': {'sent-end': 'half-closed-local', 'received-end': 'closed', reset: 'closed'},
  'half-closed-remote': {'sent-end': 'closed', 'received-end': 'half-closed-remote', reset: 'closed'},
  closed: {'sent-end': 'closed', 'received-end': 'closed', reset: 'closed'},
}

export function nextState(state: StreamState, event: StreamEvent): StreamState {
  return moves[state][event]
}

export function maySend(state: StreamState): boolean {
  return state === 'open' || state === 'half-closed-remote'
}

export function mayReceive(state: StreamState): boolean {
  return state === 'open' || state === 'half-closed-local'
}
