import {readdirSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {getOption, hasOption} from '@bufbuild/protobuf'
import {expect, test} from 'vitest'
import {Controller, csi_secret, file_csi, Identity, Node} from '../../src/wire/gen/csi_pb.ts'

test('csi_secret marks all maps of secrets, and nothing else', () => {
  const fields = file_csi.messages.flatMap((message) => message.fields.map((field) => ({message: message.name, field})))
  const secrets = fields.filter(({field}) => field.name.includes('secret'))
  const marked = fields.filter(({field}) => hasOption(field, csi_secret) && getOption(field, csi_secret))
  expect(marked.map(({message}) => message)).toEqual(secrets.map(({message}) => message))
  expect(marked).toHaveLength(13)
})

test('whoever reads a node calls nothing of a driver but what changes nothing', () => {
  const src = resolve(import.meta.dirname, '../../src')
  const readers = readdirSync(join(src, 'node'), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, 'node', name))
  const text = [...readers, join(src, 'wire/csi-client.ts'), join(src, 'wire/registration-client.ts')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const calls = [...Identity.methods, ...Node.methods, ...Controller.methods].map(({localName}) => localName)
  const made = calls.filter((call) => text.includes(`.${call}(`))
  expect(made).toEqual(['getPluginInfo', 'probe', 'nodeGetCapabilities', 'nodeGetInfo'])
  expect(text).not.toContain('notifyRegistrationStatus')
})
