import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {openBundle} from '../../src/node/bundle.ts'
import {sourceNames} from '../../src/node/snapshot.ts'
import {generatedNode, generatedSnapshot, writeGenerated} from './generated-node.ts'
import {troubleCodes} from './generated-volumes.ts'

const profile = profileOf('1.36.2')
const size = {seed: 7, pods: 40, volumes: 100}

test('generatedNode() gives the same bytes for the same seed, and others for another', () => {
  expect(generatedNode(size)).toEqual(generatedNode(size))
  expect(generatedNode({...size, seed: 8})).not.toEqual(generatedNode(size))
})

test('generatedNode() without trouble is a healthy node: every code is looked for and none is found', () => {
  const {looked, findings} = detect(generatedSnapshot(generatedNode({...size, troubleIn: 0, moreMounts: 50})), profile, detectors)
  expect(looked).toEqual(detectors.map(({code}) => code))
  expect(findings).toEqual([])
})

test('generatedNode() has trouble of each kind, and each is found', () => {
  const node = generatedNode(size)
  const {findings} = detect(generatedSnapshot(node), profile, detectors)
  expect(new Set(node.troubles)).toEqual(new Set(Object.keys(troubleCodes)))
  const roots = findings.filter(({cause}) => cause === null)
  expect(roots.map(({code}) => code).toSorted()).toEqual(node.troubles.map((kind) => troubleCodes[kind]).toSorted())
})

test('writeGenerated() writes a bundle that opens as the same snapshot', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  onTestFinished(() => rm(folder, {recursive: true}))
  const node = generatedNode(size)
  await writeGenerated(node, folder)
  const {readings} = await openBundle(folder)
  const {readings: expected} = generatedSnapshot(node)
  for (const name of sourceNames) if (expected[name].state === 'read') expect(readings[name]).toEqual(expected[name])
})
