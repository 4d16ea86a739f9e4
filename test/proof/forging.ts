import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { canonicalHash } from '../../src/core/canonical.ts'
import { instantOf } from '../../src/core/instant.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { signingKeyOf } from '../../src/core/signing-key.ts'
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { signedHead, signHead } from '../../src/modules/audit/audit.heads.ts'
import { linkOf } from '../../src/modules/audit/audit.service.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'

/** A store that nobody serves, with executions that have ended. */
export interface ProvedStore {
  folder: string
  letter: string
  /** A child of the letter. */
  notice: string
  failed: string
}

type Made = Omit<ProvedStore, 'folder'> & { files: readonly { path: string; bytes: Uint8Array; mode: number }[] }

let made: Promise<Made> | undefined

/** A copy of a store that is made once, since that takes a server. */
export async function storeToProve(): Promise<ProvedStore> {
  made ??= makeStore()
  const { files, ...executions } = await made
  const folder = temporaryFolder()
  for (const { path, bytes, mode } of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, path), bytes, { mode })
  }
  return { folder, ...executions }
}

/** The letter's template includes another, which its proof has to have as well. */
const including = {
  'templates/greeting.docx': wordPackage(p('Dear {{/name}} of {{/place}},') + p('{{> closing}}')),
  'templates/closing.docx': wordPackage(p('Yours, {{/name}}')),
}

/** In memory: its folder goes with the first tests that asked for one. */
async function makeStore(): Promise<Made> {
  const quire = await startQuire({ environment: { QUIRE_AUDIT_HEADS: 'heads.jsonl' } })
  const { folder } = quire
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const server = { QUIRE_SERVER: quire.origin, QUIRE_USERNAME: quire.username, QUIRE_PASSWORD: quire.password }
  const applied = await runCommand(folderWith({ ...greeting, ...including }), ['apply', '.'], server)
  if (applied.code !== 0) throw new Error(applied.stdout + applied.stderr)
  const submit = async (rawInput: string) => {
    const object_reference = 'BOB-7'
    const body = { ingestion_model: 'greeting', raw_input: rawInput, params: { place: 'Lille' }, object_reference }
    const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
    if (answer.status !== 201 && answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    const ids: string[] = answer.body.submission.executions.map(({ id }: { id: string }) => id)
    for (const id of ids) await untilEnded(client, id)
    return ids
  }
  const [letter = '', notice = ''] = await submit('{"name":"Bob","owes":7}')
  const [failed = ''] = await submit('{"name":7,"owes":0}')
  if ((await quire.stop()) !== 0) throw new Error(await quire.log())
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries.map(({ parentPath, name }) => {
    const path = join(parentPath, name)
    return { path: relative(folder, path), bytes: readFileSync(path), mode: statSync(path).mode & 0o777 }
  })
  return { letter, notice, failed, files }
}

export const prove = (folder: string, id: string, output: string, ...more: string[]) =>
  runCommand(folder, ['prove', id, '-o', output, ...more])

/** The proof of an execution of the store. */
export async function proofOf({ folder }: Pick<ProvedStore, 'folder'>, id: string): Promise<Uint8Array> {
  const made = await prove(folder, id, 'proof.zip')
  if (made.code !== 0) throw new Error(made.stderr)
  return new Uint8Array(await Bun.file(join(folder, 'proof.zip')).arrayBuffer())
}

export type Files = Map<string, Uint8Array>

export function filesOf(bytes: Uint8Array): Files {
  const zip = readZip(bytes)
  if (!zip.ok) throw new Error('the proof is a zip')
  return new Map(
    zip.value.names.map((name) => {
      const data = zip.value.read(name)
      if (!data.ok) throw new Error(`${name} can be read`)
      return [name, data.value]
    }),
  )
}

export const zipOf = (files: Files): Uint8Array => writeZip([...files].map(([name, data]) => ({ name, data })))

/** What somebody can do who has no key of the store: new records of the states as they are here, and a head of their own. */
export function signAnew(json: JsonObject, key: ReturnType<typeof signingKeyOf>): void {
  const { submission, executions, model, paths } = json as unknown as {
    submission: Covered
    executions: Covered[]
    model: Covered
    paths: { from: number; previous_hash: string; links: [string, string | null][]; head: JsonObject }[]
  }
  for (const { record, position, path, state } of [submission, ...executions, model]) {
    const along = paths[path]
    if (along !== undefined) along.links[position - along.from] = [canonicalHash(record), canonicalHash(state)]
  }
  for (const path of paths) {
    const hash = path.links.reduce(
      (previous, [contentHash, digest], index) => linkOf({ contentHash, digest }, path.from + index, previous),
      path.previous_hash,
    )
    const { store, position, at } = path.head
    const head = { store: String(store), position: Number(position), at: instantOf(String(at)), hash }
    path.head = signedHead(signHead(head, key))
  }
}

export interface Covered {
  record: JsonObject
  position: number
  path: number
  state: JsonObject
}
