// An id of a container or a sandbox as crictl shows it: enough to find it by.

export function shortId(id: string): string {
  return id.slice(0, 13)
}
