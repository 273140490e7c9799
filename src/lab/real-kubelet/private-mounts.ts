// A kubelet has places that no flag moves: /var/log/pods, /var/lib/kubelet/device-plugins, /run, and it sets the kernel's parameters. In a mount namespace of its own
// it has them for itself. What drivers mount outside comes in, what it mounts stays inside.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'

/** @returns the command that becomes the given one, with the same pid */
export async function inPrivateMounts(folder: string, command: readonly string[]): Promise<readonly string[]> {
  const inside = join(folder, 'inside')
  for (const name of ['log', 'lib', 'libexec']) await mkdir(join(inside, name), {recursive: true})
  return ['unshare', '--mount', '--propagation', 'slave', 'sh', '-c', script, 'sh', inside, ...command]
}

// The parameters that it sets are a copy; those that it reads are the kernel's.
const script = `
inside=$1; shift
set -e
mount --bind "$inside/log" /var/log
[ ! -d /var/lib/kubelet ] || mount --bind "$inside/lib" /var/lib/kubelet
[ ! -d /usr/libexec/kubernetes ] || mount --bind "$inside/libexec" /usr/libexec/kubernetes
for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  [ -e "/proc/sys/$name" ] || continue
  copy="$inside/$(echo "$name" | tr / -)"
  cat "/proc/sys/$name" > "$copy"
  mount --bind "$copy" "/proc/sys/$name"
done
# It ends with us, however we end.
if command -v setpriv > /dev/null; then exec setpriv --pdeathsig KILL -- "$@"; fi
exec "$@"
`
