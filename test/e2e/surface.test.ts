// What people and scripts rely on: commands, flags, letters. A change here is a change for them: fixtures/surface.json shows it.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

interface Flag {
  readonly char?: string
  readonly options?: readonly string[]
  readonly type: string
  readonly multiple?: boolean
}

interface Command {
  readonly flags: Readonly<Record<string, Flag>>
  readonly args: Readonly<Record<string, unknown>>
  readonly aliases: readonly string[]
  readonly summary?: string
  readonly examples?: readonly string[]
}

const {commands} = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {commands: Readonly<Record<string, Command>>}

function describeFlag({char, options, type, multiple}: Flag): string {
  return [type, char && `-${char}`, multiple && 'repeatable', options?.join('|')].filter(Boolean).join(' ')
}

const byId = Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1))

test('the commands and flags are those of fixtures/surface.json', async () => {
  const surface = Object.fromEntries(
    // The manifest has them in the order of the build's files, which is any.
    byId.map(([id, {flags, args, aliases}]) => [
      id,
      {
        aliases,
        args: Object.keys(args),
        flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, describeFlag(flag)])),
      },
    ]),
  )
  await expect(`${JSON.stringify(surface, null, 2)}\n`).toMatchFileSnapshot('../../fixtures/surface.json')
})

test('every command has a summary and an example', () => {
  const poor = Object.entries(commands).filter(([, {summary, examples}]) => !summary || !examples?.length)
  expect(poor.map(([id]) => id)).toEqual([])
})
