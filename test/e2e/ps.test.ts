import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {fullContainer} from '../support/cri-messages.ts'
import {fakeRuntime} from '../support/fake-runtime.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {tempDir} from '../support/socket-dir.ts'

const troubled = join(import.meta.dirname, '../../fixtures/nodes/runtime-errors')

async function ps(args: readonly string[]) {
  const images = [{id: fullContainer.image.image, repoTags: ['busybox:1']}]
  await using runtime = await fakeRuntime({path: join(tempDir(), 's'), containers: [fullContainer], images})
  const ran = await kubelimbo(['ps', '-r', `unix://${runtime.path}`, ...args])
  return {...ran, filters: runtime.filters}
}

describe('kubelimbo ps', () => {
  test('prints a table', async () => {
    const {stdout, stderr, exitCode} = await ps(['--now', '2025-11-30T03:01:05Z'])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE', 'KUBELET', 'VERDICT'],
      ['87d3992f84f74', 'a1a1a1a1a1a1a', '10 minutes ago', 'Running', 'app', '3', '1f73f2d81bf98', 'web-0', 'default', '-', '-'],
    ])
  })

  test.for(['json', 'yaml'])("prints crictl's shape with -o %s", async (output) => {
    const {stdout} = await ps(['-o', output])
    expect(output === 'yaml' ? parse(stdout) : JSON.parse(stdout)).toEqual({
      containers: [{...fullContainer, state: 'CONTAINER_RUNNING', createdAt: '1764471065000000000'}],
    })
  })

  test.for([
    [[], {state: {state: 1}}],
    [['-a'], {}],
    [['-l'], {}],
    [['-n', '2', '-s', 'exited'], {}],
    [['-s', 'Exited'], {state: {state: 2}}],
    [['-a', '-s', 'created'], {state: {state: 0}}],
    [['-aq', '-p', 'abc', '--id', 'x', '--label', 'a=b'], {id: 'x', podSandboxId: 'abc', labelSelector: {a: 'b'}}],
  ] as const)('asks the runtime, with %j, for %j', async ([args, filter]) => {
    const {filters} = await ps(args)
    expect(filters).toMatchObject([filter])
    if (!('state' in filter)) expect(filters[0]).not.toHaveProperty('state', expect.anything())
  })

  test('compares images by what the runtime says of their names', async () => {
    expect((await ps(['-q', '--image', 'busybox:1'])).stdout).toBe(fullContainer.id)
    expect((await ps(['-q', '--image', 'nginx'])).stdout).toBe('')
  })

  test('reads a bundle, filtered as a runtime would', async () => {
    const all = JSON.parse((await kubelimbo(['ps', '-a', '--from', troubled, '-o', 'json'])).stdout).containers
    expect(all).toHaveLength(4)
    const [{id, podSandboxId}] = all
    const ids = async (...args: string[]) => (await kubelimbo(['ps', '--from', troubled, '-q', ...args])).stdout.split('\n').filter(Boolean)
    expect(await ids()).toHaveLength(2)
    expect(await ids('-s', 'exited')).toHaveLength(2)
    expect(await ids('-a', '--id', id.slice(0, 8))).toEqual([id])
    expect(await ids('-a', '-p', podSandboxId.slice(0, 13))).toHaveLength(2)
    expect(await ids('-n', '3')).toHaveLength(3)
  })

  test('exits 2 on a state that is none', async () => {
    expect(await ps(['-s', 'ready'])).toMatchObject({
      exitCode: 2,
      stderr: "kubelimbo: Cannot use --state as it must be one of created, running, exited, unknown: it is 'ready'",
    })
  })
})
