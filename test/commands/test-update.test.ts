import { expect, test } from 'bun:test'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { updateCase } from '../../src/project/expectations.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { startCommand } from '../support/command.ts'
import { rejectionOf } from '../support/outcome.ts'

const count = 60

test('an update that is interrupted has written whole cases, each file whole, and leaves nothing else', async () => {
  const cases: Record<string, string> = {}
  for (let index = 0; index < count; index++) {
    cases[`cases/greeting/case-${index}.json`] = `{"name":"Ann ${index}","owes":${index + 1}}`
    cases[`cases/greeting/case-${index}.params.json`] = '{"place":"Ghent"}'
  }
  const { 'cases/greeting/bob.json': _bob, 'cases/greeting/bob.params.json': _params, ...rest } = greeting
  const folder = folderWith({ ...rest, ...cases })
  const running = startCommand(folder, ['test', '--update', '--pages'])
  const reader = running.stdout.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toContain('wrote ')
  running.kill('SIGINT')
  reader.releaseLock()
  expect(await running.exited).toBe(130)
  // It has ended itself, in its own time.
  expect(running.signalCode).toBeNull()
  const below = join(folder, 'cases/greeting')
  const written = readdirSync(below).filter((name) => name.endsWith('.expected'))
  expect(written.length).toBeGreaterThan(0)
  expect(written.length).toBeLessThan(count)
  for (const name of written) {
    const files = readdirSync(join(below, name), { recursive: true, encoding: 'utf8' }).sort()
    const own = name.startsWith('ann') ? [] : ['letter/notice', 'letter/notice/output.json']
    expect([name, files]).toEqual([
      name,
      ['letter', 'letter/document.txt', 'letter/output.json', 'letter/page-1.svg', ...own].sort(),
    ])
    for (const file of files.filter((each) => existsSync(join(below, name, each)) && /\.\w+$/.test(each))) {
      expect(readFileSync(join(below, name, file), 'utf8')).toEndWith('\n')
    }
  }
}, 120_000)

test('a file that is expected is replaced as a whole, so that nobody reads the half of it', async () => {
  const folder = folderWith({ 'a.expected/letter/output.json': '{}\n' })
  const path = join(folder, 'a.expected/letter/output.json')
  linkSync(path, join(folder, 'before.json'))
  const run = { address: 'letter', output: '{"a":1}', text: undefined, refusal: undefined, sources: {} }
  const made = { ...run, files: new Map(), summaries: new Map(), drawPages: async () => [] }
  const expected = { folder: 'a.expected', files: new Map([['letter/output.json', '{}\n']]) }
  expect(await updateCase(folder, [made], expected, 'kept')).toEqual(['a.expected/letter/output.json'])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1 })
  expect(readFileSync(join(folder, 'before.json'), 'utf8')).toBe('{}\n')
  // What can't be written leaves nothing beside it.
  mkdirSync(join(folder, 'b.expected/letter/output.json/taken'), { recursive: true })
  writeFileSync(join(folder, 'b.expected/letter/output.json/taken/file'), '')
  const unwritable = updateCase(folder, [made], { folder: 'b.expected', files: new Map() }, 'kept')
  expect(await rejectionOf(unwritable)).toHaveProperty('code', 'EISDIR')
  expect(readdirSync(join(folder, 'b.expected/letter'))).toEqual(['output.json'])
})
