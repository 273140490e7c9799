// What a container's command does, as a shell would understand it, so that the same pods run on a real runtime.
import {UserError} from '../base/errors.ts'

export type Program =
  /** There is no such binary in the image: the container cannot start. */
  {readonly kind: 'missing'; readonly binary: string} | {readonly kind: 'script'; readonly statements: readonly Statement[]}

export type Statement =
  /** Milliseconds; Infinity: for ever. */
  | {readonly kind: 'sleep'; readonly ms: number}
  /** A status that a command leaves behind: of the last one a script ends with it. */
  | {readonly kind: 'status'; readonly code: number}
  | {readonly kind: 'exit'; readonly code: number}
  /** What SIGTERM does from here on; no statements: it is ignored. */
  | {readonly kind: 'trap'; readonly statements: readonly Statement[]}
  /** Sleeps for this long, again and again. */
  | {readonly kind: 'loop'; readonly ms: number}

const understood = `"exit N", "sleep N", "sleep infinity", "trap '' TERM", "trap 'exit N' TERM", "trap 'sleep N; exit M' TERM", "while :; do sleep N; done", "true" and "false", with ';' between them`

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
    return {kind: 'script', statements: statementsOf(script)}
  }
  if (binary === 'true' || binary === 'false' || binary === 'sleep')
    return {kind: 'script', statements: [statementOf([binary, ...parameters].join(' '))]}
  return {kind: 'missing', binary: path}
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
  const loop = /^while (?::|true); do sleep (\d+(?:\.\d+)?); done$/.exec(words)
  if (loop && Number(loop[1]) > 0) return {kind: 'loop', ms: milliseconds(loop[1])}
  throw notUnderstood(text)
}

const milliseconds = (seconds: string | undefined): number => (seconds === 'infinity' ? Number.POSITIVE_INFINITY : Number(seconds) * 1000)

const notUnderstood = (text: string): UserError =>
  new UserError(`Cannot run the command as the lab must understand it: it is '${text}'`, {
    hint: `The lab's shell understands ${understood}.`,
  })
