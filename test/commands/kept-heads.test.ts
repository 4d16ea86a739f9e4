import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalHash } from '../../src/core/canonical.ts'
import { type Instant, instantOf } from '../../src/core/instant.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { headLine, signHead } from '../../src/modules/audit/audit.heads.ts'
import { CHAIN_START, linkOf } from '../../src/modules/audit/audit.service.ts'
import { ApiClient } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'

/** A store that was served twice; `kept` has the heads of the first time, `later` those of the second as well. */
let folder: string
let early: string
let kept: string
let later: string

async function serveFor(where: string, environment: Record<string, string>): Promise<string> {
  const quire = await startQuire({ folder: where, environment })
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  expect(await quire.stop()).toBe(0)
  return quire.folder
}

beforeAll(async () => {
  folder = temporaryFolder()
  later = join(folder, 'heads.jsonl')
  await serveFor(folder, { QUIRE_AUDIT_HEADS: 'heads.jsonl' })
  early = copyOf(folder)
  kept = join(early, 'heads.jsonl')
  await serveFor(folder, { QUIRE_AUDIT_HEADS: 'heads.jsonl' })
}, 60_000)

function copyOf(where: string): string {
  const copy = temporaryFolder()
  cpSync(where, copy, { recursive: true })
  return copy
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n')
const openStore = (where: string): Libsql => new Libsql(join(where, 'quire-data/quire.db'))

/** What somebody can do who has the database and its key: the whole trail anew, with heads signed for it. */
function rewrite(where: string): void {
  const database = openStore(where)
  const key = signingKeyOf(readFileSync(join(where, 'quire-data/signing-key'), 'utf8').trim())
  database.exec(`update audit_records set correlation_id = 'nobody was here' where action = 'session.opened'`)
  const rows = database.query('select * from audit_records order by position').all() as Record<string, string>[]
  let hash = CHAIN_START
  const hashes = new Map<number, string>()
  for (const row of rows) {
    const { id, actor_id, action, resource_kind, resource_id, correlation_id, at, detail } = row
    const said = {
      id,
      actor_id,
      action,
      resource_kind,
      resource_id,
      correlation_id,
      at,
      detail: JSON.parse(detail ?? ''),
    }
    const contentHash = canonicalHash(JSON.parse(JSON.stringify(said)))
    const position = Number(row.position)
    const previous = hash
    hash = linkOf({ contentHash, digest: row.digest ?? null }, position, previous)
    hashes.set(position, hash)
    database
      .query('update audit_records set content_hash = ?, previous_hash = ?, hash = ? where id = ?')
      .run(contentHash, previous, hash, String(id))
  }
  const heads = database.query('select * from audit_heads').all() as Record<string, string>[]
  for (const { position, store, at } of heads) {
    const one = {
      position: Number(position),
      store: store ?? '',
      at: at as Instant,
      hash: hashes.get(Number(position)) ?? '',
    }
    const { hash, signature } = signHead(one, key)
    database
      .query('update audit_heads set hash = ?, signature = ? where position = ?')
      .run(hash, signature, String(position))
  }
  database.close()
}

describe('a server tells of its signed heads', () => {
  test('in a file, once for each, and with the same head as an event', () => {
    const lines = linesOf(later)
    expect(new Set(lines).size).toBe(lines.length)
    expect(linesOf(kept)).toEqual(lines.slice(0, linesOf(kept).length))
    expect(lines.length).toBeGreaterThan(linesOf(kept).length)
    const database = openStore(folder)
    const events = database
      .query(`select data, published_at from events where aggregate = 'audit' order by sequence`)
      .all()
    const newest = database.query('select position from audit_heads order by position desc').get()
    database.close()
    expect(events.map((event) => JSON.parse((event as { data: string }).data))).toEqual(
      lines.map((line) => JSON.parse(line)),
    )
    expect(events.filter((event) => (event as { published_at: unknown }).published_at === null)).toEqual([])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject(newest as object)
  })

  test('and refuses to start with a file that can never be written', async () => {
    const { code, stderr } = await runCommand(temporaryFolder(), ['serve'], { QUIRE_AUDIT_HEADS: 'none/heads.jsonl' })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('QUIRE_AUDIT_HEADS: there is no folder'),
    })
  })
})

