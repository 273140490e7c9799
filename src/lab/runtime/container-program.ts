// What a container's command does, as a shell would understand it, so that the same pods run on a real runtime.
import {UserError} from '../../base/errors.ts'

export type Program =
  /** There is no such binary in the image: the container cannot start. */
  | {readonly kind: 'missing'; readonly binary: string}
  | {
      readonly kind: 'script'
      readonly statements: readonly Statement[]
      /** It is there, with its handlers, as soon as it runs; a shell needs a moment. */
      readonly atOnce?: true
    }

export type Statement =
  /** Milliseconds; Infinity: for ever. */
  | {readonly kind: 'sleep'; readonly ms: number}
  /** A status that a command leaves behind: of the last one a script ends with it. */
  | {readonly kind: 'status'; readonly code: number}
  | {readonly kind: 'exit'; readonly code: number}
  /** What SIGTERM does from here on; no statements: it is ignored. */
  | {readonly kind: 'trap'; readonly statements: readonly Statement[]}
  /** Writes that to its standard output. */
  | {readonly kind: 'echo'; readonly text: string}
  /** Writes what only the container's surroundings can tell: its host name, a file, what is in a folder, which processes there are. */
  | {readonly kind: 'ask'; readonly words: readonly string[]}
  /** Writes that, if it is anything, and sleeps for this long, again and again. */
  | {readonly kind: 'loop'; readonly ms: number; readonly says: string; readonly command: 'sleep' | 'top'}

const understood = `"exit N", "sleep N", "sleep infinity", "trap '' TERM", "trap 'exit N' TERM", "trap 'sleep N; exit M' TERM", "while :; do sleep N; done", "while :; do echo WORDS; sleep N; done", "echo WORDS", "echo -n WORDS", "top", "hostname", "id -u", "id -g", "id -un", "cat FILE", "ls -A FOLDER", "pgrep NAME || true", "true" and "false", with ';' between them`

const known = new Map<string, Program>()

/** @throws UserError when it is a shell script with more in it than is understood */
export function programOf(command: readonly string[]): Program {
  const key = command.join('\0')
  const before = known.get(key)
  if (before !== undefined) return before
  const program = parse(command)
  known.set(key, program)
  return program
}

function parse(command: readonly string[]): Program {
  // The lab's image does nothing for ever.
  if (command.length === 0) return {kind: 'script', statements: [{kind: 'sleep', ms: Number.POSITIVE_INFINITY}]}
  const [path = '', ...parameters] = command
  const binary = path.replace(/^\/(usr\/)?bin\//, '')
  if (binary === 'sh') {
    const [option, script, ...more] = parameters
    if (option !== '-c' || script === undefined || more.length > 0) throw notUnderstood(command.join(' '))
    return script.trim() === 'top' ? top : {kind: 'script', statements: statementsOf(script)}
  }
  if (binary === 'top') return top
  if (binary === 'echo') return {kind: 'script', statements: [echo(parameters)]}
  if (questions.some((each) => each.test([binary, ...parameters].join(' '))))
    return {kind: 'script', statements: [{kind: 'ask', words: [binary, ...parameters]}]}
  if (binary === 'true' || binary === 'false' || binary === 'sleep')
    return {kind: 'script', statements: [statementOf([binary, ...parameters].join(' '))]}
  return {kind: 'missing', binary: path}
}

const questions = [/^hostname$/, /^id -(u|g|un|nu)$/, /^cat \/\S+$/, /^ls -A \/\S+$/]

/** It shows what it shows until a SIGTERM, which it has a handler for (busybox, procps/top.c). The shell that is told no more than that becomes it. */
const top: Program = {
  kind: 'script',
  statements: [
    {kind: 'trap', statements: [{kind: 'exit', code: 143}]},
    {kind: 'loop', ms: 1, says: '', command: 'top'},
  ],
  atOnce: true,
}

function echo([first, ...more]: readonly string[]): Statement {
  if (first === '-n') return {kind: 'echo', text: more.join(' ')}
  return {kind: 'echo', text: `${[first, ...more].join(' ')}\n`}
}

/** What stands after echo in a script: words, or one text in quotes, with nothing in it that a shell would put something else for. */
function echoOf(text: string): Statement | undefined {
  const said = /^echo(?:\s+(.*))?$/s.exec(text)
  if (said === null) return undefined
  const [, option = '', quoted = ''] = /^(-n\s+)?(.*)$/s.exec(said[1] ?? '') ?? []
  const [, single, double, bare] = /^(?:'([^']*)'|"([^"$`\\]*)"|([^'"$`\\<>|&()*?[\]#~!{}]*))$/s.exec(quoted) ?? []
  const words = single ?? double ?? bare?.trim().split(/\s+/).join(' ')
  return words === undefined ? undefined : {kind: 'echo', text: option === '' ? `${words}\n` : words}
}

