import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {programOf} from '../../../src/lab/runtime/container-program.ts'
import {startProcess} from '../../../src/lab/runtime/process.ts'

/** When the process ends and how; TERM at the given moments. */
async function life(command: readonly string[], terms: readonly number[] = [], killAt?: number): Promise<string> {
  const clock = simulatedClock(0)
  const program = programOf(command)
  if (program.kind === 'missing') return `no ${program.binary}`
  const process = startProcess(program.statements, clock, 0)
  let told = 'runs'
  void process.ended.then((code) => {
    told = `${code} after ${clock.now()}`
  })
  for (const at of terms) void clock.sleep(at).then(() => process.term())
  if (killAt !== undefined) void clock.sleep(killAt).then(() => process.kill())
  await clock.run(1_000_000)
  return told
}

const sh = (script: string) => ['sh', '-c', script]

test.each<[readonly string[], string]>([
  [[], 'runs'],
  [['true'], '0 after 0'],
  [['false'], '1 after 0'],
  [['/bin/true'], '0 after 0'],
  [['sleep', '7'], '0 after 7000'],
  [['sleep', 'infinity'], 'runs'],
  [['nosuch', '-x'], 'no nosuch'],
  [sh('exit 3'), '3 after 0'],
  [sh('exit 256'), '0 after 0'],
  [['/bin/sh', '-c', 'exit 3'], '3 after 0'],
  [sh('sleep 2; exit 4'), '4 after 2000'],
  [sh('sleep 0.5\nexit 4\n'), '4 after 500'],
  [sh('sleep 2'), '0 after 2000'],
  [sh('false'), '1 after 0'],
  [sh('exit 1; sleep 5'), '1 after 0'],
  [sh("trap '' TERM; sleep 3; exit 2"), '2 after 3000'],
  [sh('while :; do sleep 1; done'), 'runs'],
  [sh('while true; do sleep 1; done; exit 1'), 'runs'],
])('programOf(%j) is what a shell would do: %s', async (command, expected) => {
  expect(await life(command)).toBe(expected)
})

test.each<[string, readonly string[], number[], string]>([
  ['drops it without a trap, as pid 1', sh('sleep 10'), [1000], '0 after 10000'],
  ['drops it in another program', ['sleep', '10'], [1000], '0 after 10000'],
  ['ignores it', sh("trap '' TERM; sleep 10"), [1000], '0 after 10000'],
  ['runs the trap when its command has ended', sh("trap 'exit 5' TERM; sleep 10; exit 1"), [1000], '5 after 10000'],
  ['never comes to its trap in a sleep for ever', sh("trap 'exit 5' TERM; sleep infinity"), [1000], 'runs'],
  ['runs the trap between two sleeps', sh("trap 'exit 5' TERM; while :; do sleep 1; done"), [4300], '5 after 5000'],
  ['runs a trap that takes a while', sh("trap 'sleep 2; exit 6' TERM; while :; do sleep 1; done"), [4300], '6 after 7000'],
  ['goes on after a trap that does not leave', sh("trap 'sleep 2' TERM; sleep 10; exit 1"), [1000], '1 after 12000'],
  ['keeps the status from before a trap', sh("trap 'false' TERM; sleep 10"), [1000], '0 after 10000'],
  ['runs the trap for each', sh("trap 'sleep 2' TERM; sleep 4; sleep 4"), [1000, 7000], '0 after 12000'],
  ['drops what comes before the trap is set', sh("sleep 2; trap 'exit 5' TERM; while :; do sleep 1; done"), [1000, 9500], '5 after 10000'],
  ['takes double quotes and SIGTERM', sh('trap "exit 5" SIGTERM; while :; do sleep 2; done'), [1000], '5 after 2000'],
])('startProcess(): on SIGTERM a process %s', async (_, command, terms, expected) => {
  expect(await life(command, terms)).toBe(expected)
})

test.each<[string, readonly string[], number[]]>([
  ['asleep', sh('sleep infinity'), []],
  ['in a loop', sh('while :; do sleep 1; done'), []],
  ['in its trap', sh("trap 'sleep 100; exit 6' TERM; while :; do sleep 1; done"), [100]],
])('startProcess(): SIGKILL ends it at once, %s', async (_, command, terms) => {
  expect(await life(command, terms, 2500)).toBe('137 after 2500')
})