describe('quire verify --head', () => {
  const verify = (where: string, heads: string) => runCommand(where, ['verify', '--head', heads])

  test('finds every head of an honest store, and prints the newest', async () => {
    const { code, stdout, stderr } = await verify(folder, later)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`${linesOf(later).length} kept heads`)
    expect(stdout).toContain(`head of the audit trail: ${linesOf(later).at(-1)}`)
  })

  test('names a trail that was cut with everything after the cut, which an older copy of the store is', async () => {
    expect((await runCommand(early, ['verify'])).code).toBe(0)
    const { code, stderr } = await verify(early, later)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the audit trail was cut: it ends'),
    })
  })

  test('names a trail that was rewritten with the key of the store, which nothing else can notice', async () => {
    const forged = copyOf(folder)
    rewrite(forged)
    expect(await runCommand(forged, ['verify'])).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await verify(forged, kept)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the audit trail was rewritten'),
    })
  })

  test('names a head of another store, one of another key, and one that was changed', async () => {
    const head = JSON.parse(linesOf(later).at(-1) ?? '')
    const own = signingKeyOf(readFileSync(join(folder, 'quire-data/signing-key'), 'utf8').trim())
    const { store, position, hash } = head
    const one = { store, position, hash, at: instantOf(head.at) }
    const file = join(temporaryFolder(), 'heads.jsonl')
    const changed = `${JSON.stringify({ ...head, position: position - 1 })}\n`
    const others =
      headLine(signHead({ ...one, store: crypto.randomUUID() }, own)) +
      headLine(signHead(one, signingKeyOf('7'.repeat(64))))
    writeFileSync(file, changed + others)
    const { code, stderr } = await verify(folder, file)
    expect(code).toBe(1)
    expect(stderr).toContain("does not have its key's signature")
    expect(stderr).toContain('is of the store ')
    expect(stderr).toContain('which is not a key of this store')
  })

  test.each(['', '{}\n', 'nothing', JSON.stringify({ format: 'quire-head-1' })])(
    'refuses the file %j',
    async (text) => {
      const file = join(temporaryFolder(), 'heads.jsonl')
      writeFileSync(file, text)
      const { code, stderr } = await verify(folder, file)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('no head of an audit trail') })
    },
  )

  test('appends the newest head to a file once, and none of a store with a problem', async () => {
    const copy = copyOf(folder)
    for (const _ of [1, 2])
      expect(await runCommand(copy, ['verify', '--save-head', 'own.jsonl'])).toMatchObject({ code: 0 })
    expect(linesOf(join(copy, 'own.jsonl'))).toEqual(linesOf(later).slice(-1))
    const database = openStore(copy)
    database.exec(`update users set roles = '[]'`)
    database.close()
    expect(await runCommand(copy, ['verify', '--save-head', 'other.jsonl'])).toMatchObject({ code: 1 })
    expect(() => linesOf(join(copy, 'other.jsonl'))).toThrow('ENOENT')
  })

  test('appends a head on a line of its own where the file ends within one', async () => {
    const copy = copyOf(folder)
    const [newest = ''] = readFileSync(later, 'utf8').trimEnd().split('\n').slice(-1)
    for (const begun of [readFileSync(kept, 'utf8').trimEnd(), '{"at":"2026-11']) {
      const file = join(copy, 'broken-off.jsonl')
      writeFileSync(file, begun)
      expect(await runCommand(copy, ['verify', '--save-head', file])).toMatchObject({ code: 0 })
      expect(readFileSync(file, 'utf8')).toBe(`${begun}\n${newest}\n`)
    }
    // A line that broke off is named, with the remedy.
    expect(await verify(copy, join(copy, 'broken-off.jsonl'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /: Line 1 is no head of an audit trail\. .* remove one that a full disk broke off\.\n$/,
      ),
    })
  })

  test('is refused beside a backup, which has its own hashes', async () => {
    expect(await runCommand(folder, ['verify', 'copy.tar', '--head', later])).toMatchObject({ code: 2 })
  })
})
