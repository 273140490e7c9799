// The recorder on disks that are slow, full or broken, with a file in memory.
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {create} from '@bufbuild/protobuf'
import {expect, test} from 'vitest'
import type {RecordingHead} from '../../../src/node/recorded/recorded-call.ts'
import {parseRecordedCall} from '../../../src/node/recorded/recording.ts'
import type {CalledMessages} from '../../../src/proxy/call/called-messages.ts'
import {knownMethod} from '../../../src/proxy/call/known-methods.ts'
import {type LineFile, openLineFile} from '../../../src/proxy/recording/line-file.ts'
import {startRecorder} from '../../../src/proxy/recording/recorder.ts'
import {CreateSnapshotResponseSchema, NodeStageVolumeRequestSchema, NodeStageVolumeResponseSchema} from '../../../src/wire/gen/csi_pb.ts'
import {tempDir} from '../../support/socket-dir.ts'

const head: RecordingHead = {apiVersion: 'kubelimbo/v1', kind: 'Recording', metadata: {node: 'n', when: '2026-11-30T03:11:04Z', tool: 't'}}
const usual = {waiting: 1e6, file: 1e6}

/** A file in memory. @param room how many bytes it takes */
function memoryFile(room = Number.POSITIVE_INFINITY) {
  const pieces: string[] = []
  let gate: Promise<void> = Promise.resolve()
  let bytes = 0
  const file: LineFile = {
    append: async (lines) => {
      await gate
      if (bytes + lines.length > room) throw Object.assign(new Error('ENOSPC: no space left on device, write\nmore'), {code: 'ENOSPC'})
      bytes += lines.length
      pieces.push(lines)
    },
    close: async () => undefined,
    discard: async () => undefined,
  }
  const lines = () =>
    pieces
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return {
    file,
    pieces,
    lines,
    hold: () => {
      const {promise, resolve} = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

let id = 0
function called(more: Partial<CalledMessages> = {}, message?: string): CalledMessages {
  const known = knownMethod('/csi.v1.Node/NodeStageVolume')
  if (known === undefined) throw new Error('it is known')
  return {
    call: {
      id: ++id,
      connection: 1,
      at: 1000 + id,
      service: 'csi.v1.Node',
      method: 'NodeStageVolume',
      timeoutMs: 120_000,
      durationMs: 5,
      code: message === undefined ? 'OK' : 'INTERNAL',
      ...(message === undefined ? {} : {message}),
      requestBytes: 1,
      responseBytes: 1,
      rule: 'r',
      fault: 'delay',
    },
    known,
    request: create(NodeStageVolumeRequestSchema, {volumeId: `v${id}`, secrets: {a: 'pl4nted'}}),
    responses: [create(NodeStageVolumeResponseSchema)],
    ...more,
  }
}

test('startRecorder: head first, then calls in the order in which they ended, without their secrets, and a summary', async () => {
  const {file, lines, pieces} = memoryFile()
  const recorder = await startRecorder(file, head)
  const [one, two] = [called(), called({}, 'mount failed: password=[redacted]')]
  recorder.add('/csi.sock', one)
  recorder.add('/csi.sock', two)
  recorder.add('/other.sock', {call: {...called().call, service: 'other.S', method: 'M'}, responses: [], unkept: 'the method is not known'})
  const summary = await recorder.finish()
  const written = lines()
  expect(written[0]).toEqual(head)
  expect(written.slice(1).map(parseRecordedCall)).toEqual(written.slice(1))
  expect(written[1]).toEqual({
    socket: '/csi.sock',
    at: one.call.at,
    service: 'csi.v1.Node',
    method: 'NodeStageVolume',
    timeoutMs: 120_000,
    durationMs: 5,
    code: 'OK',
    request: {volumeId: 'v1', secrets: {a: '[redacted]'}},
    responses: [{}],
    rule: 'r',
    fault: 'delay',
  })
  expect(written[2]).toMatchObject({code: 'INTERNAL', message: 'mount failed: password=[redacted]', request: {volumeId: 'v2'}})
  expect(written[3]).toMatchObject({socket: '/other.sock', unkept: 'the method is not known'})
  expect(pieces.join('')).not.toContain('pl4nted')
  expect(summary).toEqual({
    calls: 3,
    methods: [
      {socket: '/csi.sock', service: 'csi.v1.Node', method: 'NodeStageVolume', calls: 2, codes: {OK: 1, INTERNAL: 1}},
      {socket: '/other.sock', service: 'other.S', method: 'M', calls: 1, codes: {OK: 1}},
    ],
    unkept: {'the method is not known': 1},
    redactions: {'secret field': 2, 'error message': 1},
    missing: 0,
    bytes: pieces.join('').length,
  })
})

test('startRecorder: a full disk ends the recording with a sentence, and calls go on', async () => {
  const {file, lines} = memoryFile(700)
  const recorder = await startRecorder(file, head, usual)
  for (let calls = 0; calls < 10; calls++) {
    recorder.add('/csi.sock', called())
    if (calls === 1) await Promise.resolve()
  }
  expect(await recorder.broken).toBe('ENOSPC: no space left on device, write')
  recorder.add('/csi.sock', called())
  const summary = await recorder.finish()
  expect(summary).toMatchObject({broken: 'ENOSPC: no space left on device, write'})
  expect(summary.missing).toBeGreaterThan(0)
  expect(summary.calls + summary.missing).toBe(11)
  expect(summary.calls).toBe(lines().length - 1)
})

test('startRecorder: a disk that takes not even the head is told at once', async () => {
  await expect(startRecorder(memoryFile(10).file, head)).rejects.toThrow(/^Cannot record as the file must take its first line: ENOSPC/)
})

test('startRecorder: what a slow disk has no room for is written without its messages, then not at all, and never held', async () => {
  const {file, hold, lines} = memoryFile()
  const recorder = await startRecorder(file, head, {waiting: 6000, file: 1e6})
  const release = hold()
  for (let calls = 0; calls < 60; calls++)
    recorder.add('/csi.sock', called({request: create(NodeStageVolumeRequestSchema, {volumeId: 'v'.repeat(800)})}))
  release()
  const summary = await recorder.finish()
  const kept = lines().slice(1)
  const bare = kept.filter(({unkept}) => unkept === 'the disk did not keep up')
  expect(bare.length).toBeGreaterThan(0)
  expect(bare.every(({request, responses}) => request === undefined && responses === undefined)).toBe(true)
  expect(kept.length).toBeGreaterThan(bare.length)
  expect(summary).toMatchObject({calls: kept.length, missing: 60 - kept.length, unkept: {'the disk did not keep up': bare.length}})
  expect(summary.missing).toBeGreaterThan(0)
  // It goes on when the disk does.
  expect(kept.every(({at}, index) => index === 0 || at > kept[index - 1].at)).toBe(true)
})

test('startRecorder: a recording has an end', async () => {
  const {file, lines} = memoryFile()
  const recorder = await startRecorder(file, head, {waiting: 1e6, file: 1500})
  for (let calls = 0; calls < 20; calls++) recorder.add('/csi.sock', called())
  expect(await recorder.broken).toMatch(/^it has as many bytes as a recording may have: \d+$/)
  const {bytes, calls, missing} = await recorder.finish()
  expect(bytes).toBeLessThanOrEqual(1500)
  expect(calls + missing).toBe(20)
  expect(lines()).toHaveLength(calls + 1)
})

test('startRecorder: a message that has no form as JSON leaves a line that says so', async () => {
  const {file, lines} = memoryFile()
  const recorder = await startRecorder(file, head)
  const known = knownMethod('/csi.v1.Controller/CreateSnapshot')
  if (known === undefined) throw new Error('it is known')
  const answer = create(CreateSnapshotResponseSchema, {snapshot: {creationTime: {seconds: 1_600_000_000_123_456_789n}}})
  const {request: _request, ...rest} = called({known, responses: [answer]})
  recorder.add('/csi.sock', rest)
  await recorder.finish()
  expect(lines()[1]).toMatchObject({unkept: 'a message cannot be written as JSON'})
  expect(lines()[1]).not.toHaveProperty('responses')
})

test('startRecorder: names that clients make up do not fill the memory', async () => {
  const {file} = memoryFile()
  const recorder = await startRecorder(file, head)
  for (let calls = 0; calls < 1000; calls++)
    recorder.add('/s', {call: {...called().call, method: `M${calls}`}, responses: [], unkept: `why ${calls}`})
  const {methods, unkept, calls} = await recorder.finish()
  expect(calls).toBe(1000)
  expect(methods).toHaveLength(501)
  expect(methods.at(-1)).toMatchObject({method: 'others', calls: 500})
  expect(Object.keys(unkept)).toHaveLength(51)
  expect(methods.reduce((sum, each) => sum + each.calls, 0)).toBe(1000)
})

test("openLineFile: a new file of the owner's, in a folder that is made, with whole lines", async () => {
  const path = join(tempDir(), 'a/b/calls.jsonl')
  const file = await openLineFile(path)
  await file.append('one\n')
  await file.append('two ä\n')
  await file.append('three\n')
  await file.close()
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo ä\nthree\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(statSync(join(path, '../..')).mode & 0o777).toBe(0o700)
})

test('openLineFile: what is there is left alone, and what cannot be made is told', async () => {
  const folder = tempDir()
  const path = join(folder, 'calls.jsonl')
  writeFileSync(path, 'mine')
  await expect(openLineFile(path)).rejects.toMatchObject({
    exit: 5,
    message: expect.stringMatching(/as it must be a new file: there is one$/),
  })
  expect(readFileSync(path, 'utf8')).toBe('mine')
  mkdirSync(join(folder, 'directory'))
  await expect(openLineFile(join(folder, 'directory'))).rejects.toThrow('it is a folder')
  await expect(openLineFile('/proc/x.jsonl')).rejects.toThrow('no file can be made there')
  await expect(openLineFile(join(path, 'below'))).rejects.toThrow(/must be a new file: a part of its path is no folder/)
})
