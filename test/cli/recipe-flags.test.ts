import {describe, expect, test} from 'vitest'
import {recipeRequest} from '../../src/cli/recipe-flags.ts'

const usual = {listen: '/tmp/p.sock', deadline: '30s', 'dry-run': false}
type Flags = Parameters<typeof recipeRequest>[1]

describe('recipeRequest()', () => {
  test('is none without a recipe', () => {
    expect(recipeRequest({}, {...usual, fault: 'delay', pvc: 'data'})).toBeUndefined()
  })

  test('has what was asked for, fields of the request as texts', () => {
    expect(
      recipeRequest(
        {recipe: 'stage-lost'},
        {
          ...usual,
          pvc: 'data',
          driver: 'csi.example.com',
          request: ['volumeId=1=2', 'readonly=true'],
          count: '3',
          upstream: '@csi',
          kubeconfig: 'k',
        },
      ),
    ).toEqual({
      recipe: 'stage-lost',
      asked: {pvc: 'data', driver: 'csi.example.com', request: {volumeId: '1=2', readonly: 'true'}, count: 3, upstream: '@csi'},
      kubeconfig: 'k',
      deadlineMs: 30_000,
    })
  })

  test('takes a container as a word or as a flag', () => {
    expect(recipeRequest({recipe: 'runtime-slow', container: 'main'}, usual)?.asked).toEqual({container: 'main'})
    expect(recipeRequest({recipe: 'exec-hang'}, {...usual, pod: 'web-0', container: 'main'})?.asked).toEqual({
      pod: 'web-0',
      container: 'main',
    })
  })

  test.each<readonly [object, Flags, string]>([
    [
      {recipe: 'stage-lost'},
      {...usual, listen: undefined, upstream: '/u.sock'},
      'Cannot use --upstream as --listen must be given with it: it is not',
    ],
    [{recipe: 'stage-lost'}, {...usual, rules: 'r.yaml'}, 'Cannot use --rules as a recipe has rules of its own: it is stage-lost'],
    [
      {recipe: 'runtime-slow', container: 'a'},
      {...usual, container: 'b'},
      "Cannot use --container as CONTAINER must be given once: it is 'a' and 'b'",
    ],
    [
      {recipe: 'stage-lost'},
      {...usual, request: ['volumeId']},
      "Cannot use --request as it must be a name and a value, such as volumeId=vol-1: it is 'volumeId'",
    ],
    [{}, {...usual, driver: 'x'}, 'Cannot use --driver as a recipe must be given: there is none'],
  ])('of %o with %o says what is wrong', (words, flags, message) => {
    expect(() => recipeRequest(words, flags)).toThrow(message)
  })

  test('needs no place to listen at, and takes the socket that is named for that of the server', () => {
    const {listen: _, ...nowhere} = usual
    expect(recipeRequest({recipe: 'stage-lost'}, {...nowhere, socket: '/s.sock'})?.asked).toEqual({socket: '/s.sock'})
    expect(recipeRequest({recipe: 'stage-lost'}, {...nowhere, upstream: '/u.sock', 'dry-run': true})?.asked).toEqual({upstream: '/u.sock'})
    expect(() => recipeRequest({}, {...usual, 'dry-run': true})).toThrow('Cannot use --dry-run as a recipe must be given')
  })

  test('names the recipe that may be meant before anything else that is wrong', () => {
    expect(() => recipeRequest({recipe: 'stage-los'}, {deadline: '30s', 'dry-run': false})).toThrow("it is 'stage-los'")
  })
})
