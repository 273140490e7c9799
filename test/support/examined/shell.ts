// How a shell splits a command (POSIX XCU 2.2): enough to tell whether a path is one word.

/** @throws Error when a quote is open. */
export function wordsOf(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? ''
    if (char === "'" || char === '"') {
      const ansi = char === "'" && word?.endsWith('$') === true && command[at - 1] === '$'
      let text = ansi ? (word ?? '').slice(0, -1) : (word ?? '')
      for (at++; command[at] !== char; at++) {
        if (at >= command.length) throw new Error(`Cannot split '${command}' as its quotes must be closed`)
        const code = ansi ? /^\\u([0-9a-f]{4})/i.exec(command.slice(at, at + 6))?.[1] : undefined
        if (code !== undefined) {
          text += String.fromCharCode(Number.parseInt(code, 16))
          at += 5
          continue
        }
        if (command[at] === '\\' && (char === '"' || ansi)) at++
        text += command[at]
      }
      word = text
    } else if (char === '\\') word = (word ?? '') + (command[++at] ?? '')
    else if (/[\s;&|<>()]/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
      if (!/\s/.test(char)) words.push(char)
    } else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}

/** A command that removes a directory with what is in it. */
export function deletesTrees(command: string): boolean {
  const words = wordsOf(command)
  return words.some((word, index) => {
    const rest = words.slice(index + 1)
    const own = rest.slice(0, rest.findIndex((each) => /^[;&|]$/.test(each)) >>> 0)
    if (/(^|\/)rm$/.test(word)) return own.some((each) => /^-\w*[rR]/.test(each) || each.startsWith('--recursive'))
    // Of empty directories, on one file system, it is what the kubelet does itself.
    return word === '-delete' && !/ -xdev .*-type d -empty -delete$/.test(command)
  })
}

const onlyLook: Readonly<Record<string, readonly string[] | true>> = {
  ...{
    cat: true,
    curl: true,
    date: true,
    df: true,
    dmesg: true,
    du: true,
    findmnt: true,
    grep: true,
    head: true,
    journalctl: true,
    ls: true,
  },
  ...{
    lsof: true,
    fuser: true,
    ps: true,
    readlink: true,
    sort: true,
    ss: true,
    stat: true,
    tail: true,
    test: true,
    timedatectl: true,
    uptime: true,
    wc: true,
  },
  ...{
    crictl: ['info', 'inspect', 'inspectp', 'logs', 'pods', 'ps', 'stats', 'version'],
    ctr: ['-n'],
    ip: ['addr', 'netns'],
    losetup: ['-l', '-a'],
  },
  ...{kubectl: ['describe', 'events', 'get', 'logs'], kubelimbo: true, systemctl: ['is-active', 'show', 'status'], find: true},
}

/** A command of which we do not know that it only looks. */
export function changesSomething(command: string): boolean {
  const words = wordsOf(command)
  const starts = words.flatMap((word, at) => (at === 0 || /^[;&|]$/.test(words[at - 1] ?? '') ? [{word, at}] : []))
  return starts.some(({word, at}) => {
    if (/^[;&|]$/.test(word)) return false
    const known = Object.hasOwn(onlyLook, word) ? onlyLook[word] : undefined
    if (known === undefined) return true
    if (word === 'find') return words.includes('-delete') || words.includes('-exec')
    const verb = words[at + 1] === '-r' ? words[at + 3] : words[at + 1]
    return known !== true && !known.includes(verb ?? '')
  })
}