test.each([
  ['curl x', 'curl x'],
  ['exit', 'exit'],
  ['exit -1', 'exit -1'],
  ['sleep 1s', 'sleep 1s'],
  ["trap 'exit 1' INT; sleep 1", "trap 'exit 1' INT"],
  ["trap 'while :; do sleep 1; done' TERM", "trap 'while :; do sleep 1; done' TERM"],
  ['while :; do exit 1; done', 'while :; do exit 1; done'],
  ['while :; do sleep 0; done', 'while :; do sleep 0; done'],
  ['while :; do sleep 1', 'while :; do sleep 1'],
  ["trap 'exit 1 TERM", "trap 'exit 1 TERM"],
])('programOf() does not understand %j', (script, named) => {
  expect(() => programOf(sh(script))).toThrow(`Cannot run the command as the lab must understand it: it is '${named}'`)
})

test.each([[['sh']], [['sh', '-x', 'exit 1']], [['sh', '-c', 'exit 1', 'name']]])('programOf() does not understand %j', (command) => {
  expect(() => programOf(command)).toThrow(/must understand it/)
})

test('startProcess() begins when its shell has started', async () => {
  const clock = simulatedClock(0)
  const process = startProcess([{kind: 'exit', code: 1}], clock, 1 + seeded(1).roll(5))
  let at = -1
  void process.ended.then(() => {
    at = clock.now()
  })
  await clock.run(100)
  expect(at).toBeGreaterThan(0)
  expect(at).toBeLessThan(6)
})

test.each<[readonly string[], string]>([
  [['echo', 'a', 'b  c'], 'a b  c\n'],
  [['echo', '-n', 'hello'], 'hello'],
  [['echo'], '\n'],
  [sh('echo hello   World'), 'hello World\n'],
  [sh('echo "a;  b"'), 'a;  b\n'],
  [sh("echo -n 'a | b'"), 'a | b'],
  [sh('echo one; sleep 1; echo two; exit 1; echo three'), 'one\ntwo\n'],
  [sh('while true; do echo x; sleep 400; done'), 'x\nx\nx\n'],
  [['hostname'], 'hostname?\n'],
  [['cat', '/etc/hosts'], 'cat /etc/hosts?\n'],
  [['ls', '-A', '/data'], 'ls -A /data?\n'],
  [sh('pgrep sleep || true'), 'pgrep sleep?\n'],
])('startProcess(): %j writes what a shell would', async (command, expected) => {
  const clock = simulatedClock(0)
  const program = programOf(command)
  if (program.kind === 'missing') throw new Error(program.binary)
  let said = ''
  const say = (text: string) => {
    said += text
  }
  startProcess(program.statements, clock, 0, {say, answer: (words) => `${words.join(' ')}?\n`})
  await clock.run(1_000_000)
  expect(said).toBe(expected)
})

test.each([
  ['echo $HOME'],
  ['echo a > b'],
  ['echo "$(id)"'],
  ["echo 'a' b"],
  ['echo a && exit 1'],
  ['echo *'],
  ['hostname'],
  ['pgrep sleep'],
  ['cat /a'],
])('programOf() does not understand %j in a script', (script) => {
  expect(() => programOf(sh(script))).toThrow(/must understand it/)
})

test.each<[string, readonly string[], number[], string]>([
  ['ends top, which has a handler for it', ['top'], [1000], '143 after 1001'],
  ['ends top as a shell runs it', sh('top'), [1000], '143 after 1001'],
  ['leaves a loop that writes as it is', sh('while :; do echo x; sleep 1; done'), [1000], 'runs'],
  ['runs the trap of a loop that writes', sh("trap 'exit 5' TERM; while :; do echo x; sleep 2; done"), [1000], '5 after 2000'],
])('startProcess(): SIGTERM %s', async (_, command, terms, expected) => {
  expect(await life(command, terms)).toBe(expected)
})

test('startProcess() knows the command that it waits for', async () => {
  const clock = simulatedClock(0)
  const doing = (command: readonly string[]) => {
    const program = programOf(command)
    return startProcess(program.kind === 'script' ? program.statements : [], clock, 0)
  }
  const all = [doing(['sleep', '5']), doing(sh('while :; do sleep 9; done')), doing(['top']), doing(['true'])]
  await clock.run(1000)
  expect(all.map((each) => each.doing())).toEqual(['sleep', 'sleep', 'top', undefined])
  await clock.run(6000)
  all[1]?.kill()
  expect(all.map((each) => each.doing())).toEqual([undefined, undefined, 'top', undefined])
})
