// The report of a recording.
import {expect, test} from 'vitest'
import {type RecordView, renderRecord} from '../../src/render/record.ts'

const view: RecordView = {
  file: '/var/lib/a b.jsonl',
  sockets: ['/csi/csi.sock'],
  calls: 3,
  methods: [{socket: '/csi/csi.sock', service: 'csi.v1.Node', method: 'NodeStageVolume', calls: 3, codes: {OK: 2, INTERNAL: 1}}],
  unkept: {'the method is not known': 1},
  redactions: {'secret field': 2},
  missing: 1,
  bytes: 1234,
  broken: 'ENOSPC: no space left on device, write',
}

test('renderRecord: a table', async () => {
  expect(await renderRecord(view, 'table', 200)).toBe(`SOCKET         METHOD                       CALLS  CODES
/csi/csi.sock  csi.v1.Node/NodeStageVolume  3      2 OK, 1 INTERNAL
/var/lib/a b.jsonl: 3 calls, 1.2 kB
It ended before its time: ENOSPC: no space left on device, write
1 call is not in it at all: the file did not take it.
Calls whose messages are not all in it:
  1 × the method is not known
Taken out:
  2 × secret field
Serve it with: kubelimbo replay '/var/lib/a b.jsonl'
`)
})

test('renderRecord: nothing came', async () => {
  const {broken: _broken, ...rest} = view
  expect(
    await renderRecord({...rest, file: '/f', calls: 0, methods: [], unkept: {}, redactions: {}, missing: 0, bytes: 132}, 'table', 80),
  ).toBe('/f: 0 calls, 132 bytes\nNothing had to be taken out.\nServe it with: kubelimbo replay /f\n')
})

test('renderRecord: for programs', async () => {
  expect(JSON.parse(await renderRecord(view, 'json', 80))).toEqual({
    apiVersion: 'kubelimbo/v1',
    kind: 'RecordReport',
    ...view,
    replay: "kubelimbo replay '/var/lib/a b.jsonl'",
  })
  expect(await renderRecord(view, 'yaml', 80)).toContain('kind: RecordReport\n')
})
