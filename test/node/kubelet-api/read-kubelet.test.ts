import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {type Answer, closedPort, fakeServer, rawServer} from '../../support/fake-kubelet-http.ts'
import {ask} from './asking.ts'

const metadata = {name: 'web', namespace: 'default', uid: 'u1'}
const podList = (...items: unknown[]) => JSON.stringify({kind: 'PodList', apiVersion: 'v1', metadata: {}, items})
const onePod = podList({metadata, spec: {}, status: {phase: 'Running'}})

/** The reading of /pods when that is the answer on the read-only port. */
async function podsOf(answer: Answer) {
  const {port} = await fakeServer({'/pods': answer})
  return (await ask({readOnly: port})).readings['kubelet.pods']
}

const failedWith = (why: RegExp, kind?: string) => ({
  state: 'failed',
  why: expect.stringMatching(why),
  tookMs: 0,
  ...(kind !== undefined && {kind}),
})

describe('readKubelet() on the read-only port', () => {
  test('reads pods, running pods, health and metrics, by GET only', async () => {
    const server = await fakeServer({
      '/pods': onePod,
      '/runningpods/': podList({metadata: {...metadata, name: 'runs'}}),
      '/healthz': 'ok',
      '/metrics': [
        'kubernetes_build_info{git_version="v1.26.5",major="1"} 1',
        'csi_operations_seconds_count{driver_name="d"} 4',
        'volume_manager_total_volumes{plugin_name="p",state="desired_state_of_world"} 2',
        'go_goroutines 7',
        'apiserver_audit_event_total 0',
        '',
      ].join('\n'),
    })
    const {readings, version, how} = await ask({readOnly: server.port})
    expect(readings['kubelet.pods']).toMatchObject({state: 'read', value: [{name: 'web', uid: 'u1', phase: 'Running'}]})
    expect(readings['kubelet.runningpods']).toMatchObject({state: 'read', value: [{name: 'runs'}]})
    expect(readings['kubelet.healthz']).toEqual({state: 'read', value: {ok: true, text: 'ok'}})
    expect(readings['kubelet.metrics']).toEqual({
      state: 'read',
      value: [
        {name: 'csi_operations_seconds_count', labels: {driver_name: 'd'}, value: 4},
        {name: 'volume_manager_total_volumes', labels: {plugin_name: 'p', state: 'desired_state_of_world'}, value: 2},
      ],
    })
    expect(version).toBe('1.26.5')
    expect(how['kubelet.pods']).toBe(`${server.url}/pods`)
    expect(new Set(server.asked.map(({method}) => method))).toEqual(new Set(['GET']))
  })

  test.for<[what: string, list: string, pods: readonly object[]]>([
    ['items null', '{"kind":"PodList","items":null}', []],
    ['a static pod without creationTimestamp', podList({metadata: {...metadata, creationTimestamp: null}}), [{name: 'web'}]],
    ['no phase', podList({metadata, status: {}}), [{uid: 'u1'}]],
    [
      'a deletion before the creation',
      podList({metadata: {...metadata, creationTimestamp: '2026-11-30T03:00:00Z', deletionTimestamp: '2026-11-30T02:00:00Z'}}),
      [{createdAt: Date.parse('2026-11-30T03:00:00Z'), deletedAt: Date.parse('2026-11-30T02:00:00Z')}],
    ],
    [
      'container statuses with empty names',
      podList({
        metadata,
        status: {
          containerStatuses: [
            {name: '', state: {running: {}}},
            {name: '', state: null},
          ],
        },
      }),
      [{uid: 'u1'}],
    ],
    ['two pods of one name', podList({metadata}, {metadata: {...metadata, uid: 'u2'}}), [{uid: 'u1'}, {uid: 'u2'}]],
    ['finalizers', podList({metadata: {...metadata, finalizers: ['a/b']}}), [{finalizers: ['a/b']}]],
  ])('takes %s for what it is', async ([, list, pods]) => {
    const reading = await podsOf(list)
    expect(reading).toMatchObject({state: 'read', value: pods})
    expect(reading).not.toHaveProperty('incomplete')
  })

  test('says that a list with pods that nobody could join is not whole', async () => {
    expect(await podsOf(podList({metadata}, {metadata: {}}))).toMatchObject({incomplete: '1 of 2 entries cannot be read'})
  })

  test.for<[what: string, answer: Answer, why: RegExp]>([
    ['a page with status 200', '<!doctype html><title>Log in</title>', /must be JSON: it is HTML or XML$/],
    ['a page with status 502', [502, '<html>Bad Gateway</html>'], /\/pods: it answers 502$/],
    ['an error', [500, 'boom\nand more'], /it answers 500, 'boom'$/],
    ['a redirect', (response) => response.writeHead(302, {location: 'https://elsewhere.example/'}).end(), /it answers 302$/],
    ['another list', '{"kind":"NodeList","items":[]}', /must be a v1 PodList: its kind is 'NodeList'/],
    ['nothing', '', /must be JSON: it is empty/],
    ['half a list', onePod.slice(0, 40), /must be JSON/],
    ['401', [401, 'Unauthorized'], /^not allowed: .*401, it does not know who asks.*--kubeconfig/],
    ['404', [404, 'no'], /404, it has no such path$/],
    ['405', [405, 'Debug endpoints are disabled.'], /405, it has no such path$/],
    ['a gzip that is none', (response) => response.writeHead(200, {'content-encoding': 'gzip'}).end('hello'), /it says gzip and is none/],
    [
      'a gzip that breaks off',
      (response) => response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync(onePod).subarray(0, -12)),
      /it broke off after/,
    ],
    [
      'a length beyond the limit',
      (response) => response.writeHead(200, {'content-length': String(2 ** 27)}).flushHeaders(),
      /its reply is larger than 64 MiB/,
    ],
    ['a list that inflates without end', bomb, /its reply is larger than 64 MiB/],
    [
      'a reply that breaks off',
      (response) => {
        response.writeHead(200, {'content-length': '1000'}).write('{"kind"')
        setImmediate(() => response.destroy())
      },
      /it broke off after 7 bytes/,
    ],
  ])('makes of %s a failure', async ([, answer, why]) => {
    expect(await podsOf(answer)).toMatchObject(failedWith(why))
  })

  test('reads a list of 30 MB, and one that is zipped', async () => {
    const large = podList({metadata: {...metadata, annotations: {large: 'x'.repeat(30_000_000)}}})
    expect(await podsOf(large)).toMatchObject({state: 'read', value: [{uid: 'u1'}]})
    expect(await podsOf((response) => response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync(large)))).toMatchObject({
      value: [{uid: 'u1'}],
    })
  })

  test.for<[what: string, connected: Parameters<typeof rawServer>[0], why: RegExp]>([
    ['closes each connection', (socket) => socket.destroy(), /it closed the connection without a reply/],
    ['speaks no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n'), /it speaks no HTTP/],
  ])('makes of a server that %s a failure', async ([, connected, why]) => {
    const {port} = await rawServer(connected)
    expect((await ask({readOnly: port})).readings['kubelet.pods']).toEqual(failedWith(why))
  })

  test.each(['42', '', 'OK then', '<html>ok</html>', '{"status":"ok"}'])('does not take %j for a word on its health', async (text) => {
    const server = await fakeServer({'/healthz': text})
    const {readings} = await ask({readOnly: server.port, healthz: server.port})
    expect(readings['kubelet.healthz']).toEqual(failedWith(/it answers 200 with no word on its health/))
  })

  test.each(['ok', 'ok\n', '[+]ping ok\n[+]syncloop ok\nhealthz check passed\n'])('takes %j for its health', async (text) => {
    const server = await fakeServer({'/healthz': text})
    const {readings} = await ask({readOnly: server.port, healthz: server.port})
    expect(readings['kubelet.healthz']).toEqual({state: 'read', value: {ok: true, text: text.trim()}})
  })

  test('says so when nothing listens anywhere', async () => {
    const [readOnly, secure, healthz] = [await closedPort(), await closedPort(), await closedPort()]
    const {readings} = await ask({readOnly, secure, healthz})
    expect(readings['kubelet.pods']).toEqual(
      failedWith(new RegExp(`^nothing listens at 127.0.0.1:${readOnly}, 127.0.0.1:${secure} \\(connection refused\\)$`), 'refused'),
    )
    expect(readings['kubelet.healthz']).toEqual(failedWith(new RegExp(`^nothing listens at 127.0.0.1:${healthz}, `), 'refused'))
  })
})

