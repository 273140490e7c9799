// The container runtime of a lab's node, as the rest of the node deals with it: the one in memory, unless a real one is given.
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'
import type {CriMethods} from '../kubelet/cri.ts'
import type {Timeline} from '../timeline/timeline.ts'
import {labRuntimeName} from './lab-snapshot.ts'
import type {PortOptions} from './port/faulty-port.ts'
import type {Server} from './port/server.ts'
import {type BehindTheBack, behindTheBack} from './runtime/behind-the-back.ts'
import {describeCri} from './runtime/describe-cri.ts'
import {fakeRuntime} from './runtime/fake-runtime.ts'
import {type RuntimeWorld, runtimeWorld} from './runtime/runtime-world.ts'

export interface LabRuntime {
  /** As it calls itself: the first part of the ids of its containers. */
  readonly name: string
  readonly server: Server<CriMethods>
  readonly describe: PortOptions['describe']
  readonly behindTheBack: BehindTheBack
  /** What it has, where that is in memory. */
  readonly world?: RuntimeWorld
}

export function memoryRuntime(clock: Clock, timeline: Timeline, dice: Dice): LabRuntime & {readonly world: RuntimeWorld} {
  const world = runtimeWorld(clock, timeline)
  return {
    name: labRuntimeName,
    server: fakeRuntime(world, clock, dice),
    describe: describeCri(world),
    behindTheBack: behindTheBack(world),
    world,
  }
}
