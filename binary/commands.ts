// The commands of the single executable. oclif would look for their files; here they are in the one bundle, and loaded when they run.
import type {CommandTable} from './plugin.ts'

export const commands: CommandTable = {
  check: () => import('../commands/check.ts'),
  doctor: () => import('../commands/doctor.ts'),
  drivers: () => import('../commands/drivers.ts'),
  endpoints: () => import('../commands/endpoints.ts'),
  exam: () => import('../commands/exam.ts'),
  explain: () => import('../commands/explain.ts'),
  'lab:down': () => import('../commands/lab/down.ts'),
  'lab:serve': () => import('../commands/lab/serve.ts'),
  'lab:status': () => import('../commands/lab/status.ts'),
  'lab:up': () => import('../commands/lab/up.ts'),
  pods: () => import('../commands/pods.ts'),
  ps: () => import('../commands/ps.ts'),
  repro: () => import('../commands/repro.ts'),
  'repro:explore': () => import('../commands/repro/explore.ts'),
  'repro:list': () => import('../commands/repro/list.ts'),
  'repro:show': () => import('../commands/repro/show.ts'),
  'repro:validate': () => import('../commands/repro/validate.ts'),
  snapshot: () => import('../commands/snapshot.ts'),
  'stat-worker': () => import('../commands/stat-worker.ts'),
  volumes: () => import('../commands/volumes.ts'),
  why: () => import('../commands/why.ts'),
}
