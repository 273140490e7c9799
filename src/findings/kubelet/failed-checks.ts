// What the kubelet's own health check says is not well.
import type {Healthz} from '../../node/healthz.ts'

/** 'syncloop', 'log' …: the names in '[-]syncloop failed: reason withheld'. None of a kubelet that is well. */
export function failedChecks({ok, text}: Healthz): string[] {
  return ok ? [] : [...text.matchAll(/^\[-\](\S+)/gm)].flatMap(([, name]) => name ?? [])
}
