import {expect, test} from 'vitest'
import {kubelimbo} from '../support/kubelimbo.ts'

test.each<[args: readonly string[], says: RegExp, exitCode: number]>([
  [['--kubelet', '/nowhere/kubelet'], /^kubelimbo: Cannot run \/nowhere\/kubelet as it must be a kubelet: it is not there$/m, 2],
  [['--kubelet', 'package.json'], /^kubelimbo: Cannot run package.json as it must be a kubelet: it is no file that may be run$/m, 2],
  [['--kubelet', '/'], /^kubelimbo: Cannot run \/ as it must be a kubelet: /m, 2],
  [['--kubelet', '/bin/true'], /^kubelimbo: Cannot run \/bin\/true as it must be a kubelet: asked for --version it says '/m, 2],
  [
    ['--kubelet', '/bin/true', '-o', 'tap'],
    /^kubelimbo: Cannot print what a kubelet did as its format must be table, json, yaml or junit: it is tap$/m,
    2,
  ],
  [['--kubelet', '/bin/true', 'no-such-scenario'], /no-such-scenario/, 2],
  [['--kubelet', '/bin/true', '--profile', '1.17.3'], /--profile.*--kubelet|--kubelet.*--profile/, 2],
  [['--compare', '/bin/true'], /--kubelet/, 2],
  [
    ['--kubelet', '/bin/true', '--at-once', '0'],
    /^kubelimbo: Cannot use --at-once as it must be a whole number from 1 to 50: it is '0'$/m,
    2,
  ],
])('repro %j says what is wrong, in a sentence', async (args, says, exitCode) => {
  const ran = await kubelimbo(['repro', ...args])
  expect([ran.stdout, ran.exitCode]).toEqual(['', exitCode])
  expect(ran.stderr).toMatch(says)
  expect(ran.stderr).not.toMatch(/^ +at /m)
})
