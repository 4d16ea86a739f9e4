import { expect, test } from 'bun:test'
import { withoutComments } from '../../scripts/plain-sources.plugin.ts'

test('comments leave a source, and every other line stays where it was', () => {
  const source = ['/**', ' * What it does.', ' */', 'export const one = 1 // its value', '  // Alone.', 'one()'].join(
    '\n',
  )
  expect(withoutComments(source)).toBe(['', '', '', 'export const one = 1 // its value', '', 'one()'].join('\n'))
})

test('a text over several lines that looks like a comment stays, and so does code behind one', () => {
  for (const source of ['export const text = `\n// not a comment\n`', '/* first */ run()\n/* second */\nstop()']) {
    expect(withoutComments(source)).toBe(source)
  }
})
