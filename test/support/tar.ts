// Tar archives written by hand: a library would refuse the names and kinds that a test wants.

export interface TarEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** The type flag: '0' file, '1' hard link, '2' symbolic link, '3' '4' devices, '5' folder, '6' FIFO, 'x' pax. Default: '0'. */
  readonly flag?: string
  /** Instead of the content's size. */
  readonly size?: number
  readonly link?: string
  /** Default: 0o644. */
  readonly mode?: number
}

export function tar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)])
}

export function tarEntry({name, content = '', flag = '0', size, link = '', mode = 0o644}: TarEntry): Buffer {
  const body = Buffer.from(content as string)
  const header = Buffer.alloc(512)
  header.write(name, 0, 100, 'utf8')
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(flag, 156)
  header.write(link, 157, 100, 'utf8')
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, body, Buffer.alloc(-body.length & 511)])
}

/** A pax header, whose records rule over the header that follows. */
export function pax(records: Readonly<Record<string, string>>): TarEntry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`)
    const length = [1, 2, 3, 4].map((digits) => rest + digits).find((all) => String(all).length === all - rest) ?? rest
    return `${length} ${key}=${value}\n`
  })
  return {name: 'PaxHeader', flag: 'x', content: lines.join('')}
}
