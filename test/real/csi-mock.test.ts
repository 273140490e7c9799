// The mock driver of Kubernetes' own tests, in Go, with its registration.
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {builtPeers} from '../support/built-peers.ts'
import {kubeletRoot, socketsAt} from '../support/fake-driver-node.ts'
import {until} from '../support/until.ts'

test('readCsi() sees csi-mock registered, with its capabilities, and calls nothing that changes it', async () => {
  const [binary = ''] = await builtPeers('csi-mock')
  const {root, place} = kubeletRoot()
  const registration = place('plugins_registry/mock-reg.sock')
  const endpoint = place('plugins/mock/csi.sock')
  const driver = execa(binary, ['-drivername', 'mock.example.com', '-endpoint', endpoint, '-registration', registration], {reject: false})
  try {
    const found = await until(async () => {
      const both = await socketsAt(root)
      expect([...both.registrations, ...both.drivers].map(({answer}) => answer.state)).toEqual(['answers', 'answers'])
      return both
    })
    expect(found).toEqual({
      registrations: [
        {socket: registration, answer: {state: 'answers'}, type: 'CSIPlugin', name: 'mock.example.com', endpoint, versions: ['1.0.0']},
      ],
      drivers: [
        {
          socket: endpoint,
          answer: {state: 'answers'},
          name: 'mock.example.com',
          version: expect.stringMatching(/^\d/),
          ready: true,
          capabilities: expect.arrayContaining(['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS']),
          nodeId: 'mock.example.com',
        },
      ],
    })
  } finally {
    driver.kill()
  }
  const {stderr} = await driver
  const methods = new Set([...stderr.matchAll(/"method":"([^"]+)"/g)].map(([, method]) => method))
  expect([...methods].toSorted()).toEqual([
    '/csi.v1.Identity/GetPluginInfo',
    '/csi.v1.Identity/Probe',
    '/csi.v1.Node/NodeGetCapabilities',
    '/csi.v1.Node/NodeGetInfo',
  ])
  expect(stderr).not.toContain('kubelet says')
})
