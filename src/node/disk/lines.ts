// Lines of a pipe. node:readline ends a line at U+2028, too, which JSON leaves as it is.

/** Takes text as it comes and hands on each whole line. */
export function lineSplitter(onLine: (line: string) => void): (text: string) => void {
  let rest: string[] = []
  return (text) => {
    const lines = text.split('\n')
    for (const line of lines.slice(0, -1)) {
      rest.push(line)
      onLine(rest.join(''))
      rest = []
    }
    rest.push(lines.at(-1) ?? '')
  }
}
