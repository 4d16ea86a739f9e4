import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import type { JsonObject, JsonValue } from '../../src/core/json.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { headLine, readHeads, signHead } from '../../src/modules/audit/audit.heads.ts'
import { checkProof } from '../../src/proof/check.ts'
import { createPerformer } from '../../src/runner/perform.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { filesOf, proofOf, prove as proveIn, signAnew, storeToProve, zipOf } from './forging.ts'

/** A store that nobody serves, with a letter, its notice, and an execution that failed. */
let folder: string
let letter: string
let notice: string
let failed: string
/** The proof of the notice, in whose lineage the letter is. */
let proof: Uint8Array

beforeAll(async () => {
  const store = await storeToProve()
  ;({ folder, letter, notice, failed } = store)
  proof = await proofOf(store, notice)
}, 120_000)

const prove = (id: string, output: string, ...more: string[]) => proveIn(folder, id, output, ...more)

/** Where there is nothing but the proof. */
function elsewhere(bytes: Uint8Array): string {
  const empty = temporaryFolder()
  writeFileSync(join(empty, 'proof.zip'), bytes)
  return empty
}
const verify = (bytes: Uint8Array, ...more: string[]) => runCommand(elsewhere(bytes), ['verify', 'proof.zip', ...more])

const performer = createPerformer({ fonts: embeddedFonts })
const here = { run: async (job: Parameters<typeof performer.perform>[0]) => performer.perform(job), heads: [] }

/** The proof with another proof.json, made from its own. */
function rewritten(change: (json: JsonObject) => void): Uint8Array {
  const files = filesOf(proof)
  const json = JSON.parse(new TextDecoder().decode(files.get('proof.json')))
  change(json)
  return zipOf(files.set('proof.json', new TextEncoder().encode(JSON.stringify(json))))
}

