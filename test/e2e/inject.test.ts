// inject and trace as processes, on the driver of a lab.
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {addressOf, capabilityOf, codeOf, csiCaller} from '../support/csi-caller.ts'
import {kubelimbo, ownEnv, start} from '../support/kubelimbo.ts'
import {labProcess, startInjector} from '../support/lab-process.ts'
import {serving} from '../support/raw-sockets.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const lab = labProcess()

/** An injector that listens, with what it says. */
async function injecting(...more: readonly string[]) {
  const path = join(tempDir(), 'csi.sock')
  return {path, ...(await startInjector(['--listen', path, '--upstream', lab.driver, ...more]))}
}

const calls = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function staging(path: string, name: string) {
  const {node, [Symbol.dispose]: close} = await csiCaller(path)
  onTestFinished(close)
  const stagingTargetPath = join(lab.kubeletRoot, `plugins/kubernetes.io/csi/csi.example.com/${name}/globalmount`)
  const request = {volumeId: 'vol-data', stagingTargetPath, volumeCapability: capabilityOf('mount')}
  return {
    stage: (timeoutMs: number) => codeOf(node.nodeStageVolume(request, {timeoutMs})),
    unstage: () => codeOf(node.nodeUnstageVolume(request, {timeoutMs: 5000})),
    mounts: () =>
      readFileSync(lab.mountinfo, 'utf8')
        .split('\n')
        .filter((line) => line.includes(` ${stagingTargetPath} `)).length,
  }
}

test('inject hang-after-exec: the driver does it once, the client never hears, the trace has a late success, and Ctrl-C heals', async () => {
  const {path, child, said, at} = await injecting('--fault', 'hang-after-exec', '--method', 'NodeStageVolume', '--name', 'stage-hang')
  expect(said()).toContain(`${addressOf(path)} stands before ${lab.driver} until `)
  expect(said()).toContain('  stage-hang  every NodeStageVolume: run it, whatever its deadline, and never answer')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const {stage, unstage, mounts} = await staging(path, 'hung')
  expect(await stage(1000)).toBe('DEADLINE_EXCEEDED')
  await until(async () => expect(mounts()).toBe(1), 100, 20)

  const traced = await kubelimbo(['trace', ...at, '-o', 'jsonl', '--ledger', '--for', '2s'])
  expect(traced).toMatchObject({exitCode: 0, stderr: expect.stringContaining('for 2s or until Ctrl-C')})
  const seen = calls(traced.stdout)
  expect(seen[0]).toMatchObject({
    service: 'csi.v1.Node',
    method: 'NodeStageVolume',
    volume: 'vol-data',
    rule: 'stage-hang',
    fault: 'hang-after-exec',
    class: 'uncertain',
    owed: 'NodeUnstageVolume',
    upstream: {code: 'OK'},
  })
  expect(['DEADLINE_EXCEEDED', 'CANCELLED']).toContain(seen[0].code)
  expect(seen.at(-1)).toMatchObject({
    kind: 'Ledger',
    spenders: [{method: 'NodeStageVolume', calls: 1, failed: 1}],
    lateSuccesses: [{method: 'NodeStageVolume', about: 'vol-data', owed: 'NodeUnstageVolume', rule: 'stage-hang'}],
  })
  const shown = await kubelimbo(['trace', ...at, '--ledger', '--for', '1s'])
  expect(shown.stdout).toMatch(
    /^TIME \(UTC\) +METHOD +LEFT .*\n.* NodeStageVolume .* hang-after-exec +uncertain +NodeUnstageVolume +vol-data: the server ended with OK/,
  )
  expect(shown.stdout).toContain('Done by the server, and the client does not know:')

  expect(await unstage()).toBe('OK')
  const held = stage(60_000)
  await until(async () => expect(mounts()).toBe(1), 100, 20)
  // A terminal and a wrapper such as npx tell it both.
  child.kill('SIGINT')
  child.kill('SIGINT')
  // node:http2 has one code, grpc-go another.
  expect(['CANCELLED', 'UNAVAILABLE']).toContain(await held)
  const ended = await child
  expect(ended).toMatchObject({exitCode: 130, stderr: ''})
  expect(ended.stdout.match(/ stage-hang takes NodeStageVolume$/gm)).toHaveLength(2)
  expect(ended.stdout).toMatch(/ stage-hang: NodeStageVolume vol-data: the client has \w+ after 1\.\ds; the server ended with OK after /)
  expect(ended.stdout).toContain(`Stopped: no rule is in force, all connections are closed, and ${addressOf(path)} is gone.`)
  expect(ended.stdout).toMatch(/ Cut off were 1 that a client waited for, and \d that the server still worked on\.$/)
  expect(existsSync(path)).toBe(false)
  expect(await (await staging(lab.driver.replace('unix://', ''), 'hung')).unstage()).toBe('OK')
  expect(await kubelimbo(['inject', 'list', ...at])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('there is no such socket'),
  })
}, 60_000)

