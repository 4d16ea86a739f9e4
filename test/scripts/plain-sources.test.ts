import { expect, test } from 'bun:test'
import { plainSource } from '../../scripts/plain-sources.plugin.ts'

test('comments leave a source, and every other line stays where it was', () => {
  const source = ['/**', ' * What it does.', ' */', 'export const one = 1 // its value', '  // Alone.', 'one()'].join(
    '\n',
  )
  expect(plainSource(source)).toBe(['', '', '', 'export const one = 1 // its value', '', 'one()'].join('\n'))
})

test('so do interfaces and imports of types', () => {
  const source = [
    ...[
      "import type { One } from './one.ts'",
      'export interface Two {',
      '  one: One',
      '  more: {',
      '    two: Two',
      '  }',
      '}',
    ],
    ...['interface Three extends Two {', '  three: 3', '}', 'export const two = (three: Three): Two => three'],
  ]
  expect(plainSource(source.join('\n'))).toBe([...Array(10).fill(''), source.at(-1)].join('\n'))
})

test('a text over several lines that looks like one of these stays, and so does code behind one', () => {
  for (const source of [
    'export const text = `\n// not a comment\n`',
    'export const text = `\ninterface A {\n}\n`',
    '/* first */ run()\n/* second */\nstop()',
  ]) {
    expect(plainSource(source)).toBe(source)
  }
})
