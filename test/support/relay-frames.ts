// Frames for tests of the relay between two peers that write them by hand.
import {errorCodes} from '../../src/http2/fault.ts'
import type {Frame} from '../../src/http2/frame.ts'
import type {HandleCall, TakenCall} from '../../src/proxy/relay/handling.ts'
import {type RawPeer, requestFields} from './http2-raw-peer.ts'

export const status = [{name: ':status', value: '200'}]
export const trailers = [{name: 'grpc-status', value: '0'}]
export const data = (streamId: number, text: string, endStream = false, padding?: number): Frame => ({
  type: 'DATA',
  streamId,
  endStream,
  data: Buffer.from(text),
  ...(padding === undefined ? {} : {padding}),
})
export const settings = (...values: [number, number][]): Frame => ({type: 'SETTINGS', ack: false, values})
export const ack: Frame = {type: 'SETTINGS', ack: true, values: []}
export const goaway = (lastStreamId: number, code: number = errorCodes.NO_ERROR): Frame => ({
  type: 'GOAWAY',
  lastStreamId,
  code,
  debug: Buffer.from('why'),
})

/** Without what belongs to the start. */
export const said = (peer: RawPeer) =>
  peer.frames.filter((frame) => !(frame.type === 'SETTINGS' || (frame.type === 'WINDOW_UPDATE' && frame.streamId === 0)))

/** Takes calls of these paths and leaves them to the test. */
export function taking(...paths: string[]) {
  const taken: TakenCall[] = []
  const handleCall: HandleCall = ({path}) => (paths.includes(path) ? {kind: 'take', take: (call) => void taken.push(call)} : {kind: 'pass'})
  return {taken, handleCall}
}

export const call = (path: string) => requestFields.map((field) => (field.name === ':path' ? {...field, value: path} : field))
