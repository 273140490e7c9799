// Programs that swap two names at once: renameat2(2) with RENAME_EXCHANGE, which node does not have.
import {execFile} from 'node:child_process'
import {getSystemErrorMap} from 'node:util'

export interface ExchangeProgram {
  readonly program: string
  /** Of two names, neither of which looks like an option. @param inode what the second must be, where the program can look: otherwise ECANCELED */
  readonly args: (one: string, other: string, inode?: string) => readonly string[]
  /** Of a number that the script wrote, or of words. */
  readonly codeOf: (stderr: string) => string | undefined
}

/** The kernel's numbers of renameat2, by node's names of architectures. */
const syscalls: Readonly<Record<string, number>> = {
  x64: 316,
  arm64: 276,
  riscv64: 276,
  loong64: 276,
  arm: 382,
  ia32: 353,
  ppc64: 357,
  s390x: 347,
}

// What was displaced is looked at in the same breath, too: a server may bind between a look and a swap, and its clients would meet a dead socket until we had looked.
// Perl takes a literal for a value that may not be changed, and refuses it: all are in variables.
const perlScript = `my ($number, $one, $other, $inode) = @ARGV; $number += 0; my ($here, $exchange) = (-100, 2);
sub swap { syscall($number, $here, $one, $here, $other, $exchange) == 0 }
sub is { ((lstat $_[0])[1] // 0) == $inode }
sub fail { print STDERR $_[0]; exit 1 }
fail(125) if defined $inode && !is($other);
swap() or fail($! + 0);
exit 0 if !defined $inode || is($one);
swap(); fail(125)`

const pythonScript = `import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
number, one, other = int(sys.argv[1]), sys.argv[2], sys.argv[3]
inode = int(sys.argv[4]) if len(sys.argv) > 4 else None
here, exchange = ctypes.c_long(-100), ctypes.c_long(2)
def swap():
    names = (ctypes.c_char_p(os.fsencode(name)) for name in (one, other))
    return libc.syscall(ctypes.c_long(number), here, next(names), here, next(names), exchange) == 0
def isIt(name):
    try:
        return os.lstat(name).st_ino == inode
    except FileNotFoundError:
        return False
def fail(code):
    sys.stderr.write(str(code))
    sys.exit(1)
if inode is not None and not isIt(other):
    fail(125)
if not swap():
    fail(ctypes.get_errno())
if inode is not None and not isIt(one):
    swap()
    fail(125)`

/** In the order in which they are tried: what a distribution made for it comes first. */
export function exchangePrograms(architecture: string = process.arch): readonly ExchangeProgram[] {
  const number = syscalls[architecture]
  const words = [
    // coreutils 9.5. Without --no-copy it would move what it cannot swap.
    {program: 'mv', args: (one: string, other: string) => ['--exchange', '--no-copy', '-T', '--', one, other], codeOf: codeOfWords},
    // util-linux 2.40
    {program: 'exch', args: (one: string, other: string) => [one, other], codeOf: codeOfWords},
  ]
  if (number === undefined) return words
  return [
    ...words,
    {program: 'perl', args: (one, other, inode) => ['-e', perlScript, `${number}`, one, other, ...ifAny(inode)], codeOf: codeOfNumber},
    {
      program: 'python3',
      args: (one, other, inode) => ['-I', '-S', '-c', pythonScript, `${number}`, one, other, ...ifAny(inode)],
      codeOf: codeOfNumber,
    },
  ]
}

const ifAny = (inode: string | undefined): readonly string[] => (inode === undefined ? [] : [inode])

const codeOfNumber = (stderr: string): string | undefined => getSystemErrorMap().get(-Number(stderr.trim()))?.[0]

const wordsOfNumber = (stderr: string): string | undefined => getSystemErrorMap().get(-Number(stderr))?.[1]

/** strerror(3) of the C locale. */
const words: readonly (readonly [text: string, code: string])[] = [
  ['No such file or directory', 'ENOENT'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
  ['Read-only file system', 'EROFS'],
  ['Invalid argument', 'EINVAL'],
  ['Device or resource busy', 'EBUSY'],
]
const codeOfWords = (stderr: string): string | undefined => words.find(([text]) => stderr.includes(text))?.[1]

/** A swap takes a few milliseconds; on a disk that hangs it would take for ever. */
const deadline = 10_000

/** @throws an error with the system's code; ENOENT of the program itself, too, with `missing` */
export function runExchange(found: ExchangeProgram, directory: string, one: string, other: string, inode?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {cwd: directory, timeout: deadline, killSignal: 'SIGKILL', env: {PATH: process.env.PATH, LC_ALL: 'C'}} as const
    execFile(found.program, found.args(`./${one}`, `./${other}`, inode), options, (error, _, stderr) => {
      if (error === null) return resolve()
      const missing = typeof error.code === 'string'
      const code = missing ? error.code : error.killed ? 'ETIMEDOUT' : (found.codeOf(stderr) ?? 'EIO')
      const [complaint = ''] = stderr.trim().split('\n', 1)
      const said = wordsOfNumber(complaint) ?? (complaint || error.message.split('\n', 1)[0])
      reject(Object.assign(new Error(`${code}: ${found.program} could not swap '${one}' and '${other}': ${said}`), {code, missing}))
    })
  })
}
