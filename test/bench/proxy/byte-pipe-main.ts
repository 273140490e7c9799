// The byte pipe as a process of its own: byte-pipe-main.ts LISTEN UPSTREAM
import {bytePipe} from '../../support/byte-pipe.ts'

const [listen = '', upstream = ''] = process.argv.slice(2)
await bytePipe(listen, upstream)
process.stdout.write('listening\n')
process.stdin.on('close', () => process.exit()).resume()
