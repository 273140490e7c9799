// libfaketime, of Debian's package faketime: a clock that is set while a process runs.
import {existsSync} from 'node:fs'

/** Undefined where the machine does not have it. */
export const faketimeLibrary: string | undefined = ['x86_64', 'aarch64']
  .map((each) => `/usr/lib/${each}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync)

/** What a process needs in its environment: each change of the file, '-3600' say, is a step of its clock. Clocks that nobody sets, and the times of files, are as they are. */
export function steppedBy(file: string): Readonly<Record<string, string>> {
  if (faketimeLibrary === undefined) throw new Error('this test needs libfaketime (on Debian, as root: apt-get install -y faketime)')
  const steady = {FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1'}
  return {LD_PRELOAD: faketimeLibrary, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', ...steady}
}
