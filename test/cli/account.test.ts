import {expect, test, vi} from 'vitest'
import {myUid} from '../../src/cli/account.ts'
import {labFolder} from '../../src/cli/lab-flags.ts'
import {owner} from '../../src/cli/owner.ts'

test('myUid() is that of the process, with an account or without one', () => {
  // Nobody's, wherever this runs: os.userInfo() throws for whom it has no account.
  vi.spyOn(process, 'getuid').mockReturnValue(54_321)
  vi.stubEnv('XDG_RUNTIME_DIR', '')
  expect([myUid(), owner().uid]).toEqual([54_321, 54_321])
  expect(labFolder({})).toContain('54321')
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
