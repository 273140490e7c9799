import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {fakeRuntime} from '../support/fake-runtime.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'

describe('kubelimbo endpoints', () => {
  test('shows what was named first, and that it is used', async () => {
    await using runtime = await fakeRuntime({path: join(tempDir(), 's'), name: 'containerd'})
    const {stdout, stderr, exitCode} = await kubelimbo(['endpoints', '-r', `unix://${runtime.path}`])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    const [header, first, ...others] = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(header).toEqual(['ENDPOINT', 'SOURCE', 'STATE', 'WHY'])
    expect(first).toEqual([`unix://${runtime.path}`, '--runtime-endpoint', 'used', 'containerd v1.2.3 (v1)'])
    expect(others.map(([endpoint]) => endpoint)).toContain('unix:///run/containerd/containerd.sock')
  })

  test.for(['json', 'yaml'])('writes the same with -o %s', async (output) => {
    await using runtime = await fakeRuntime({path: join(tempDir(), 's')})
    const endpoint = `unix://${runtime.path}`
    const {stdout} = await kubelimbo(['endpoints', '-o', output], {CONTAINER_RUNTIME_ENDPOINT: endpoint})
    const data = output === 'yaml' ? parse(stdout) : JSON.parse(stdout)
    expect(data).toMatchObject({apiVersion: 'kubelimbo/v1', kind: 'Endpoints', chosen: endpoint})
    expect(data.metadata).toEqual({
      node: expect.any(String),
      when: expect.stringMatching(/Z$/),
      tool: expect.stringMatching(/^kubelimbo \d/),
    })
    expect(data.items[0]).toEqual({
      endpoint,
      source: 'CONTAINER_RUNTIME_ENDPOINT',
      state: 'used',
      runtime: {name: 'fake', version: 'v1.2.3', api: 'v1'},
    })
  })

  test('still prints what it tried when there is nothing to use, and exits 3', async () => {
    const path = join(tempDir(), 's')
    const {stdout, stderr, exitCode} = await kubelimbo(['endpoints', '-r', `unix://${path}`])
    expect(exitCode).toBe(3)
    expect(stdout).toContain(`there is no socket ${path}`)
    expect(stderr).toBe(
      `kubelimbo: Cannot reach the container runtime: unix://${path} (--runtime-endpoint): there is no socket ${path}\n` +
        'hint: see whether the runtime runs: systemctl status containerd crio',
    )
  })

  test("goes by crictl's configuration file, and warns of what crictl does not know", async () => {
    const dir = tempDir()
    await using runtime = await fakeRuntime({path: join(dir, 's')})
    const config = join(dir, 'c.yaml')
    writeFileSync(config, `runtime-endpoint: unix://${runtime.path}\ntimeout: 5\nendpoint: x\n`)
    const {stdout, stderr, exitCode} = await kubelimbo(['endpoints', '-c', config])
    expect(exitCode).toBe(0)
    expect(stdout.split('\n')[1]?.split(/ {2,}/).slice(1, 3)).toEqual([`${config}:1`, 'used'])
    expect(stderr).toBe(`warning: ${config}:3 has a key that crictl does not know: 'endpoint'`)
  })
})
