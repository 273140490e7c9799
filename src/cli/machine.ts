// The machine that commands run on. Its parts are loaded here, when a command runs, and not when its help is shown.
import type {Machine} from '../node/runtime-source.ts'
import {onceMore} from './once-more.ts'

export async function thisMachine(signal: AbortSignal, waiting: Set<string>): Promise<Machine> {
  const [{systemClock}, {nodeHost}, {spawnStatWorker}, {reachOf}, {earlierLooks}] = await Promise.all([
    import('../base/clock.ts'),
    import('../node/endpoints/host.ts'),
    import('../node/disk/spawn-worker.ts'),
    import('../node/disk/reach.ts'),
    import('../node/disk/earlier-looks.ts'),
  ])
  const command = onceMore(['stat-worker'])
  const spawnWorker = () => spawnStatWorker(command, process.env)
  const reach = reachOf({spawn: spawnWorker, clock: systemClock, signal, earlier: () => earlierLooks(nodeHost({}))})
  return {
    host: nodeHost(process.env, '/', reach),
    clock: systemClock,
    signal,
    waiting,
    openBundle: async (path, options) => {
      const [{openBundle}, {mustAnswer}] = await Promise.all([import('../node/bundle.ts'), import('../node/must-answer.ts')])
      await mustAnswer(path, reach)
      return await openBundle(path, options)
    },
    spawnStatWorker: spawnWorker,
  }
}
