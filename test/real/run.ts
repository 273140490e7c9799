// npm run test:real: the tests against a real container runtime, or one line that says what they lack.
import {readFileSync} from 'node:fs'
import {execa} from 'execa'
import {firstLine} from '../../src/base/errors.ts'
import {builtPeers} from '../support/built-peers.ts'
import {findParts} from '../support/containerd-parts.ts'
import {faketimeLibrary} from '../support/faketime.ts'
import {minbase} from '../support/minbase.ts'

const packages = 'containerd runc busybox-static containernetworking-plugins iproute2 debootstrap attr faketime'
const peers = readFileSync(new URL('peers.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** What is missing and how to get it, in one line, or undefined. */
async function lack(): Promise<string | undefined> {
  const found = findParts()
  if ('missing' in found) return `it needs ${found.missing.join(', ')} (on Debian, as root: apt-get install -y ${packages})`
  if (faketimeLibrary === undefined) return `it needs libfaketime (on Debian, as root: apt-get install -y ${packages})`
  try {
    await builtPeers(...peers)
  } catch (error) {
    return `${firstLine(error)} (test/peers/build.sh ${peers.join(' ')} builds with Go)`
  }
  try {
    await minbase()
  } catch (error) {
    return `${firstLine(error)} (on Debian, as root: apt-get install -y ${packages})`
  }
  return undefined
}

const missing = await lack()
if (missing === undefined) {
  const run = {stdio: 'inherit', reject: false, preferLocal: true} as const
  const built = await execa('npm', ['run', '--silent', 'build:binary'], run)
  const tested = built.failed ? built : await execa('vitest', ['run', '--project', 'real', ...process.argv.slice(2)], run)
  process.exitCode = tested.exitCode ?? 1
} else {
  process.stderr.write(`test:real did not run: ${missing}\n`)
  process.exitCode = process.env.CI === 'true' ? 1 : 0
}
