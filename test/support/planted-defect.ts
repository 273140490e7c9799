// Plants a defect into a copy of the model and explores today's kubelet with the copy, in a child process.
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {execa} from 'execa'
import type {Family} from '../../src/scenario/explore/generate/history.ts'
import {holesOf, patternOf} from './known-holes.ts'

export interface Defect {
  readonly name: string
  /** Below src/kubelet. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** What finds it: the beginning of its kind. */
  readonly finds: string
}

export interface Outcome {
  readonly histories: number
  readonly found?: {readonly kind: string}
}

const top = resolve(import.meta.dirname, '../..')
const child = join(top, 'test/support/explore-main.ts')
const profile = '1.36.2'

/** @param histories how many at most */
export async function exploredWith(family: Family, histories: number, defect?: Defect): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelimbo-planted-'))
  try {
    await cp(join(top, 'src'), join(folder, 'src'), {recursive: true})
    await cp(join(top, 'package.json'), join(folder, 'package.json'))
    await symlink(join(top, 'node_modules'), join(folder, 'node_modules'))
    if (defect !== undefined) {
      const {file, from, to} = defect
      const path = join(folder, 'src/kubelet', file)
      const source = await readFile(path, 'utf8')
      if (source.split(from).length !== 2) throw new Error(`${file} must have '${from}' once`)
      await writeFile(path, source.replace(from, to))
    }
    const known = JSON.stringify(holesOf(profile, family).map((hole) => patternOf(hole).source))
    const {stdout} = await execa(process.execPath, [child, folder, profile, family, '1', `${histories}`, known])
    return JSON.parse(stdout) as Outcome
  } finally {
    await rm(folder, {recursive: true})
  }
}
