// A driver of the lab on its sockets, in a process of its own, which gives up its rights: ROOT UID. Says where its socket is; ends with its input.
import {chownSync} from 'node:fs'
import {servedDriver} from './served-driver.ts'

const [root = '', user = ''] = process.argv.slice(2)
chownSync(root, Number(user), Number(user))
process.setgroups?.([])
process.setgid?.(Number(user))
process.setuid?.(Number(user))
const {endpoint} = await servedDriver(root, {capabilities: ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME']})
process.stdout.write(`${endpoint}\n`)
process.stdin.on('end', () => process.exit()).resume()
