// Whether the pid that a runtime tells is the container's own process. A virtual machine's or a sandbox's is somebody else's.

/** containerd names the shim that it starts; runc's serves crun and youki, too. */
const plainShims: ReadonlySet<string> = new Set(['io.containerd.runc.v2', 'io.containerd.runc.v1', 'io.containerd.runtime.v1.linux'])
/** CRI-O has names of handlers; none at all is the default one. */
const plainHandlers: ReadonlySet<string> = new Set(['', 'runc', 'crun', 'youki'])

/** @param handler of the container's sandbox; undefined when nobody knows it. */
export function isPlainProcess(runtime: string | undefined, handler: string | undefined): boolean {
  if (runtime !== undefined) return plainShims.has(runtime) || plainHandlers.has(runtime)
  return handler !== undefined && plainHandlers.has(handler)
}