/** Cut at the semicolons and ends of lines that no quotes or loop hold together. */
function statementsOf(script: string): readonly Statement[] {
  const parts = script.match(/(?:'[^']*'|"[^"]*"|[^;\n'"])+/g) ?? []
  // What no part has is between them; a quote there has no other end.
  if (/['"]/.test(parts.reduce((left, part) => left.replace(part, ''), script))) throw notUnderstood(script)
  const statements: string[] = []
  for (const part of parts.map((each) => each.trim()).filter((each) => each !== '')) {
    const last = statements.at(-1)
    const inLoop = last?.startsWith('while ') === true && !last.endsWith('done')
    if (inLoop) statements[statements.length - 1] = `${last}; ${part}`
    else statements.push(part)
  }
  return statements.map(statementOf)
}

function statementOf(text: string): Statement {
  const words = text.split(/\s+/).join(' ')
  if (words === ':' || words === 'true') return {kind: 'status', code: 0}
  if (words === 'false') return {kind: 'status', code: 1}
  const exit = /^exit (\d{1,3})$/.exec(words)
  if (exit) return {kind: 'exit', code: Number(exit[1]) & 255}
  const sleep = /^sleep (\d+(?:\.\d+)?|infinity)$/.exec(words)
  if (sleep) return {kind: 'sleep', ms: milliseconds(sleep[1])}
  const trap = /^trap (?:'([^']*)'|"([^"]*)") (?:SIG)?TERM$/.exec(words)
  if (trap) {
    const statements = statementsOf(trap[1] ?? trap[2] ?? '')
    if (statements.every(({kind}) => kind !== 'trap' && kind !== 'loop')) return {kind: 'trap', statements}
  }
  const pgrep = /^pgrep (\w+) \|\| (?:true|:)$/.exec(words)
  if (pgrep) return {kind: 'ask', words: ['pgrep', pgrep[1] ?? '']}
  const echoed = echoOf(text)
  if (echoed) return echoed
  const loop = /^while (?::|true); do (?:(echo [^;]*); )?sleep (\d+(?:\.\d+)?); done$/.exec(words)
  if (loop && Number(loop[2]) > 0) {
    const said = loop[1] === undefined ? undefined : echoOf(loop[1])
    if (loop[1] === undefined) return {kind: 'loop', ms: milliseconds(loop[2]), says: '', command: 'sleep'}
    if (said?.kind === 'echo') return {kind: 'loop', ms: milliseconds(loop[2]), says: said.text, command: 'sleep'}
  }
  throw notUnderstood(text)
}

const milliseconds = (seconds: string | undefined): number => (seconds === 'infinity' ? Number.POSITIVE_INFINITY : Number(seconds) * 1000)

const notUnderstood = (text: string): UserError =>
  new UserError(`Cannot run the command as the lab must understand it: it is '${text}'`, {
    hint: `The lab's shell understands ${understood}.`,
  })
