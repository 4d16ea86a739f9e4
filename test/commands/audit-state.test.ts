/** What `quire audit export` says of its arguments and its file of state, before it opens a store. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAudit } from '../../src/commands/audit.ts'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { noContext } from './answering.ts'

const folder = temporaryFolder()
const refused = (...args: string[]) => rejectionOf(runAudit(args, noContext))

test('a file of state that can’t be read, or holds no position, is refused by its name', async () => {
  expect(await refused('export', '--state', folder)).toEqual(new CommandFailure(`${folder} can't be read (EISDIR)`))
  const path = join(folder, 'state')
  const hash = 'a'.repeat(64)
  for (const text of ['', 'x', '-1', '1.5', `1${'0'.repeat(15)}`, `7 ${hash}0`, `7 ${hash.slice(1)}`, `7  ${hash}`]) {
    writeFileSync(path, `${text}\n`)
    expect([text, await refused('export', '--state', path)]).toEqual([
      text,
      new CommandFailure(`${path} holds no position; remove it to export everything again`),
    ])
  }
})

test('wrong words, places and names are told as wrong usage', async () => {
  for (const [args, words] of [
    [[], 'audit takes a verb: export'],
    [['exprot'], 'did you mean "quire audit export"?'],
    [['export', 'more'], '"quire audit export" takes no argument'],
    [['export', '--state', '-'], 'a file, which is read and written'],
    [['export', '--since', 'yesterday'], '--since takes a position, or an instant such as'],
    [['export', '--since', '1'.repeat(16)], '--since takes a position, or an instant such as'],
    [['export', '--since', '2026-11-23'], 'not "2026-11-23"'],
  ] as const) {
    const error = await refused(...args)
    expect([args, error instanceof UsageError, String(error)]).toEqual([args, true, expect.stringContaining(words)])
  }
})
