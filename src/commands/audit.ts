import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { detailOf } from '../core/error-cause.ts'
import { type Instant, parseInstant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { identityOf } from '../db/file-identity.ts'
import { requireCurrentSchema } from '../db/migrate.ts'
import { type ExportState, exportRecords, otherTrail, positionBefore } from '../modules/audit/audit.export.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { CommandFailure, folderNamed, removeDraft } from './files.ts'
import { forTerminal } from './print-json.ts'
import { createProgress, type Progress } from './progress.ts'
import { noVerb } from './usage.ts'

/**
 * `quire audit export`: the sealed records of the audit trail as lines of JSON, for a system that keeps them elsewhere. It
 * reads the store, also beside the server. With `--state` it goes on where the last one ended: the file is written once
 * the lines are out, so a kill in between repeats lines, and loses none.
 */
export const runAudit: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { since: { type: 'string' }, state: { type: 'string' }, follow: { type: 'boolean', short: 'f' } },
    allowPositionals: true,
  })
  const [verb, ...more] = positionals
  if (verb !== 'export') throw new UsageError(noVerb('audit', verb, ['export']))
  if (more.length > 0) throw new UsageError('"quire audit export" takes no argument')
  if (values.state !== undefined) folderNamed(values.state, 'a file, which is read and written')
  const since = sinceOf(values.since)
  const kept = values.state === undefined ? undefined : readState(values.state)
  const { databaseUrl } = context.prepare()
  const database = await openDatabase(databaseUrl, { readOnly: true })
  const isReplaced = replacementOf(databaseUrl)
  // Lines that are shown, or that go on for ever, tell by themselves how far it is.
  const progress = createProgress(values.follow || process.stdout.isTTY ? { write() {} } : process.stderr)
  try {
    await requireCurrentSchema(database)
    if (kept !== undefined) await requireSameTrail(database, values.state, kept)
    const begin = typeof since === 'string' ? await positionBefore(database.read, since) : since
    return await exportFrom(database, kept ?? begin, { ...values, progress, isReplaced })
  } finally {
    progress.clear()
    await database.close()
  }
}

interface ExportOptions {
  state?: string | undefined
  follow?: boolean | undefined
  progress: Progress
  /** Whether the database is no longer the one that was opened. */
  isReplaced: () => boolean
}

async function exportFrom(
  database: Database,
  begin: ExportState | number,
  { state, follow, progress, isReplaced }: ExportOptions,
): Promise<ExitCode> {
  const ending = Promise.withResolvers<void>()
  let isEnding = false
  const end = () => {
    isEnding = true
    ending.resolve()
  }
  if (follow) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  let position = typeof begin === 'number' ? begin : begin.position
  /** Undefined while only a position is known, which may be one that the trail has yet to come to. */
  let last = typeof begin === 'number' ? undefined : begin
  let code: ExitCode = 0
  for (;;) {
    for await (const batch of exportRecords(database.read, position)) {
      for (const problem of batch.broken) process.stderr.write(`quire: ${problem}; "quire verify" says more\n`)
      if (batch.broken.length > 0) code = 1
      await written(batch.lines.map(({ json }) => `${forTerminal(json)}\n`).join(''))
      position = batch.position
      progress.tell(`exporting the audit trail: position ${position}`)
      const newest = batch.lines.at(-1)
      last = newest?.position === position ? { position, hash: newest.hash } : { position }
      if (state !== undefined) writeState(state, last)
      if (isEnding) return code
    }
    if (!follow || isEnding) return code
    await Promise.race([Bun.sleep(limits.auditFollowMs), ending.promise])
    const why = isReplaced()
      ? 'the database was replaced'
      : last === undefined
        ? undefined
        : await otherTrail(database.read, last)
    if (why !== undefined) {
      throw new CommandFailure(
        `${why}, as after a restore, and this export follows what was there before, up to position ${position}; start it again`,
      )
    }
  }
}

/** A file that was replaced can be read as long as it is open, and nothing new comes into it. */
function replacementOf(databaseUrl: string): () => boolean {
  if (!databaseUrl.startsWith('file:')) return () => false
  const path = databaseUrl.slice('file:'.length)
  const opened = identityOf(path)
  return () => identityOf(path) !== opened
}

/** Resolves once the reader's side has it. @throws CommandFailure when nobody reads any more */
function written(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === null || error === undefined) resolve()
      else reject(new CommandFailure(`the lines could not be written (${detailOf(error) ?? error.message})`))
    })
  })
}

function sinceOf(text: string | undefined): number | Instant {
  if (text === undefined) return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const at = parseInstant(text)
  if (at === undefined) {
    throw new UsageError(`--since takes a position, or an instant such as 2026-11-23T00:00:00Z, not "${text}"`)
  }
  return at
}

/** @throws CommandFailure if the store was restored since, or its trail rewritten: records would be left out silently */
async function requireSameTrail(database: Database, path: string | undefined, kept: ExportState): Promise<void> {
  const why = await otherTrail(database.read, kept)
  if (why === undefined) return
  throw new CommandFailure(
    `${path} is not of this trail: ${why}. Was the store put back to an earlier state? Write into the file the last position that both have, or remove it to export everything again`,
  )
}

/** Undefined for a file that doesn't exist yet. */
function readState(path: string): ExportState | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (detailOf(error) === 'ENOENT') return undefined
    throw new CommandFailure(`${path} can't be read (${detailOf(error)})`)
  }
  const [, position, hash] = /^(\d{1,15})(?: ([0-9a-f]{64}))?$/.exec(text) ?? []
  if (position === undefined)
    throw new CommandFailure(`${path} holds no position; remove it to export everything again`)
  return { position: Number(position), hash }
}

function writeState(path: string, { position, hash }: ExportState): void {
  try {
    const text = hash === undefined ? `${position}\n` : `${position} ${hash}\n`
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  } catch (error) {
    removeDraft(`${path}.new`)
    throw new CommandFailure(`${path} can't be written (${detailOf(error)}); the next export repeats these lines`)
  }
}