describe('quire verify <proof.zip>', () => {
  test('has the templates that the letter’s includes, and notices another in their place', async () => {
    const files = filesOf(proof)
    const name = 'executions/1/fragments/closing.docx'
    expect([...files.keys()]).toContain(name)
    const other = zipOf(
      new Map([...filesOf(proof), [name, files.get('executions/1/template.docx') ?? new Uint8Array()]]),
    )
    const { problems } = await checkProof(other, here)
    expect(problems.join()).toContain('closing.docx')
    const without = rewritten((json) => {
      json.files = (json.files as JsonObject[]).filter(({ role }) => role !== 'fragment')
    })
    expect((await checkProof(without, here)).problems.join()).toContain('the configuration of the execution')
  })

  test('holds where there is nothing but the executable, and makes everything again', async () => {
    const { code, stdout, stderr } = await verify(proof)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`execution ${notice}, completed, of `)
    expect(stdout).toMatch(/made again by this build: \d+ hashes, all the same\n$/)
    // It can be compared with what the store says of itself, and given to --key as it is.
    const key = /signed with the public key ([0-9a-f]{64})\n/.exec(stdout)?.[1] ?? ''
    expect((await runCommand(folder, ['verify'])).stdout).toContain(`"public_key":"${key}"`)
    expect(await verify(proof, '--key', key)).toMatchObject({ code: 0, stderr: '' })
    expect([...filesOf(proof).keys()].toSorted()).toEqual([
      'README.txt',
      ...[
        'contract.json',
        'document.docx',
        'document.pdf',
        'fragments/closing.docx',
        'output.json',
        'template.docx',
        'transformer.yaml',
      ].map((name) => `executions/1/${name}`),
      ...['contract.json', 'output.json', 'transformer.yaml'].map((name) => `executions/2/${name}`),
      'model.yaml',
      'params.json',
      'proof.json',
      'raw-input.json',
    ])
  })

  test('holds for a letter by itself, and for an execution that failed, which fails again', async () => {
    for (const id of [letter, failed]) {
      expect(await prove(id, `${id}.zip`)).toMatchObject({ code: 0, stderr: '' })
      const { code, stdout } = await verify(new Uint8Array(readFileSync(join(folder, `${id}.zip`))))
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`execution ${id}, `) })
    }
  })

  test('names every file that was changed, left out or added', async () => {
    for (const name of filesOf(proof).keys()) {
      if (name === 'README.txt' || name === 'proof.json') continue
      const changed = filesOf(proof)
      const bytes = changed.get(name)?.slice() ?? new Uint8Array()
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      const altered = await checkProof(zipOf(changed.set(name, bytes)), here)
      expect(altered.problems.join()).toContain(`the file ${name} is not what proof.json names`)
      const without = filesOf(proof)
      without.delete(name)
      expect((await checkProof(zipOf(without), here)).problems.join()).toContain(`the file ${name} is missing`)
    }
    const more = filesOf(proof).set('executions/2/document.pdf', new TextEncoder().encode('%PDF-'))
    expect((await checkProof(zipOf(more), here)).problems).toEqual([
      'nothing proves the file executions/2/document.pdf',
    ])
  })

  test('notices every value of proof.json that is changed, except for what says how the proof was made', async () => {
    const said = /^\/(?:made_by\/|files\/\d+\/(?:format|reading)$)/
    const unnoticed: string[] = []
    for (const path of pathsOf(JSON.parse(new TextDecoder().decode(filesOf(proof).get('proof.json'))))) {
      if (said.test(path)) continue
      const run = () => Promise.reject(new Error('nothing is made again of what is not proved'))
      const { problems } = await checkProof(
        rewritten((json) => change(json, path)),
        { run, heads: [] },
      )
      if (problems.length === 0) unnoticed.push(path)
    }
    expect(unnoticed).toEqual([])
  }, 120_000)

  test('notices a document that was put in place of another, with all the hashes that name it', async () => {
    const files = filesOf(proof)
    const forged = new TextEncoder().encode('%PDF-1.7 forged')
    const other = sha256Hex(forged)
    const text = new TextDecoder().decode(files.get('proof.json'))
    const before = sha256Hex(files.get('executions/1/document.pdf') ?? '')
    files
      .set('executions/1/document.pdf', forged)
      .set('proof.json', new TextEncoder().encode(text.replaceAll(before, other)))
    expect((await checkProof(zipOf(files), here)).problems).toContain(
      `the execution ${letter} is not in the state that the trail covers`,
    )
  })

  test('tells a proof that somebody signed with a key of their own from one of the store', async () => {
    const own = signingKeyOf('a'.repeat(64))
    const forged = rewritten((json) => signAnew(json, own))
    expect((await checkProof(forged, here)).problems).toEqual([])
    const head = JSON.parse(readFileSync(join(folder, 'heads.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '')
    expect(await verify(proof, '--key', head.public_key)).toMatchObject({ code: 0 })
    const { code, stderr } = await verify(forged, '--key', head.public_key)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is signed with another key') })
  })

  test('says of a forged state that no engine makes it, although its signature holds', async () => {
    const files = filesOf(proof)
    const text = new TextDecoder().decode(files.get('executions/2/output.json'))
    const output = new TextEncoder().encode(text.replace('7', '8'))
    const hashes = [text, output].map((content) => sha256Hex(content))
    const json = JSON.parse(
      new TextDecoder().decode(files.get('proof.json')).replaceAll(hashes[0] ?? '', hashes[1] ?? ''),
    )
    signAnew(json, signingKeyOf('a'.repeat(64)))
    files.set('executions/2/output.json', output).set('proof.json', new TextEncoder().encode(JSON.stringify(json)))
    expect(await verify(zipOf(files))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`the output of the execution ${notice} comes out otherwise`),
    })
  })

  test('holds against heads that were kept where the proof leads to one of them, and is refused where not', async () => {
    const kept = join(folder, 'heads.jsonl')
    expect(await prove(letter, 'kept.zip', '--head', kept)).toMatchObject({ code: 0, stderr: '' })
    const bytes = new Uint8Array(readFileSync(join(folder, 'kept.zip')))
    expect(await verify(bytes, '--head', kept)).toMatchObject({ code: 0, stderr: '' })
    const heads = readHeads(readFileSync(kept, 'utf8'))
    const [led] = JSON.parse(new TextDecoder().decode(filesOf(bytes).get('proof.json'))).paths
    const last = heads.ok ? heads.value.find(({ position }) => position === led.head.position) : undefined
    if (last === undefined) throw new Error('a head was kept')
    const others = join(temporaryFolder(), 'heads.jsonl')
    writeFileSync(others, headLine(signHead({ ...last, hash: 'f'.repeat(64) }, signingKeyOf('b'.repeat(64)))))
    const { code, stderr } = await verify(bytes, '--head', others)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is not the one that was kept') })
    writeFileSync(others, headLine(signHead({ ...last, position: last.position + 1 }, signingKeyOf('b'.repeat(64)))))
    expect((await verify(bytes, '--head', others)).stderr).toContain('no kept head is at position')
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['a zip that is no proof', zipOf(new Map([['a.txt', new Uint8Array([1])]]))],
    [
      'a proof.json of another shape',
      zipOf(new Map([['proof.json', new TextEncoder().encode('{"format":"quire-proof-1"}')]])),
    ],
    ['a proof.json that is no JSON', zipOf(new Map([['proof.json', new TextEncoder().encode('{')]]))],
  ])('refuses %s with a reason', async (_what, bytes) => {
    const { code, stdout, stderr } = await verify(bytes)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toStartWith('quire: proof.zip: ')
  })
})

