import type {Http2ServerRequest, Http2ServerResponse} from 'node:http2'

/** As grpc-go answers a service that it does not have: headers and trailers in one. A DATA frame after them, even an empty one, is taken for missing trailers. */
export function unimplemented(request: Http2ServerRequest | unknown, response: Http2ServerResponse | unknown): void {
  const service = (request as Http2ServerRequest).url.split('/')[1] ?? ''
  const headers = {'content-type': 'application/grpc', 'grpc-status': '12', 'grpc-message': `unknown service ${service}`}
  ;(response as Http2ServerResponse).stream.respond({':status': 200, ...headers}, {endStream: true})
}
