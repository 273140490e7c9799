// The first process of a container while it runs. As pid 1 it is safe from signals that it has no handler for: the kernel drops them, so a SIGTERM without a
// trap does nothing and only SIGKILL ends it. A shell runs a trap when its command in the foreground has ended, not before: with
// 'sleep infinity' it never comes to that.
import type {Clock} from '../../base/clock.ts'
import type {Statement} from './container-program.ts'

export interface Process {
  /** Resolves with the exit code. */
  readonly ended: Promise<number>
  term(): void
  /** @param exitCode default: that of SIGKILL */
  kill(exitCode?: number): void
  /** The command that it waits for. */
  doing(): string | undefined
}

/** Where it runs. */
export interface Surroundings {
  /** Takes what it writes to its standard output. */
  say(text: string): void
  /** What 'hostname', 'cat', 'ls' and 'pgrep' write; undefined when they fail. */
  answer(words: readonly string[]): string | undefined
}

const nowhere: Surroundings = {say: () => {}, answer: () => undefined}

export const sigkilled = 137

export function startProcess(
  statements: readonly Statement[],
  clock: Clock,
  startsIn: number,
  surroundings: Surroundings = nowhere,
): Process {
  const {promise: ended, resolve} = Promise.withResolvers<number>()
  const shell = new Shell(clock, surroundings)
  const run = async () => {
    if (startsIn > 0) await clock.sleep(startsIn)
    await shell.run(statements)
    resolve(shell.status)
  }
  void run()
  return {
    ended,
    term: () => shell.term(),
    kill: (exitCode = sigkilled) => {
      shell.over = true
      resolve(exitCode)
    },
    doing: () => (shell.over ? undefined : shell.doing),
  }
}

class Shell {
  /** It has left, or was killed. */
  over = false
  /** Of the last command. */
  status = 0
  doing: string | undefined
  #trap: readonly Statement[] = []
  #pending = false
  #onTerm: (() => void) | undefined
  readonly #clock: Clock
  readonly #surroundings: Surroundings

  constructor(clock: Clock, surroundings: Surroundings) {
    this.#clock = clock
    this.#surroundings = surroundings
  }

  term(): void {
    if (this.#trap.length === 0) return
    this.#pending = true
    this.#onTerm?.()
  }

  async run(statements: readonly Statement[]): Promise<void> {
    for (const statement of statements) {
      if (this.over) return
      await this.#execute(statement)
    }
  }

  async #execute(statement: Statement): Promise<void> {
    switch (statement.kind) {
      case 'exit':
        this.status = statement.code
        this.over = true
        return
      case 'status':
        this.status = statement.code
        return
      case 'echo':
        this.#surroundings.say(statement.text)
        this.status = 0
        return
      case 'ask': {
        const answer = this.#surroundings.answer(statement.words)
        if (answer !== undefined) this.#surroundings.say(answer)
        this.status = answer === undefined ? 1 : 0
        return
      }
      case 'trap':
        this.#trap = statement.statements
        return
      case 'sleep':
        this.doing = 'sleep'
        await this.#clock.sleep(statement.ms)
        this.doing = undefined
        this.status = 0
        return this.#runTrap()
      case 'loop':
        this.doing = statement.command
        while (!this.over) {
          if (statement.says === '') await this.#sleepsUntilTerm(statement.ms)
          else {
            this.#surroundings.say(statement.says)
            await this.#clock.sleep(statement.ms)
          }
          await this.#runTrap()
        }
        return
      default:
        statement satisfies never
    }
  }

  /** The sleeps of a silent loop are one wait until there is something to do between two of them. */
  async #sleepsUntilTerm(ms: number): Promise<void> {
    const from = this.#clock.now()
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        this.#onTerm = resolve
      })
      this.#onTerm = undefined
    }
    await this.#clock.sleep(ms - ((this.#clock.now() - from) % ms))
  }

  async #runTrap(): Promise<void> {
    if (!this.#pending || this.over) return
    this.#pending = false
    // The code that the trap leaves with, or else the one from before it.
    const status = this.status
    await this.run(this.#trap)
    if (!this.over) this.status = status
  }
}
