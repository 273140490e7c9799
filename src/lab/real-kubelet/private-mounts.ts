// A kubelet has places that no flag moves: /var/log/pods, /var/lib/kubelet/device-plugins, /run, and it sets the kernel's parameters. In a mount namespace of its own
// it has them for itself. In its folder (run-folder.ts) both sides see what the other mounts.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'

/** @returns the command that becomes the given one, with the same pid */
export async function inPrivateMounts(folder: string, command: readonly string[]): Promise<readonly string[]> {
  const inside = join(folder, 'inside')
  for (const name of ['log', 'lib', 'libexec']) await mkdir(join(inside, name), {recursive: true})
  return ['unshare', '--mount', '--propagation', 'unchanged', 'sh', '-c', script, 'sh', inside, ...command]
}

// The parameters that it sets are a copy; those that it reads are the kernel's. What is mounted over something stays inside where the mount that it is in is private.
const script = `
inside=$1; shift
set -e
over() {
  mount --make-private "$(findmnt --noheadings --output TARGET --target "$2")"
  mount --bind "$1" "$2"
}
over "$inside/log" /var/log
[ ! -d /var/lib/kubelet ] || over "$inside/lib" /var/lib/kubelet
[ ! -d /usr/libexec/kubernetes ] || over "$inside/libexec" /usr/libexec/kubernetes
for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  [ -e "/proc/sys/$name" ] || continue
  copy="$inside/$(echo "$name" | tr / -)"
  cat "/proc/sys/$name" > "$copy"
  over "$copy" "/proc/sys/$name"
done
# It ends with us, however we end.
if command -v setpriv > /dev/null; then exec setpriv --pdeathsig KILL -- "$@"; fi
exec "$@"
`
