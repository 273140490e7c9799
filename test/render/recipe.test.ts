import {expect, test} from 'vitest'
import {hang} from '../../src/faults/hang.ts'
import type {Prepared} from '../../src/proxy/recipes/prepare.ts'
import {recipeLines} from '../../src/render/recipe.ts'

const prepared: Prepared = {
  recipe: 'stage-hang',
  rules: [{name: 'stage-hang', match: {to: 'csi'}, fault: hang()}],
  upstream: '/csi.sock',
  aim: ['The claim default/\u001b[31mdata is bound.'],
  kubelet: ['The kubelet is 1.26.5.', 'It waits.', 'It calls again.'],
  see: [
    {command: 'kubelimbo volumes', why: 'what is staged'},
    {command: `journalctl -u kubelet -f | grep -E '${'x'.repeat(40)}'`, why: 'each call'},
  ],
  issues: ['kubernetes/kubernetes#88660'],
}

test('recipeLines() has a line for each sentence and command, and no control of a terminal', () => {
  expect(recipeLines(prepared, 'text')).toBe(
    [
      'The claim default/\\x1b[31mdata is bound.',
      'The rule:',
      '  stage-hang  every call to csi: do not run it and never answer',
      'The kubelet is 1.26.5.',
      '  - It waits.',
      '  - It calls again.',
      'To see it:',
      '  kubelimbo volumes                         # what is staged',
      `  journalctl -u kubelet -f | grep -E '${'x'.repeat(40)}'  # each call`,
      'See kubernetes/kubernetes#88660.',
      '',
      '',
    ].join('\n'),
  )
})

test('recipeLines() in JSON is one line, with its rules in words', () => {
  const text = recipeLines(prepared, 'json')
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(JSON.parse(text)).toEqual({
    apiVersion: 'kubelimbo/v1',
    kind: 'Recipe',
    ...prepared,
    rules: [{name: 'stage-hang', fault: 'hang', says: expect.any(String)}],
  })
})
