// Files that come with the tool and are read as it runs: beside the built commands, or inside the single executable.
import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {getAsset, isSea} from 'node:sea'
import {fileURLToPath} from 'node:url'

export interface ShippedFile {
  /** 'fixtures/scenarios/some.yaml' */
  readonly path: string
  readonly text: string
}

/** The asset that holds all of them in the single executable: a list of these. */
export const shippedAsset = 'shipped.json'

/** What lies in a folder of the package, by name. */
export async function shippedFiles(folder: string): Promise<readonly ShippedFile[]> {
  if (isSea()) {
    const all: readonly ShippedFile[] = JSON.parse(getAsset(shippedAsset, 'utf8'))
    return all.filter(({path}) => dirname(path) === folder)
  }
  const top = packageFolder(dirname(fileURLToPath(import.meta.url)), folder)
  const names = (await readdir(join(top, folder))).sort()
  return await Promise.all(names.map(async (name) => ({path: `${folder}/${name}`, text: await readFile(join(top, folder, name), 'utf8')})))
}

/** We lie somewhere below it, in src/ or in dist/. */
function packageFolder(below: string, folder: string): string {
  if (existsSync(join(below, folder))) return below
  const above = dirname(below)
  if (above === below) throw new Error(`${folder} is not where it was installed`)
  return packageFolder(above, folder)
}
