// Reading a recording: what is torn or newer is counted, what is none is refused.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readLines} from '../../../src/node/recorded/read-lines.ts'
import type {RecordedCall, RecordingHead} from '../../../src/node/recorded/recorded-call.ts'
import {readRecording, recordingLine} from '../../../src/node/recorded/recording.ts'
import {tempDir} from '../../support/socket-dir.ts'

const head: RecordingHead = {
  apiVersion: 'kubelimbo/v1',
  kind: 'Recording',
  metadata: {node: 'node-7', when: '2026-11-30T03:11:04Z', tool: 'kubelimbo 0.1.0'},
}
const call: RecordedCall = {
  socket: '/run/containerd/containerd.sock',
  at: 1_700_000_000_000,
  service: 'runtime.v1.RuntimeService',
  method: 'Version',
  timeoutMs: 2000,
  durationMs: 3,
  code: 'OK',
  request: {},
  responses: [{version: '0.1.0', runtimeName: 'containerd'}],
}
const failed: RecordedCall = {...call, code: 'UNAVAILABLE', message: 'gone', unkept: 'why', rule: 'r', fault: 'fail', responses: []}

async function read(text: string, limits?: Parameters<typeof readLines>[1]) {
  const path = join(tempDir(), 'calls.jsonl')
  writeFileSync(path, text)
  return await readRecording(readLines(path, limits), path)
}

test('readRecording: what recordingLine writes', async () => {
  const text = [head, call, failed].map(recordingLine).join('')
  expect(await read(text)).toEqual({head, calls: [call, failed], skipped: 0})
})

test('readRecording: a torn last line, and lines of something else, are counted; fields that are new are left out', async () => {
  const lines = [
    recordingLine(head),
    recordingLine(call),
    '{"kind":"Later"}\n',
    '\n',
    `${JSON.stringify({...call, compressed: 'zstd'})}\n`,
    recordingLine({...call, at: 'x' as unknown as number}),
    recordingLine(call).slice(0, 60),
  ]
  expect(await read(lines.join(''))).toEqual({head, calls: [call, call], skipped: 3})
})

test.each([
  ['nothing', '', 'it is not'],
  ['no JSON', 'hello\n', 'it is not'],
  ['calls without a head', recordingLine(call), 'it is not'],
  ['a damaged head', recordingLine({...head, metadata: {} as never}), 'it is one, and damaged'],
  [
    'a newer one',
    recordingLine({...head, apiVersion: 'kubelimbo/v2' as 'kubelimbo/v1'}),
    "it is one of 'kubelimbo/v2', which is newer than this kubelimbo",
  ],
])('readRecording: %s is refused', async (_name, text, why) => {
  await expect(read(text)).rejects.toThrow(
    new RegExp(`^Cannot read .*calls.jsonl as its first line must be the head of a recording: ${why}$`),
  )
})

test('readLines: a line that is too long is skipped, and those around it are there, however the file falls into pieces', async () => {
  const long = {...call, message: 'm'.repeat(300_000)}
  const text = [head, call, long, call].map(recordingLine).join('')
  expect(await read(text, {line: 200_000, file: 1e9})).toEqual({head, calls: [call, call], skipped: 1})
  expect((await read(text)).calls[1]).toEqual(long)
})

test('readLines: no file, a directory, and one that is too large', async () => {
  const folder = tempDir()
  const lines = async (path: string) => {
    for await (const line of readLines(path, {line: 10, file: 10})) expect(line).toBe('')
  }
  await expect(lines(join(folder, 'none'))).rejects.toThrow(/must be a file that can be opened: .*ENOENT/)
  mkdirSync(join(folder, 'directory'))
  await expect(lines(join(folder, 'directory'))).rejects.toThrow('as it must be a file: it is none')
  writeFileSync(join(folder, 'large'), '12345678901')
  await expect(lines(join(folder, 'large'))).rejects.toThrow('must have at most 10 bytes: it has 11')
})