test('inject ends by itself when --for is over, and says in JSON what it did', async () => {
  const {path, child} = await injecting(
    '--fault',
    'error',
    '--code',
    'INTERNAL',
    '--method',
    'NodeStageVolume',
    '--for',
    '3s',
    '-o',
    'json',
  )
  const {stage} = await staging(path, 'failed')
  expect(await stage(5000)).toBe('INTERNAL')
  const {exitCode, stdout} = await child
  expect(exitCode).toBe(0)
  expect(calls(stdout)).toMatchObject([
    {
      apiVersion: 'kubelimbo/v1',
      kind: 'InjectStarted',
      listen: addressOf(path),
      upstream: lab.driver,
      seed: 1,
      rules: [{name: 'error', taken: 0}],
    },
    {kind: 'Taken', rule: 'error', fault: 'error', method: 'NodeStageVolume'},
    {kind: 'Fault', method: 'NodeStageVolume', code: 'INTERNAL', rule: 'error'},
    {kind: 'InjectEnded', why: 'expired', cutOff: {clients: 0, server: 0}},
  ])
  expect(existsSync(path)).toBe(false)
}, 60_000)

test('inject list, add, pause, remove and clear change what a running injector does', async () => {
  const {path, at} = await injecting()
  const {stage, unstage} = await staging(path, 'changed')
  const ran = async (...args: readonly string[]) => {
    const {exitCode, stdout, stderr} = await kubelimbo(['inject', ...args, ...at])
    return [exitCode, stdout || stderr]
  }
  expect(await ran('list')).toEqual([0, expect.stringMatching(/^unix:\/\/.* by the process \d+\nThere is no rule\.$/)])
  expect(await stage(5000)).toBe('OK')
  expect(await ran('add', '--fault', 'error', '--code', 'ABORTED', '--method', 'NodeUnstageVolume', '--name', 'no')).toEqual([
    0,
    expect.stringContaining('no: every NodeUnstageVolume: do not run it and answer ABORTED'),
  ])
  expect(await unstage()).toBe('ABORTED')
  expect((await ran('list'))[1]).toMatch(/^NAME +FAULT +SEEN +TAKEN .*\nno +error +1 +1 +every NodeUnstageVolume: /m)
  expect(await ran('add', '--fault', 'hang-call', '--name', 'no')).toEqual([2, expect.stringContaining("'no'")])
  expect(await ran('pause')).toEqual([0, expect.stringContaining('No rule has a part')])
  expect(await unstage()).toBe('OK')
  expect(await ran('pause', '--off')).toEqual([0, expect.stringContaining('The rules have their part again')])
  expect(await unstage()).toBe('ABORTED')
  for (const name of ['', '.', '..', '%2e'])
    expect(await ran('remove', name)).toEqual([
      2,
      expect.stringContaining(`Cannot remove the rule '${name}' as it must be in force: there are no`),
    ])
  expect(await ran('remove', 'no')).toEqual([0, 'no is no longer in force.'])
  expect(await unstage()).toBe('OK')
  expect(await ran('remove', 'no')).toEqual([
    2,
    expect.stringContaining("Cannot remove the rule 'no' as it must be in force: there is none"),
  ])
  writeFileSync(
    join(path, '../two.yaml'),
    'seed: 9\nrules:\n  - {name: a, fault: {kind: refuse}}\n  - {name: b, match: {to: csi}, fault: {kind: hang-call}}\n',
  )
  expect(await ran('add', '--rules', join(path, '../two.yaml'))).toEqual([
    0,
    expect.stringMatching(/^warning: the seed 9 of these rules is not used.*\na: the socket.*\nb: every call/),
  ])
  await expect(csiCaller(path)).rejects.toThrow('nobody listens on')
  expect(await ran('clear')).toEqual([0, '2 rules are no longer in force.'])
  await until(async () => (await csiCaller(path))[Symbol.dispose](), 50, 50)
}, 60_000)

