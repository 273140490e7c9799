// A proxy of gRPC by node:http2, as one would write it: node-http2-main.ts LISTEN UPSTREAM
import {once} from 'node:events'
import {type ClientHttp2Session, createServer, type IncomingHttpHeaders, connect as openSession, type ServerHttp2Stream} from 'node:http2'
import {connect} from 'node:net'

const [listen = '', upstream = ''] = process.argv.slice(2)
const sessions = new WeakMap<object, ClientHttp2Session>()

/** One upstream for each client's connection, as ours has it. */
function sessionFor(stream: ServerHttp2Stream): ClientHttp2Session {
  const {session} = stream
  if (session === undefined) throw new Error('the client has gone')
  const known = sessions.get(session)
  if (known !== undefined) return known
  const fresh = openSession('http://localhost', {createConnection: () => connect(upstream)})
  fresh.on('error', () => session.destroy())
  session.once('close', () => fresh.destroy())
  sessions.set(session, fresh)
  return fresh
}

const fieldsOf = (headers: IncomingHttpHeaders) => Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'connection'))

const server = createServer()
server.on('stream', (client, headers) => {
  const request = sessionFor(client).request(fieldsOf(headers))
  let trailers: IncomingHttpHeaders = {}
  client.pipe(request)
  request.on('response', (answer) => {
    client.respond(fieldsOf(answer), {waitForTrailers: true})
    client.on('wantTrailers', () => client.sendTrailers(trailers))
    request.pipe(client)
  })
  request.on('trailers', (given) => {
    trailers = given
  })
  for (const [one, other] of [
    [client, request],
    [request, client],
  ] as const) {
    one.on('error', () => other.close())
    one.on('aborted', () => other.close(one.rstCode))
  }
})
await once(server.listen(listen), 'listening')
process.stdout.write('listening\n')
process.stdin.on('close', () => process.exit()).resume()
