import {chmodSync, chownSync, lstatSync} from 'node:fs'
import {expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {myUid} from '../../../src/cli/account.ts'
import {type RunBriefly, runBriefly} from '../../../src/proxy/takeover/run-briefly.ts'
import {readDress} from '../../../src/proxy/takeover/socket-attributes.ts'
import {twoSockets} from '../../support/two-sockets.ts'

const missing = {missing: true, ok: false, stdout: '', why: 'ENOENT'}
const done = (stdout = '') => ({missing: false, ok: true, stdout, why: ''})
const failing = (why: string) => ({missing: false, ok: false, stdout: '', why})

/** Files with attributes, without and with the programs of attr. */
function machine(files: Record<string, Record<string, string>>, {attr = true, mark = ' ', readOnly = false} = {}) {
  const ran: string[] = []
  const run: RunBriefly = async (program, args, input) => {
    ran.push([program, ...args].join(' '))
    const path = args.at(-1) ?? ''
    const dump = () =>
      Object.entries(files[path] ?? {})
        .map(([name, value]) => `${name}${value && '='}${value}\n`)
        .join('')
    switch (program) {
      case 'getfattr':
        return attr ? done(`# file: ${path}\n${dump()}\n`) : missing
      case 'setfattr': {
        if (!attr) return missing
        if (readOnly) return failing('setfattr: Operation not permitted')
        if (args[1] === '-x') {
          delete files[path]?.[args[2] ?? '']
          return done()
        }
        const [head = '', ...lines] = (input ?? '').trimEnd().split('\n')
        const name = head.replace('# file: ', '')
        const file = {...files[name]}
        files[name] = file
        for (const line of lines) file[line.split('=', 1)[0] ?? ''] = line.includes('=') ? line.slice(line.indexOf('=') + 1) : ''
        return done()
      }
      case 'ls':
        return done(`srw-rw----${mark} 1 root root 0 Nov 30 22:35 ${path}\n`)
      case 'stat':
        return done(`${files[path]?.label ?? '?'}\n`)
      case 'chcon':
        files[path] = {...files[path], label: args[2] ?? ''}
        return done()
      default:
        return missing
    }
  }
  return {run, ran, files}
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof UserError ? `${error.exit} ${error.message.replace(/^.*? as /, '')}` : String(error)),
  )

test('readDress() gives the mode, and the owner where it is another', async () => {
  const {socket, side} = await twoSockets()
  chmodSync(socket, 0o620)
  if (myUid() === 0) chownSync(socket, 12, 34)
  await (await readDress(socket, machine({}).run))(side)
  const {uid, gid, mode} = lstatSync(side)
  expect({uid, gid, mode}).toEqual({uid: lstatSync(socket).uid, gid: lstatSync(socket).gid, mode: lstatSync(socket).mode})
  expect(mode & 0o777).toBe(0o620)
})

test('readDress() looks at the original once, and copies what differs and takes away what is too much', async () => {
  const {socket, side} = await twoSockets()
  const {run, ran, files} = machine({
    [socket]: {'security.selinux': '0sYWJj', 'system.posix_acl_access': '0sAgAA=', 'user.empty': ''},
    [side]: {'security.selinux': '0sYWJj', 'system.posix_acl_default': '0sAAAA'},
  })
  const dress = await readDress(socket, run)
  files[socket] = {}
  await dress(side)
  expect(files[side]).toEqual({'security.selinux': '0sYWJj', 'system.posix_acl_access': '0sAgAA=', 'user.empty': ''})
  expect(ran.filter((line) => line.startsWith('setfattr'))).toEqual([
    `setfattr -h -x system.posix_acl_default -- ${side}`,
    'setfattr -h --restore=-',
  ])
})

test('readDress() changes nothing where there is nothing to copy, and needs no programs then', async () => {
  const {socket, side} = await twoSockets()
  for (const attr of [true, false]) {
    const {run, ran} = machine({}, {attr})
    await (await readDress(socket, run))(side)
    expect(ran.filter((line) => /^(setfattr|chcon)/.test(line))).toEqual([])
  }
})

test('readDress() copies a label by chcon without the programs of attr, and refuses what chcon cannot', async () => {
  const {socket, side} = await twoSockets()
  const {run, files} = machine({[socket]: {label: 'system_u:object_r:var_run_t:s0'}}, {attr: false, mark: '.'})
  await (await readDress(socket, run))(side)
  expect(files[side]).toEqual({label: 'system_u:object_r:var_run_t:s0'})
  expect(await errorOf(readDress(socket, machine({}, {attr: false, mark: '+'}).run))).toBe(
    '5 all that it has must be copied, such as its label: it has an access control list or more, and getfattr is not there',
  )
  expect(await errorOf(readDress(socket, machine({}, {attr: false, mark: '.'}).run))).toContain(
    '5 all that it has must be copied, such as its label: it has a label that cannot be read',
  )
})

test('readDress() refuses when what must be copied cannot be set', async () => {
  const {socket, side} = await twoSockets()
  const dress = await readDress(socket, machine({[socket]: {'security.selinux': '0sYWJj'}}, {readOnly: true}).run)
  expect(await errorOf(dress(side))).toBe('5 ours must get its owner, mode and label: setfattr: Operation not permitted')
  expect(await errorOf(dress(`${side}.gone`))).toContain('5 ours must get its owner, mode and label: ENOENT')
})

test('runBriefly() says what came of it', async () => {
  expect(await runBriefly('no-such-program-here', [])).toMatchObject({missing: true, ok: false})
  expect(await runBriefly('cat', [], 'a\n')).toEqual({missing: false, ok: true, stdout: 'a\n', why: ''})
  expect(await runBriefly('ls', ['--', '/nothing/here'])).toMatchObject({
    missing: false,
    ok: false,
    why: expect.stringContaining('No such file') as string,
  })
})
