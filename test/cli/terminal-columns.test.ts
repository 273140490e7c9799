import {expect, test} from 'vitest'
import {terminalColumns} from '../../src/cli/terminal-columns.ts'

test.for([
  ['the terminal', {}, {columns: 80}, 80],
  ['COLUMNS before the terminal', {COLUMNS: '100'}, {columns: 80}, 100],
  ['the terminal where COLUMNS is no number', {COLUMNS: 'wide'}, {columns: 80}, 80],
  ['the terminal where COLUMNS is 0', {COLUMNS: '0'}, {columns: 80}, 80],
  ['at least 40', {COLUMNS: '5'}, {}, 40],
  ['no bound where nothing says one', {}, {}, Number.POSITIVE_INFINITY],
  ['no bound where the terminal knows none', {}, {columns: 0}, Number.POSITIVE_INFINITY],
] as const)('terminalColumns() is %s', ([, env, stdout, columns]) => {
  expect(terminalColumns(env, stdout)).toBe(columns)
})
