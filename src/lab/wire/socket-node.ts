// A lab's node whose kubelet reaches its servers by sockets, in simulated time.
import {mkdtemp, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {seeded} from '../../base/dice.ts'
import {type LabNode, type LabOptions, startLabNode} from '../lab-node.ts'
import {socketWire} from './socket-wire.ts'

/** @param temporary where there may be a folder for the sockets */
export async function startSocketNode(options: LabOptions, temporary: string): Promise<LabNode> {
  const folder = await mkdtemp(join(temporary, 'kubelimbo-'))
  const wire = socketWire({folder, dice: seeded(options.seed)})
  return {
    ...startLabNode({...options, wire}),
    end: async () => {
      await wire[Symbol.asyncDispose]()
      await rm(folder, {recursive: true, force: true})
    },
  }
}
