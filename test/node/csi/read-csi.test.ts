import {mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {type Fake, fakeDriver, fakeRegistration, otherService} from '../../support/fake-driver.ts'
import {csi, end, kubeletRoot, readAt, registered, registry, socketsAt} from '../../support/fake-driver-node.ts'
import {silentServer} from '../../support/listening.ts'
import {tempDir} from '../../support/socket-dir.ts'

describe('readCsi()', () => {
  test('reads a registered driver', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node, {capabilities: [1, 2, 4, 99]})
    expect(await socketsAt(node.root)).toEqual({
      registrations: [
        {
          socket: node.place(registry),
          answer: {state: 'answers'},
          type: 'CSIPlugin',
          name: 'fake.csi.example.com',
          endpoint: node.place(csi),
          versions: ['1.0.0'],
        },
      ],
      drivers: [
        {
          socket: node.place(csi),
          answer: {state: 'answers'},
          name: 'fake.csi.example.com',
          version: '1.2.3',
          capabilities: ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'VOLUME_CONDITION', '99'],
          nodeId: 'n1',
        },
      ],
    })
    await end(driver, registration)
  })

  test('calls nothing but what changes nothing, and each once', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node)
    await socketsAt(node.root)
    expect(registration.calls).toEqual(['/pluginregistration.Registration/GetInfo'])
    expect(driver.calls.toSorted()).toEqual([
      '/csi.v1.Identity/GetPluginInfo',
      '/csi.v1.Identity/Probe',
      '/csi.v1.Node/NodeGetCapabilities',
      '/csi.v1.Node/NodeGetInfo',
    ])
    await end(driver, registration)
  })

  test('takes an endpoint with a scheme for its path, and an empty one for the socket itself', async () => {
    const node = kubeletRoot()
    await using _driver = await fakeDriver({path: node.place(csi)})
    await using _one = await fakeRegistration({path: node.place('plugins_registry/a.sock'), endpoint: `unix://${node.place(csi)}`})
    await using _other = await fakeRegistration({path: node.place('plugins_registry/b.sock'), endpoint: ''})
    const {registrations, drivers} = await socketsAt(node.root)
    expect(registrations.map(({endpoint}) => endpoint)).toEqual([node.place(csi), node.place('plugins_registry/b.sock')])
    expect(drivers.map(({socket, answer}) => [socket, answer.state])).toEqual([
      [node.place(csi), 'answers'],
      [node.place('plugins_registry/b.sock'), 'other-service'],
    ])
  })

  test('reaches an abstract endpoint', async () => {
    const node = kubeletRoot()
    const name = `@kl-csi-${process.pid}`
    await using _driver = await fakeDriver({path: name})
    await using _one = await fakeRegistration({path: node.place('plugins_registry/a.sock'), endpoint: name})
    await using _other = await fakeRegistration({path: node.place('plugins_registry/b.sock'), endpoint: `unix:${name}`})
    const {drivers} = await socketsAt(node.root)
    expect(drivers).toMatchObject([{socket: name, answer: {state: 'answers'}, name: 'fake.csi.example.com'}])
  })

  test('lists two sockets with one name, and two drivers in one directory', async () => {
    const node = kubeletRoot()
    await using _one = await fakeDriver({path: node.place('plugins/a/csi.sock')})
    await using _two = await fakeDriver({path: node.place('plugins/b/csi.sock')})
    await using _three = await fakeDriver({path: node.place('plugins/b/second.sock'), name: 'second'})
    expect((await socketsAt(node.root)).drivers.map(({socket, name}) => [socket, name])).toEqual([
      [node.place('plugins/a/csi.sock'), 'fake.csi.example.com'],
      [node.place('plugins/b/csi.sock'), 'fake.csi.example.com'],
      [node.place('plugins/b/second.sock'), 'second'],
    ])
  })

  test('leaves the endpoint of another kind of plugin alone', async () => {
    const node = kubeletRoot()
    await using dra = await otherService(node.place('plugins/gpu/dra.sock'))
    await using device = await otherService(node.place('plugins/gpu/device.sock'))
    await using registration = await fakeRegistration({
      path: node.place('plugins_registry/gpu-reg.sock'),
      type: 'DevicePlugin',
      name: 'example.com/gpu',
      endpoint: node.place('plugins/gpu/device.sock'),
    })
    const {registrations, drivers} = await socketsAt(node.root)
    expect(registrations).toMatchObject([{type: 'DevicePlugin', name: 'example.com/gpu'}])
    expect(drivers).toEqual([])
    expect([dra.calls, device.calls, registration.calls.length]).toEqual([[], [], 1])
  })

  test('leaves out what nobody names and turns out to be no driver', async () => {
    const node = kubeletRoot()
    await using other = await otherService(node.place('plugins/x/metrics.sock'))
    expect((await socketsAt(node.root)).drivers).toEqual([])
    expect(other.calls).toEqual(['/csi.v1.Identity/GetPluginInfo'])
  })

  test('asks a socket once, whatever names it has', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node)
    symlinkSync('fake-reg.sock', node.place('plugins_registry/link.sock'))
    mkdirSync(node.place('plugins/link'))
    symlinkSync(node.place(csi), node.place('plugins/link/csi.sock'))
    symlinkSync('fake', node.place('plugins/folder'))
    const {registrations, drivers} = await socketsAt(node.root)
    expect(registrations.map(({socket, name}) => [socket, name])).toEqual([
      [node.place(registry), 'fake.csi.example.com'],
      [node.place('plugins_registry/link.sock'), 'fake.csi.example.com'],
    ])
    expect(drivers.map(({socket}) => socket)).toEqual([node.place(csi)])
    expect([registration.calls.length, driver.calls.length]).toEqual([1, 4])
    await end(driver, registration)
  })

  test('looks into folders of the registry, at sockets of any name that no dot hides', async () => {
    const node = kubeletRoot()
    const paths = ['.hidden.sock', 'plain', 'sub/deeper/x.sock', 'sub/.y.sock', '.folder/z.sock']
    const fakes: Fake[] = []
    for (const path of paths) fakes.push(await fakeRegistration({path: node.place(`plugins_registry/${path}`), type: 'DevicePlugin'}))
    writeFileSync(node.place('plugins_registry/registration'), '')
    symlinkSync('registration', node.place('plugins_registry/link'))
    const {registrations} = await socketsAt(node.root)
    expect(registrations.map(({socket}) => socket)).toEqual(
      ['.folder/z.sock', 'plain', 'sub/deeper/x.sock'].map((path) => node.place(`plugins_registry/${path}`)),
    )
    await end(...fakes)
  })

  test('passes over the hidden names and the staging paths of plugins/', async () => {
    const node = kubeletRoot()
    const paths = ['plugins/.taken/csi.sock', 'plugins/x/.csi.sock', 'plugins/kubernetes.io/csi.sock']
    const fakes = await Promise.all(paths.map((path) => fakeDriver({path: node.place(path)})))
    writeFileSync(node.place('plugins/a-file'), '')
    symlinkSync('nowhere', node.place('plugins/a-link'))
    expect((await socketsAt(node.root)).drivers).toEqual([])
    expect(fakes.flatMap(({calls}) => calls)).toEqual([])
    await end(...fakes)
  })

  test('reaches sockets by paths of more than 107 bytes', async () => {
    const node = kubeletRoot()
    const long = `${'ä'.repeat(60)}`
    const {driver, registration} = await registered(node)
    // bind(2) has the same limit, so such a path comes about by a folder that was moved or mounted.
    mkdirSync(node.place(`plugins/${long}`))
    renameSync(node.place(csi), node.place(`plugins/${long}/csi.sock`))
    mkdirSync(node.place(`plugins_registry/${long}`))
    renameSync(node.place(registry), node.place(`plugins_registry/${long}/reg.sock`))
    const {registrations, drivers} = await socketsAt(node.root)
    expect(registrations).toMatchObject([
      {socket: node.place(`plugins_registry/${long}/reg.sock`), answer: {state: 'answers'}, name: 'fake.csi.example.com'},
    ])
    expect(drivers).toMatchObject([
      {answer: {state: 'missing'}},
      {socket: node.place(`plugins/${long}/csi.sock`), answer: {state: 'answers'}, name: 'fake.csi.example.com'},
    ])
    await end(driver, registration)
  })

  test('follows links of the host below the root that it is mounted at', async () => {
    const host = tempDir()
    const {place} = kubeletRoot(join(host, 'data/kubelet'))
    mkdirSync(join(host, 'var/lib'), {recursive: true})
    symlinkSync('/data/kubelet', join(host, 'var/lib/kubelet'))
    await using _driver = await fakeDriver({path: place(csi)})
    await using _registration = await fakeRegistration({path: place(registry), endpoint: `/var/lib/kubelet/${csi}`})
    const {registrations, drivers} = await socketsAt('/var/lib/kubelet', {locate: (path) => join(host, path)})
    expect(registrations).toMatchObject([{socket: `/var/lib/kubelet/${registry}`, answer: {state: 'answers'}}])
    expect(drivers).toMatchObject([{socket: `/var/lib/kubelet/${csi}`, answer: {state: 'answers'}}])
  })

  test('reads a root that is written with a slash at its end', async () => {
    const node = kubeletRoot()
    await using _driver = await fakeDriver({path: node.place(csi)})
    expect((await socketsAt(`${node.root}/`)).drivers.map(({socket}) => socket)).toEqual([node.place(csi)])
  })

  test('is absent where there is no kubelet', async () => {
    expect(await readAt('/nowhere')).toEqual({
      'csi.registrations': {state: 'absent', why: 'there is no /nowhere/plugins_registry'},
      'csi.drivers': {state: 'absent', why: 'there is no /nowhere/plugins'},
    })
  })

  test('reads the drivers where there is no registry', async () => {
    const node = kubeletRoot()
    rmSync(node.place('plugins_registry'), {recursive: true})
    await using _driver = await fakeDriver({path: node.place(csi)})
    expect(await readAt(node.root)).toMatchObject({
      'csi.registrations': {state: 'absent'},
      'csi.drivers': {state: 'read', value: [{socket: node.place(csi)}]},
    })
  })

  test('fails where the registry is a file, and says of the drivers that there may be more', async () => {
    const node = kubeletRoot()
    rmSync(node.place('plugins_registry'), {recursive: true})
    writeFileSync(node.place('plugins_registry'), '')
    const why = `${node.place('plugins_registry')} cannot be read (ENOTDIR)`
    expect(await readAt(node.root)).toEqual({
      'csi.registrations': {state: 'failed', why},
      'csi.drivers': {state: 'read', value: [], incomplete: why},
    })
  })

  test('says of a registry with too many sockets that it is incomplete', async () => {
    const node = kubeletRoot()
    for (let index = 0; index < 300; index++) writeFileSync(node.place(`plugins_registry/${index}.sock`), '')
    expect((await readAt(node.root))['csi.registrations']).toMatchObject({
      value: {length: 256},
      incomplete: 'no more than 256 sockets are looked at: there are 300',
    })
  })

  test('asks fifty sockets side by side', async () => {
    const node = kubeletRoot()
    const names = Array.from({length: 50}, (_, index) => `${index}`)
    const fakes = await Promise.all(names.map((name) => fakeDriver({path: node.place(`plugins/${name}/csi.sock`), name})))
    const warnings: Error[] = []
    const heed = (warning: Error) => warnings.push(warning)
    process.on('warning', heed)
    const {drivers} = await socketsAt(node.root, {signal: new AbortController().signal})
    expect(drivers.map(({name}) => name)).toEqual(names.toSorted())
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', heed)
    expect(warnings).toEqual([])
    await end(...fakes)
  })

  test('gives up with the reason of its signal', async () => {
    const node = kubeletRoot()
    await using _silent = await silentServer(node.place(csi))
    const controller = new AbortController()
    const reading = readAt(node.root, {signal: controller.signal})
    const reason = new Error('interrupted')
    setImmediate(() => controller.abort(reason))
    await expect(reading).rejects.toBe(reason)
  })
  test('fails where the user may not look', async () => {
    const node = kubeletRoot()
    await using _driver = await fakeDriver({path: node.place(csi)})
    const forbidding = (part: string) => (path: string) => {
      if (path.includes(part)) throw Object.assign(new Error('EACCES'), {code: 'EACCES'})
      return path
    }
    const why = `this user may not read ${node.place('plugins_registry')}`
    expect(await readAt(node.root, {locate: forbidding('plugins_registry')})).toMatchObject({
      'csi.registrations': {state: 'failed', why},
      'csi.drivers': {state: 'read', value: [{socket: node.place(csi), answer: {state: 'answers'}}], incomplete: why},
    })
    expect((await readAt(node.root, {locate: forbidding('plugins/fake')}))['csi.drivers']).toEqual({
      state: 'read',
      value: [],
      incomplete: `${node.place('plugins/fake')} cannot be read (EACCES)`,
    })
    expect((await readAt(node.root, {locate: forbidding('csi.sock')}))['csi.drivers']).toMatchObject({
      value: [{answer: {state: 'denied', why: `this user may not look at ${node.place(csi)}`}}],
    })
  })
})
