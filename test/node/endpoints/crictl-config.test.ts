import {describe, expect, test} from 'vitest'
import {readCrictlConfig} from '../../../src/node/endpoints/crictl-config.ts'
import {hostTree} from '../../support/host-tree.ts'

async function read(text: string | undefined, {flag, env = {}}: {flag?: string; env?: Record<string, string>} = {}) {
  const path = flag ?? env.CRI_CONFIG_FILE ?? '/etc/crictl.yaml'
  const {host} = await hostTree({files: text === undefined ? {} : {[path]: text}, env})
  return readCrictlConfig(host, flag)
}

describe('readCrictlConfig()', () => {
  test('reads what concerns us, with its line', async () => {
    expect(
      await read('# ours\nruntime-endpoint: "unix:///run/x.sock"\nimage-endpoint: ""\ntimeout: 10\ndebug: true\nmax-retries: 1\n'),
    ).toEqual({
      path: '/etc/crictl.yaml',
      runtimeEndpoint: {text: 'unix:///run/x.sock', source: '/etc/crictl.yaml:2'},
      timeoutMs: 10_000,
      warnings: [],
    })
  })

  test.for(['', '# nothing\n', 'runtime-endpoint: ""\ntimeout: 0\n', 'runtime-endpoint:\n'])('takes %j for no settings', async (text) => {
    expect(await read(text)).toEqual({path: '/etc/crictl.yaml', warnings: []})
  })

  test('does without the default file', async () => {
    expect(await read(undefined)).toEqual({path: undefined, warnings: []})
  })

  test('prefers the flag to the variable, and both to the default', async () => {
    const {host} = await hostTree({
      files: {
        '/a.yaml': 'runtime-endpoint: unix:///a',
        '/b.yaml': 'runtime-endpoint: unix:///b',
        '/etc/crictl.yaml': 'runtime-endpoint: unix:///c',
      },
      env: {CRI_CONFIG_FILE: '/b.yaml'},
    })
    expect((await readCrictlConfig(host, '/a.yaml')).runtimeEndpoint?.text).toBe('unix:///a')
    expect((await readCrictlConfig(host, undefined)).runtimeEndpoint?.text).toBe('unix:///b')
  })

  test('warns of a key that crictl does not know, with file and line', async () => {
    expect((await read('timeout: 2\nruntime-endpont: unix:///x\n')).warnings).toEqual([
      "/etc/crictl.yaml:2 has a key that crictl does not know: 'runtime-endpont'",
    ])
  })

  test.for([
    ['timeout: soon\n', "as 'timeout' must be a whole number of seconds: it is 'soon' (/etc/crictl.yaml:1)"],
    ['runtime-endpoint: [a]\n', "as 'runtime-endpoint' must be a text (/etc/crictl.yaml:1)"],
    ['- a\n', 'as it must be a YAML map of settings'],
    ['a: "\n', 'as it must be YAML: '],
  ] as const)('leaves the default file out of account that says %j', async ([text, problem]) => {
    const {warnings, runtimeEndpoint} = await read(text)
    expect(runtimeEndpoint).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining(`/etc/crictl.yaml is left out of account: cannot use it ${problem}`)])
  })

  test('refuses a file that was named and cannot be used', async () => {
    await expect(read(undefined, {flag: '/x.yaml'})).rejects.toThrow(
      /^Cannot use the file that --config names as it must be readable: ENOENT/,
    )
    await expect(read('- a\n', {env: {CRI_CONFIG_FILE: '/x.yaml'}})).rejects.toThrow(
      'Cannot use the file that CRI_CONFIG_FILE names as it must be a YAML map of settings',
    )
  })
})
