// gRPC by hand on one connection of src/http2: any :authority or none, and the frames as they come.
import {connect} from 'node:net'
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {type ClientConnection, type ClientStream, openConnection} from '../../src/http2/client-connection.ts'
import {fieldValue, type HeaderField} from '../../src/http2/header-field.ts'
import {frameMessage, MessageSplitter} from '../../src/proxy/call/message/message-splitter.ts'

export interface RawCaller extends Disposable {
  readonly connection: ClientConnection
  /** Its request is sent, and its answer not read. */
  open(path: string, message: Uint8Array, fields?: readonly HeaderField[]): Promise<ClientStream>
  /** @throws with the status when it is not OK */
  unary<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>, request: MessageInitShape<I>): Promise<MessageShape<O>>
}

/** @param authority undefined: the field is left out */
export function rawCaller(path: string, authority: string | undefined = 'localhost'): RawCaller {
  const socket = connect(path)
  socket.on('error', () => undefined)
  const connection = openConnection(socket)
  const open = async (route: string, message: Uint8Array, fields: readonly HeaderField[] = []) => {
    const stream = await connection.request([...pseudoFields(route, authority), ...grpcFields, ...fields])
    await stream.write(frameMessage({compressed: false, bytes: message}))
    stream.end()
    return stream
  }
  return {
    connection,
    open,
    unary: async (method, request) => {
      const route = `/${method.parent.typeName}/${method.name}`
      const stream = await open(route, toBinary(method.input, create(method.input, request)))
      return fromBinary(method.output, await onlyMessage(stream, route))
    },
    [Symbol.dispose]: () => {
      connection.destroy()
      socket.destroy()
    },
  }
}

const grpcFields: readonly HeaderField[] = [
  {name: 'content-type', value: 'application/grpc'},
  {name: 'te', value: 'trailers'},
]

function pseudoFields(path: string, authority: string | undefined): readonly HeaderField[] {
  const fields = {':method': 'POST', ':scheme': 'http', ':path': path, ...(authority === undefined ? {} : {':authority': authority})}
  return Object.entries(fields).map(([name, value]) => ({name, value}))
}

async function onlyMessage(stream: ClientStream, route: string): Promise<Uint8Array> {
  const head = await stream.response
  const splitter = new MessageSplitter()
  for await (const piece of stream) splitter.push(piece)
  const last = stream.trailers ?? head
  const status = fieldValue(last, 'grpc-status')
  const message = splitter.next()
  if (status !== '0' || message === undefined) throw new Error(`${route} ended with ${status}: ${fieldValue(last, 'grpc-message')}`)
  return message.bytes
}
