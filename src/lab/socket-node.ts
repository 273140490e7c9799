// A lab's node whose kubelet reaches its servers by sockets, in simulated time.
import {mkdtemp, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {seeded} from '../base/dice.ts'
import {type LabNode, type LabOptions, startLabNode} from './lab-node.ts'
import {socketWire} from './socket-wire.ts'

/** @param temporary where there may be a folder for the sockets @param use what is done with it before the sockets go */
export async function withSocketNode<T>(options: LabOptions, temporary: string, use: (node: LabNode) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(temporary, 'kubelimbo-'))
  try {
    await using wire = socketWire({folder, dice: seeded(options.seed)})
    return await use(startLabNode({...options, wire}))
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}