test('trace --listen shows every call by a proxy of its own until Ctrl-C, and inject explain counts what rules would have had', async () => {
  const top = tempDir()
  const path = join(top, 'csi.sock')
  const child = start(['trace', '--listen', path, '--upstream', lab.driver, '-o', 'jsonl', '--ledger'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(async () => expect(existsSync(path)).toBe(true), 300, 50)
  const {stage, unstage} = await staging(path, 'traced')
  expect([await stage(5000), await unstage(), await unstage()]).toEqual(['OK', 'OK', 'OK'])
  await systemClock.sleep(100)
  child.kill('SIGINT')
  const {exitCode, stdout} = await child
  expect(exitCode).toBe(130)
  const lines = calls(stdout)
  expect(lines.map(({method, kind}) => method ?? kind)).toEqual(['NodeStageVolume', 'NodeUnstageVolume', 'NodeUnstageVolume', 'Ledger'])
  expect(existsSync(path)).toBe(false)

  writeFileSync(
    join(top, 'calls.jsonl'),
    lines
      .slice(0, 3)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  const rules = 'rules:\n  - name: second\n    match: {method: Node*stageVolume}\n    skip: 1\n    fault: {kind: hang-call}\n'
  writeFileSync(join(top, 'rules.yaml'), rules)
  const explained = await kubelimbo(['inject', 'explain', '--rules', join(top, 'rules.yaml'), '--against', join(top, 'calls.jsonl')])
  expect(explained).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^second: every .* after the first: .*; of 3 recorded calls 2 match and it would have had 1$/),
  })
}, 60_000)

const bad = 'rules:\n  - name: a\n    match: {metod: X}\n    fault: {kind: hang-call}\n  - name: b\n    fault: {kind: nope}\n'

