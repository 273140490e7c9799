// As Kubernetes writes moments: whole seconds.
export function timestamp(at = Date.now()): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
