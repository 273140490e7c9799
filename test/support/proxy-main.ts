// The proxy as a process of its own, for tests and benches that look at what the process needs: proxy-main.ts LISTEN UPSTREAM [RULE AS JSON]
import {systemClock} from '../../src/base/clock.ts'
import {keepMemorySteady} from '../../src/cli/steady-memory.ts'
import type {Rule} from '../../src/faults/rule.ts'
import {serveProxy} from '../../src/proxy/serve-proxy.ts'

keepMemorySteady()
const [listen = '', upstream = '', ...rules] = process.argv.slice(2)
const proxy = await serveProxy({listen, upstream, rules: rules.map((rule): Rule => JSON.parse(rule)), seed: 1, clock: systemClock})
process.stdout.write(`listening ${proxy.address}\n`)
// Whoever started it ends it, or ends himself.
process.stdin.on('close', () => process.exit()).resume()