test.each([
  ['a rules file that is wrong', ['--rules', 'BAD'], 2, /^kubelimbo: Cannot read .* \(BAD:3\)/],
  ['a rules file that is not there', ['--rules', '/nowhere'], 2, /^kubelimbo: Cannot use --rules as .*: there is none \(\/nowhere\)/],
  ['both --rules and --fault', ['--rules', 'BAD', '--fault', 'hang-call'], 2, /--rules.*--fault|--fault.*--rules/],
  ['a fault that there is not', ['--fault', 'hang-cal'], 2, /^kubelimbo: Cannot .*hang-call/],
  ['a fault without its code', ['--fault', 'error'], 2, /code/],
  ['a flag of a rule without a fault', ['--method', 'X'], 2, /--fault/],
  ['a path where somebody listens', ['--listen', 'TAKEN'], 5, /^kubelimbo: Cannot listen on .* as nobody must listen there: somebody does/],
  ['a path where a file is', ['--listen', 'BAD'], 5, /^kubelimbo: Cannot listen on .* it is a file that is no socket/],
  [
    'a path that is too long',
    ['--listen', `/tmp/${'x'.repeat(110)}`],
    2,
    /^kubelimbo: Cannot use --listen as the path of a socket must have at most 107 bytes/,
  ],
  ['another machine', ['--listen', 'tcp:10.0.0.1:80'], 2, /^kubelimbo: Cannot use --listen as it must be a port of the loopback address/],
  [
    'a server that is not there',
    ['--upstream', '/nowhere.sock'],
    3,
    /^kubelimbo: Cannot stand before unix:\/\/\/nowhere\.sock as somebody must listen there: there is no such socket/,
  ],
  ['no time', ['--for', '0s'], 2, /^kubelimbo: Cannot use --for as it must be more than nothing and at most 24h/],
  ['too much time', ['--for', '25h'], 2, /^kubelimbo: Cannot use --for as it must be more than nothing and at most 24h/],
  [
    'a control socket in a folder of others',
    ['--control', '/tmp/c.sock'],
    5,
    /^kubelimbo: Cannot have the control socket in \/tmp as it must be a directory of yours with mode 0700/,
  ],
])('inject refuses %s, and leaves nothing behind', async (_, args, exitCode, stderr) => {
  const top = tempDir()
  const names = {BAD: join(top, 'bad.yaml'), TAKEN: join(top, 'taken.sock')}
  writeFileSync(names.BAD, bad)
  await serving(names.TAKEN)
  const path = join(top, 'l.sock')
  const usual = Object.entries({'--listen': path, '--upstream': lab.driver, '--control': join(top, 'c/c.sock')}).flatMap((pair) =>
    args.includes(pair[0]) ? [] : pair,
  )
  const ran = await kubelimbo(['inject', ...usual, ...args.map((word) => names[word as keyof typeof names] ?? word)])
  expect({...ran, stderr: ran.stderr.replaceAll(names.BAD, 'BAD')}).toMatchObject({
    exitCode,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  })
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
  ['SIGTERM', 143],
] as const)('inject heals at %s', async (signal, exitCode) => {
  const {path, control, child} = await injecting()
  child.kill(signal)
  expect(await child).toMatchObject({exitCode, stdout: expect.stringMatching(/\nStopped: no rule is in force/)})
  expect([path, control, join(control, '..')].map((left) => existsSync(left))).toEqual([false, false, false])
})

test.each(['>', '2>'])('inject heals when %s is a full disk', async (redirect) => {
  const top = tempDir()
  const [path, control] = [join(top, 'l.sock'), join(top, 'c/c.sock')]
  const words = [
    process.execPath,
    'bin/kubelimbo.js',
    'inject',
    '--listen',
    path,
    '--upstream',
    lab.driver,
    '--control',
    control,
    '--for',
    '2s',
  ]
  const ran = await execa('sh', ['-c', `"$@" ${redirect} /dev/full`, 'sh', ...words], {reject: false, extendEnv: false, env: {...ownEnv}})
  const said = {exitCode: 3, stderr: 'kubelimbo: Cannot write the result as stdout must take it: ENOSPC'}
  expect(ran).toMatchObject(redirect === '>' ? said : {exitCode: 0, stdout: expect.stringContaining('The time is over')})
  expect([path, join(top, 'c')].map((left) => existsSync(left))).toEqual([false, false])
})

test('inject starts where another was killed', async () => {
  const {path, child} = await injecting()
  child.kill('SIGKILL')
  await child
  expect(existsSync(path)).toBe(true)
  const again = start(['inject', '--listen', path, '--upstream', lab.driver, '--control', join(tempDir(), 'c/c.sock'), '--for', '1s'])
  expect(await again).toMatchObject({exitCode: 0, stderr: ''})
  expect(existsSync(path)).toBe(false)
})

test('inject explain says all that is wrong with a file of rules, each with its line', async () => {
  const file = join(tempDir(), 'bad.yaml')
  writeFileSync(file, bad)
  const {exitCode, stderr} = await kubelimbo(['inject', 'explain', '--rules', file])
  expect(exitCode).toBe(2)
  expect(stderr.split('\n').map((line) => line.replace(/^kubelimbo: .*:(\d+)\).*$/, '$1'))).toEqual(['3', '6'])
})

test.each([
  ['--listen', '/tmp/x.sock'],
  ['--upstream', '/tmp/x.sock'],
])('inject and trace with %s alone say what is missing', async (...args) => {
  const missing = args[0] === '--listen' ? '--upstream' : '--listen'
  for (const verb of ['inject', 'trace'])
    expect(await kubelimbo([verb, ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(new RegExp(`as ${missing}( or --socket)? must be given: it is not`)),
    })
})
