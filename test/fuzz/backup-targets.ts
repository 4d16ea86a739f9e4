import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { checkBackup } from '../../src/commands/backup-check.ts'
import { type BackupKey, isEncrypted, readIdentities } from '../../src/commands/backup-encryption.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { canonicalHash } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { checkProof } from '../../src/proof/check.ts'
import { proofEntry, proofFormat } from '../../src/proof/format.ts'
import type { Target } from './target.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
/** What a problem says, without what it says it about. */
const kindOf = (problem: string): string => problem.replace(/["'`].*["'`]|[0-9a-f]{16,}|\d+|\S*\/\S*/gs, '')
const kindsOf = (problems: readonly string[]): string => [...new Set(problems.map(kindOf))].sort().join()

const block = 512
/** A tar as backups are: headers of `ustar` with a sum, and contents in whole blocks. */
function tarOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const header = new Uint8Array(block)
    const put = (text: string, at: number) => header.set(utf8(text), at)
    put(name, 0)
    put(`0000600\0`, 100)
    put(`${content.length.toString(8).padStart(11, '0')} `, 124)
    put('        0', 148)
    put('ustar\x0000', 257)
    put(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [header, content, new Uint8Array((block - (content.length % block)) % block)]
  })
  return Buffer.concat([...parts, new Uint8Array(2 * block)])
}

function backupOf(rows: string): Uint8Array {
  const object = utf8('a document')
  const tables = [
    { name: 'notices', columns: ['id'], key: ['id'], rows: rows.split('\n').length - 1, sha256: sha256Hex(rows) },
  ]
  const manifest = {
    ...{ format: 'quire-backup-1', made_at: '2026-11-29T10:00:00.000Z', product_version: '0.33.0', revision: 'x' },
    ...{ migrations: ['0000_initial'], tables, objects: { count: 1, bytes: object.length } },
  }
  return tarOf({
    'tables/notices.ndjson': utf8(rows),
    [`objects/${sha256Hex(object)}`]: object,
    'manifest.json': utf8(JSON.stringify({ ...manifest, manifest_hash: canonicalHash(manifest) })),
  })
}

const folder = mkdtempSync(join(tmpdir(), 'quire-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const identity = await generateIdentity()
const encrypter = new Encrypter()
encrypter.addRecipient(await identityToRecipient(identity))
const encrypted = await encrypter.encrypt(backupOf('["a"]\n'))
const identityFile = join(folder, 'identity.txt')
writeFileSync(identityFile, `${identity}\n`)
const key: BackupKey = await readIdentities(identityFile)

const backup: Target = {
  name: 'backup',
  shortRound: 40,
  leastOutcomes: 3,
  words: [
    'ustar',
    '\0',
    '00000000000 ',
    '77777777777 ',
    'tables/',
    'objects/',
    '../',
    'manifest.json',
    '["a"]\n',
    'age-encryption.org/v1\n',
    '-> X25519 ',
    '\n--- ',
  ],
  maxBytes: 20_000,
  seeds: () => [backupOf('["a"]\n["b"]\n'), backupOf(''), encrypted],
  async run(bytes) {
    const path = join(folder, `backup.tar${isEncrypted(bytes) ? '.age' : ''}`)
    writeFileSync(path, bytes)
    const checked = await checkBackup(path, isEncrypted(bytes) ? { key } : {})
    return 'problems' in checked ? kindsOf(checked.problems) : `${checked.manifest.tables.length} tables`
  },
}

const identities: Target = {
  name: 'identity',
  shortRound: 150,
  leastOutcomes: 3,
  words: ['AGE-SECRET-KEY-1', 'age1', '# ', '\n', '\r\n', '-----BEGIN AGE ', 'age-encryption.org/v1', '\0'],
  maxBytes: 500,
  seeds: () => [utf8(`# made\n${identity}\n`), utf8(identity.toLowerCase())],
  async run(bytes) {
    const path = join(folder, 'one.txt')
    writeFileSync(path, bytes)
    try {
      await readIdentities(path)
      return 'read'
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      if (error.message.includes(identity.slice(20))) throw new Error('a message has the identity')
      return kindOf(error.message)
    }
  },
}

const id = '01a224c6-6eb1-764a-a3c2-d187d83f337d'
const someProof = {
  ...{ format: proofFormat, made_by: { product_version: '0.33.0', engine_revision: 'x' }, execution: id },
  ...{ submission: {}, executions: [{}], paths: [{}], files: [] },
}

const proof: Target = {
  name: 'proof',
  shortRound: 100,
  leastOutcomes: 3,
  words: [
    '"quire-proof-2"',
    '"removals":[]',
    '"files":[{}]',
    '"state":{',
    '"records":[',
    '}',
    ']',
    'null',
    `"${id}"`,
    '-1',
    '1e9',
  ],
  maxBytes: 20_000,
  seeds: () => [utf8(JSON.stringify(someProof)), writeZip([{ name: proofEntry, data: utf8('{}') }])],
  async run(bytes) {
    // As the zip, and as what is in one: changes of compressed bytes seldom get past their sum.
    const wrapped = writeZip([{ name: proofEntry, data: bytes }])
    const run = () => Promise.reject(new Error('a proof with problems is not made again'))
    const checked = [await checkProof(bytes, { run, heads: [] }), await checkProof(wrapped, { run, heads: [] })]
    return checked.map(({ problems }) => kindsOf(problems)).join(' | ')
  },
}

export const backupTargets: readonly Target[] = [backup, identities, proof]
