// Defects that we plant into a copy of the model are found: each in a child process that explores today's kubelet with the copy.
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {execa} from 'execa'
import {describe, expect, test} from 'vitest'
import {knownHoles} from '../../support/known-holes.ts'

interface Defect {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** What finds it. */
  readonly invariant: string
}

const defects: readonly Defect[] = [
  {
    name: 'the object goes whether or not its worker has finished',
    file: 'can-be-deleted.ts',
    from: 'if (!whenFinished) return ',
    to: 'if (whenFinished) return true\n    return ',
    invariant: 'removed-while-running',
  },
  {
    name: 'a sync that failed is not tried again',
    file: 'stateful-workers.ts',
    from: 'queue.enqueue(uid, phaseTransition',
    to: 'if (error === undefined) queue.enqueue(uid, phaseTransition',
    invariant: 'stuck-terminating',
  },
  {
    name: 'ending a pod writes over how its containers ended',
    file: 'terminated-status.ts',
    from: "if (!profile.switches.has('ends-keep-exits'))",
    to: "if (profile.switches.has('ends-keep-exits'))",
    invariant: 'success-made-up',
  },
  {
    name: 'a container that has ended may not stay so',
    file: 'container-transition.ts',
    from: "&& !('terminated' in status.state)",
    to: "&& 'terminated' in status.state",
    invariant: 'stuck-terminating',
  },
  {
    name: 'a pod that could not be inspected is not inspected again',
    file: 'pleg.ts',
    from: 'toReinspect = failed',
    to: 'toReinspect = new Set()',
    invariant: 'stuck-terminating',
  },
  {
    name: 'a removal that failed is not tried again by the batch',
    file: 'status-sync.ts',
    from: 'return pod !== undefined && deletable(',
    to: 'return false && deletable(',
    invariant: 'stuck-terminating',
  },
  {
    name: 'a container that was quick has succeeded',
    file: 'convert-container-statuses.ts',
    from: 'return {terminated: {exitCode, ',
    to: 'return {terminated: {exitCode: finishedAt - startedAt < 2000 ? 0 : exitCode, ',
    invariant: 'success-made-up',
  },
]

const top = resolve(import.meta.dirname, '../../..')
const child = join(top, 'test/support/explore-main.ts')
const profile = '1.36.2'
const known = JSON.stringify(knownHoles[profile].map(({kind}) => kind))

interface Outcome {
  readonly histories: number
  readonly found?: {readonly kind: string}
}

/** @param histories how many at most */
async function exploredWith(histories: number, defect?: Defect): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelimbo-planted-'))
  try {
    await cp(join(top, 'src'), join(folder, 'src'), {recursive: true})
    await cp(join(top, 'package.json'), join(folder, 'package.json'))
    await symlink(join(top, 'node_modules'), join(folder, 'node_modules'))
    if (defect !== undefined) {
      const file = join(folder, 'src/kubelet', defect.file)
      const source = await readFile(file, 'utf8')
      expect(source.split(defect.from), `${defect.file} must have '${defect.from}' once`).toHaveLength(2)
      await writeFile(file, source.replace(defect.from, defect.to))
    }
    const {stdout} = await execa(process.execPath, [child, folder, profile, '1', `${histories}`, known])
    return JSON.parse(stdout) as Outcome
  } finally {
    await rm(folder, {recursive: true})
  }
}

describe('exploreHistories()', {timeout: 120_000}, () => {
  test.concurrent.each(defects)('finds that $name ($file)', async (defect) => {
    const {found} = await exploredWith(2000, defect)
    expect(found?.kind).toContain(`${defect.invariant}: `)
  })

  test.concurrent('finds nothing but what is known where nothing is planted', async () => {
    expect(await exploredWith(200)).toEqual({histories: 200})
  })
})