/** A gigabyte of spaces. */
function bomb(response: import('node:http').ServerResponse): void {
  response.writeHead(200, {'content-encoding': 'gzip'})
  response.end(gzipSync(Buffer.alloc(2 ** 30, ' '), {level: 1}))
}

test('readKubelet() keeps the replies for a bundle when it is asked to', async () => {
  const metrics = 'kubelet_running_pods 3\ngo_goroutines 7\n'
  const {port} = await fakeServer({'/pods': onePod, '/runningpods/': onePod, '/metrics': metrics})
  const {readings} = await ask({readOnly: port}, {keepReplies: true})
  expect([readings['kubelet.pods'], readings['kubelet.runningpods']]).toMatchObject([{raw: onePod}, {raw: onePod}])
  expect(readings['kubelet.metrics']).toMatchObject({raw: metrics, value: [{name: 'kubelet_running_pods'}]})
})

describe('readKubelet() under its deadline', () => {
  test.for<[what: string, answer: (response: import('node:http').ServerResponse) => void]>([
    ['a trickle', (response) => response.writeHead(200).write('{')],
    ['silence', () => undefined],
  ])('gives up %s, and reads the rest', async ([, answer]) => {
    const heard = Promise.withResolvers<void>()
    const server = await fakeServer({
      '/pods': (response) => {
        answer(response)
        heard.resolve()
      },
      '/metrics': 'kubelet_running_pods 3\n',
      '/healthz': 'ok',
    })
    let sleeps = 0
    // Only the first sleep, that of /pods, ever ends.
    const clock = {now: () => 0, sleep: () => (sleeps++ === 0 ? heard.promise : new Promise<void>(() => undefined))}
    const {readings} = await ask({readOnly: server.port}, {clock, deadlineMs: 700})
    expect(readings['kubelet.pods']).toEqual(
      failedWith(new RegExp(`^no whole answer from 127.0.0.1:${server.port} within 700 ms$`), 'silent'),
    )
    expect(readings['kubelet.metrics'].state).toBe('read')
    expect(readings['kubelet.healthz'].state).toBe('read')
  })

  test('ends with the reason when the user has enough', async () => {
    const controller = new AbortController()
    const {port} = await fakeServer({'/pods': () => controller.abort(new Error('enough'))})
    await expect(ask({readOnly: port}, {signal: controller.signal})).rejects.toThrow('enough')
  })
})

describe('readKubelet() on /healthz', () => {
  test('hears a failed check', async () => {
    const {port} = await fakeServer({'/healthz': [500, '[+]ping ok\n[-]syncloop failed: reason withheld\n']})
    expect((await ask({healthz: port})).readings['kubelet.healthz']).toEqual({
      state: 'read',
      value: {ok: false, text: '[+]ping ok\n[-]syncloop failed: reason withheld'},
    })
  })

  test('asks elsewhere when its own port is closed', async () => {
    const {port} = await fakeServer({'/healthz': 'ok'})
    const {readings} = await ask({healthz: await closedPort(), readOnly: port})
    expect(readings['kubelet.healthz']).toEqual({state: 'read', value: {ok: true, text: 'ok'}})
  })

  test("takes no page for the kubelet's word", async () => {
    const {port} = await fakeServer({'/healthz': '<html>ok</html>'})
    expect((await ask({healthz: port})).readings['kubelet.healthz']).toEqual(failedWith(/it answers 200 with no word on its health/))
  })
})