test('is checked by the steps of docs/proofs.md alone, with nothing of Quire but an unzipped folder', () => {
  const files = filesOf(proof)
  const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_key, member) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
        : member,
    )
  const {
    submission,
    executions,
    model,
    paths,
    files: listed,
    execution,
  } = JSON.parse(new TextDecoder().decode(files.get('proof.json')))
  for (const { from, previous_hash, links, head } of paths) {
    let hash = previous_hash
    for (const [index, [content_hash, digest]] of links.entries()) {
      hash = sha256(canonical({ position: from + index, previous_hash: hash, content_hash, digest }))
    }
    const { signature, ...said } = head
    expect(said).toMatchObject({ hash, position: from + links.length - 1 })
    const spki = Buffer.from(`302a300506032b6570032100${said.public_key}`, 'hex')
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    expect(verifySignature(null, Buffer.from(canonical(said)), key, Buffer.from(signature, 'hex'))).toBe(true)
  }
  for (const { record, state, position, path } of [submission, ...executions, model]) {
    expect(paths[path].links[position - paths[path].from]).toEqual([
      sha256(canonical(record)),
      sha256(canonical(state)),
    ])
  }
  for (const { name, sha256: expected } of listed) expect(sha256(files.get(name) ?? '')).toBe(expected)
  const hashOf = (role: string, of?: string) =>
    listed.find((file: { role: string; execution?: string }) => file.role === role && file.execution === of)?.sha256
  const { submission: handedIn, executions: planned } = submission.state
  expect([hashOf('raw_input'), hashOf('params')]).toEqual([handedIn.raw_input_hash, handedIn.params_hash])
  const version = model.state.versions.find(({ id }: { id: string }) => id === handedIn.model_version_id)
  expect(hashOf('model')).toBe(version.content_hash)
  let parent: string | null = null
  for (const { state } of executions) {
    const { id, output_hash } = state.execution
    const [contract, transformer, template = null] = ['contract', 'transformer', 'template'].map((role) =>
      hashOf(role, id),
    )
    const processing_kind = template === null ? 'transformation' : 'document_generation'
    const included = listed
      .filter((file: { role: string; execution?: string }) => file.role === 'fragment' && file.execution === id)
      .map(({ slug, sha256: hash }: { slug: string; sha256: string }) => ({ slug, hash }))
    const fragments = included.length === 0 ? {} : { fragments: included }
    expect(planned.find((one: { id: string }) => one.id === id)).toMatchObject({
      parent_execution_id: parent,
      release_hash: sha256(canonical({ contract, transformer, template, processing_kind, ...fragments })),
    })
    expect(hashOf('output', id)).toBe(output_hash)
    for (const { kind, content_hash } of state.artifacts) expect(hashOf(kind, id)).toBe(content_hash)
    parent = id
  }
  expect(parent).toBe(execution)
})

describe('quire prove', () => {
  test('gives the same bytes each time', async () => {
    expect(await prove(notice, 'again.zip')).toMatchObject({ code: 0 })
    expect(Buffer.compare(readFileSync(join(folder, 'again.zip')), proof)).toBe(0)
  })

  test('refuses an unknown execution, and one whose state is not what the trail covers', async () => {
    expect(await prove(crypto.randomUUID(), 'none.zip')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no execution'),
    })
    expect(await prove('letter', 'none.zip')).toMatchObject({ code: 2 })
    const copy = temporaryFolder()
    expect(await runCommand(folder, ['backup', join(copy, 'all.tar')])).toMatchObject({ code: 0 })
    expect(await runCommand(copy, ['restore', 'all.tar'])).toMatchObject({ code: 0 })
    rmSync(join(copy, 'all.tar'))
    const { Database } = await import('bun:sqlite')
    const database = new Database(join(copy, 'quire-data/quire.db'))
    database.exec(`update submissions set object_reference = 'another'`)
    database.close()
    expect(await runCommand(copy, ['prove', letter, '-o', 'none.zip'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not what the audit trail covers at position'),
    })
  })
})

/** JSON Pointers of all values that are neither objects nor arrays; those of keys that a state may hold are among them. */
function pathsOf(value: JsonValue, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, member]) => pathsOf(member ?? null, `${at}/${key}`))
}

function change(json: JsonObject, path: string): void {
  const keys = path.slice(1).split('/')
  const last = keys.pop() ?? ''
  let holder: Record<string, JsonValue> = json
  for (const key of keys) holder = holder[key] as Record<string, JsonValue>
  const value = holder[last]
  // Paths may overlap, so that the next one leads to a head as well.
  if (typeof value === 'number') holder[last] = last === 'path' ? value + 100 : value + 1
  else if (typeof value === 'boolean') holder[last] = !value
  else if (typeof value === 'string')
    holder[last] = /^[0-9a-f]/.test(value) ? value.replace(/^./, (c) => (c === '0' ? '1' : '0')) : `x${value}`
  else holder[last] = 'x'
}
