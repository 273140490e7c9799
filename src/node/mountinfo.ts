// The lines of /proc/PID/mountinfo (proc_pid_mountinfo(5)).

export interface Mount {
  readonly id: number
  readonly parent: number
  /** 'major:minor'. */
  readonly device: string
  /** The part of the source's file system that is mounted; may end in '//deleted'. */
  readonly root: string
  /** Octal escapes decoded. */
  readonly mountPoint: string
  readonly options: string
  /** 'shared:2', 'master:1' …: none to several. */
  readonly optional: readonly string[]
  readonly fsType: string
  readonly source: string
  readonly superOptions: string
}

/**
 * The mounts in the order of the table, the last one at a mount point being the visible one. Lines that are not whole are left out: the
 * last one may be torn.
 * @throws Error when there is text and no line of it is one of mountinfo's.
 */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = []
  for (const line of text.split('\n')) {
    const mount = parseLine(line)
    if (mount !== undefined) mounts.push(mount)
  }
  if (mounts.length === 0 && text.trim() !== '') {
    throw new Error('Cannot read the mount table as its lines must be those of /proc/PID/mountinfo: not one of them is')
  }
  return mounts
}

/** ' ', '\t', '\n', '\\' and, in the type and the source, '#' (fs/proc_namespace.c). */
export function decodeOctal(field: string): string {
  return field.includes('\\') ? field.replace(/\\([0-3][0-7]{2})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))) : field
}

function parseLine(line: string): Mount | undefined {
  // Single spaces: an empty source is an empty field.
  const fields = line.split(' ')
  // The optional fields start at 6; a '-' before that is a path.
  const dash = fields.indexOf('-', 6)
  const [id, parent, device, root, mountPoint, options] = fields
  if (dash === -1 || fields.length < dash + 4) return undefined
  if (!isNumber(id) || !isNumber(parent) || device === undefined || !/^\d+:\d+$/.test(device)) return undefined
  return {
    id: Number(id),
    parent: Number(parent),
    device,
    root: decodeOctal(root ?? ''),
    mountPoint: decodeOctal(mountPoint ?? ''),
    options: options ?? '',
    optional: fields.slice(6, dash),
    fsType: decodeOctal(fields[dash + 1] ?? ''),
    source: decodeOctal(fields[dash + 2] ?? ''),
    // Some file systems write spaces into their options.
    superOptions: decodeOctal(fields.slice(dash + 3).join(' ')),
  }
}

function isNumber(field: string | undefined): boolean {
  return field !== undefined && /^\d+$/.test(field)
}
