// csi-sanity against the lab's driver on its socket. Neither has a right that root has.
import {chmodSync, copyFileSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {builtPeers} from '../support/built-peers.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const user = 12_345
const main = join(import.meta.dirname, '../support/served-driver-main.ts')

interface Spec {
  readonly LeafNodeType: string
  readonly ContainerHierarchyTexts: readonly string[]
  readonly LeafNodeText: string
  readonly State: string
  readonly Failure?: {readonly Message: string}
}

/** Runs all specs, with volumes of one access type. */
async function specsOf(access: 'mount' | 'block'): Promise<readonly Spec[]> {
  const [peer = ''] = await builtPeers('csi-sanity')
  const folder = tempDir()
  const binary = join(folder, 'csi-sanity')
  copyFileSync(peer, binary)
  chmodSync(binary, 0o755)
  const root = tempDir()
  const driver = execa(process.execPath, [main, root, String(user)], {reject: false, buffer: false})
  let said = ''
  driver.stdout.on('data', (text) => {
    said += String(text)
  })
  await until(async () => expect(said).toMatch(/\n$/))
  const report = join(root, 'report.json')
  try {
    const flags = {
      'csi.endpoint': `unix://${said.trim()}`,
      'csi.mountdir': join(root, 'mount'),
      'csi.stagingdir': join(root, 'staging'),
      'csi.testvolumeaccesstype': access,
      'ginkgo.json-report': report,
    }
    chmodSync(folder, 0o755)
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const {exitCode, stdout} = await execa(binary, args, {reject: false, uid: user, gid: user, cwd: root})
    expect([exitCode, exitCode === 0 ? '' : stdout]).toEqual([0, ''])
  } finally {
    driver.stdin.end()
    await driver
  }
  const [suite] = JSON.parse(readFileSync(report, 'utf8')) as [{readonly SpecReports: readonly Spec[]}]
  return suite.SpecReports.filter(({LeafNodeType}) => LeafNodeType === 'It')
}

const named = ({ContainerHierarchyTexts, LeafNodeText, Failure}: Spec) =>
  `${[...ContainerHierarchyTexts, LeafNodeText].join(' / ')}: ${Failure?.Message ?? 'pending'}\n`

test.each(['mount', 'block'] as const)('csi-sanity finds no fault with %s volumes, and skips the specs that are listed', async (access) => {
  const specs = await specsOf(access)
  const counts = Object.groupBy(specs, ({State}) => State)
  expect(Object.keys(counts).sort()).toEqual(['passed', 'pending', 'skipped'])
  expect(counts.passed?.length).toBe(57)
  const skipped = [...(counts.skipped ?? []), ...(counts.pending ?? [])].map(named).sort()
  await expect(skipped.join('')).toMatchFileSnapshot('csi-sanity-skipped.txt')
})
