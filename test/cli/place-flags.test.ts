import {expect, test} from 'vitest'
import {injectPlace} from '../../src/cli/place-flags.ts'

const {signal} = new AbortController()
const placeOf = (flags: Parameters<typeof injectPlace>[0], found?: string) =>
  injectPlace(flags, found === undefined ? {} : {upstream: found}, signal)

test('injectPlace() is where the flags say, and without any the socket that a recipe found', () => {
  expect(placeOf({listen: '/l', upstream: '/u'})).toEqual({listen: '/l', upstream: '/u'})
  expect(placeOf({listen: '/l'}, '/found')).toEqual({listen: '/l', upstream: '/found'})
  expect(placeOf({}, '/found')).toMatchObject({take: {socket: '/found', force: false, hurry: signal}})
  expect(placeOf({socket: 'unix:///s'}, '/found')).toMatchObject({take: {socket: '/s'}})
})

test('injectPlace() has the journals where the control sockets are, or where it is told', () => {
  const journalsOf = (journals?: string) => {
    const place = placeOf({socket: '/s', journals, force: true})
    return 'take' in place ? [place.take.journals, place.take.force] : []
  }
  expect(journalsOf()).toEqual([expect.stringMatching(/^\/.*kubelimbo.*\/takeover$/), true])
  expect(journalsOf('j')).toEqual([`${process.cwd()}/j`, true])
})

test.each([
  [{}, undefined, 'Cannot inject as --listen or --socket must be given: it is not'],
  [{upstream: '/u'}, undefined, 'Cannot inject as --listen or --socket must be given: it is not'],
  [{listen: '/l'}, undefined, 'Cannot inject as --upstream must be given: it is not'],
  [{socket: '@s'}, undefined, 'an abstract one has none'],
  [{}, '@found', 'an abstract one has none'],
  [{socket: 's'}, undefined, 'Cannot use --socket as it must be the address of a unix socket'],
])('injectPlace() of %o and the server at %s says what is wrong', (flags, found, message) => {
  expect(() => placeOf(flags, found)).toThrow(message)
})
