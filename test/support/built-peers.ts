// Peers that are built from source: see docs/peers.md.
import {join} from 'node:path'
import {execa} from 'execa'

const script = join(import.meta.dirname, '../peers/build.sh')

/**
 * Their paths in the order of the names; what is not there yet is built.
 * @throws with build.sh's reason.
 */
export async function builtPeers(...names: readonly string[]): Promise<string[]> {
  const {stdout, stderr} = await execa(script, names, {reject: false})
  const built = new Map(
    stdout
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name, path]) => [name, path]),
  )
  return names.map((name) => {
    const path = built.get(name)
    if (path === undefined) throw new Error(`Cannot find ${name}: ${stderr.trim().split('\n').at(-1)}`)
    return path
  })
}
