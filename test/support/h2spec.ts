// h2spec, the peer: conformance tests of HTTP/2, at a TCP port of loopback.
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'

/** 'http2/6.9.2/2 Sends …: passed', a line for each case, the strict ones too. @param folder for its report */
export async function runH2spec(address: string, folder: string): Promise<readonly string[]> {
  const [h2spec = ''] = await builtPeers('h2spec')
  const [, host = '', port = ''] = /^tcp:(.+):(\d+)$/.exec(address) ?? []
  const report = join(folder, 'h2spec.xml')
  const {all} = await execa(h2spec, ['--strict', '-h', host, '-p', port, '-o', '1', '-j', report], {reject: false, all: true})
  if (!existsSync(report)) throw new Error(`h2spec gave up: ${all}`)
  const text = readFileSync(report, 'utf8')
  return [...text.matchAll(/<testcase package="(.*?)" classname="(.*?)" time=".*?">\s*<(\/testcase|failure|skipped|error)/g)].map(
    ([, section, title, what]) => `${section} ${title}: ${what === '/testcase' ? 'passed' : what}`,
  )
}
