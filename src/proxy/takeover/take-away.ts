// Takes a name of ours away from the path, without losing what somebody else may put there meanwhile.
import type {FileId} from '../../node/takeover/journal.ts'
import type {SideFolder} from './side-folder.ts'

const codeIs = (error: unknown, ...codes: readonly string[]): boolean => codes.includes((error as NodeJS.ErrnoException).code ?? '')

/** Resolves to whether it was there. @throws any other error */
export const ifThere = (work: Promise<void>, ...codes: readonly string[]): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (codeIs(error, ...codes)) return false
      throw error
    },
  )

/** A server that has just bound does not listen yet. */
export async function livesOrWill(folder: SideFolder, name: string): Promise<boolean> {
  if (await folder.lives(name)) return true
  await folder.pause()
  return folder.lives(name)
}

/** @param scrap a name of ours, which is free */
export async function takeAway(
  folder: SideFolder,
  path: string,
  scrap: string,
  isOurs: (file: FileId) => boolean,
): Promise<'taken' | 'gone' | 'foreign'> {
  if (!(await ifThere(folder.rename(path, scrap), 'ENOENT'))) return 'gone'
  const file = await folder.look(scrap)
  if (file === undefined) return 'gone'
  if (isOurs(file)) {
    await folder.remove(scrap)
    return 'taken'
  }
  // A link never overwrites. A dead one stays away: its server may be about to bind, and must find the path free.
  if (await livesOrWill(folder, scrap)) await ifThere(folder.link(scrap, path), 'EEXIST')
  await folder.remove(scrap)
  return 'foreign'
}
