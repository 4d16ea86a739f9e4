/** Proofs that somebody has changed in ways that leave all hashes and signatures as they are. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { checkProof } from '../../src/proof/check.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { type Files, filesOf, type ProvedStore, proofOf, signAnew, storeToProve, zipOf } from './forging.ts'

let store: ProvedStore
/** The proof of the notice, in whose lineage the letter is. */
let proof: Uint8Array

beforeAll(async () => {
  store = await storeToProve()
  proof = await proofOf(store, store.notice)
}, 120_000)

interface Listed {
  name: string
  role: string
  sha256: string
  execution?: string
}

// biome-ignore lint/suspicious/noExplicitAny: forgers change any field
type Changed = any

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (files: Files) => new TextDecoder().decode(files.get('proof.json'))

function forged(change: (json: Changed, files: Files) => void, write = JSON.stringify): Uint8Array {
  const files = filesOf(proof)
  const json = JSON.parse(textOf(files))
  change(json, files)
  return zipOf(files.set('proof.json', bytesOf(write(json))))
}

const listed = ({ files }: Changed, role: string): Listed => files.find((file: Listed) => file.role === role)

/** Another file under a name of the proof; what was there keeps its place under a name of its own. */
function putInPlace(role: string, told: Partial<Listed>): Uint8Array {
  return forged((json, files) => {
    const file = listed(json, role)
    const { name } = file
    const other = bytesOf('%PDF-1.7 forged')
    files.set(`real-${role}`, files.get(name) ?? bytesOf('')).set(name, other)
    file.name = `real-${role}`
    json.files.push({ name, role, sha256: sha256Hex(other), ...told })
  })
}

function swapped(one: string, other: string): Uint8Array {
  return forged((json, files) => {
    const [first, second] = [listed(json, one), listed(json, other)]
    const [content, others] = [files.get(first.name), files.get(second.name)]
    files.set(first.name, others ?? bytesOf('')).set(second.name, content ?? bytesOf(''))
    ;[first.name, second.name] = [second.name, first.name]
  })
}

const run = () => Promise.reject(new Error('nothing is made again of what is not proved'))
const problemsOf = async (bytes: Uint8Array) => (await checkProof(bytes, { run, heads: [] })).problems.join('\n')
const nobody = '00000000-0000-4000-8000-000000000000'

describe('a proof is refused', () => {
  test.each([
    ['document.pdf', 'pdf', 'none', {}],
    ['document.pdf', 'pdf', 'another execution', { execution: nobody }],
    ['document.docx', 'docx', 'another execution', { execution: nobody }],
    ['output.json', 'output', 'none', {}],
    ['raw-input.json', 'raw_input', 'another execution', { execution: nobody }],
    ['params.json', 'params', 'another execution', { execution: nobody }],
  ])('with another file in the place of %s, listed as the %s of %s', async (name, role, _of, told) => {
    const problems = await problemsOf(putInPlace(role, told))
    expect(problems).toMatch(new RegExp(`nothing proves that the file \\S*${name} is what its name says`))
    expect(problems).toContain(`nothing proves that the file real-${role} is what its name says`)
  })

  test.each([
    ['raw_input', 'params'],
    ['docx', 'template'],
    ['pdf', 'docx'],
  ])('with the names of %s and %s exchanged', async (one, other) => {
    expect(await problemsOf(swapped(one, other))).toContain('is what its name says')
  })

  test('with a file more that is listed in a role of no execution', async () => {
    const more = forged((json, files) => {
      const file = bytesOf('a letter')
      files.set('letter.pdf', file)
      json.files.push({ name: 'letter.pdf', role: 'pdf', sha256: sha256Hex(file), execution: nobody })
    })
    expect(await problemsOf(more)).toContain('nothing proves that the file letter.pdf is what its name says')
  })

  test('with one entry that is listed many times, which would be inflated as often', async () => {
    const often = forged((json) => {
      for (let index = 0; index < 50; index++) {
        json.files.push({
          ...listed(json, 'raw_input'),
          execution: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
        })
      }
    })
    expect((await problemsOf(often)).split('\n')).toHaveLength(50)
  })

  test('with a folder that has content', async () => {
    const files = filesOf(proof).set('executions/2/document.pdf/', bytesOf('%PDF-'))
    expect(await problemsOf(zipOf(files))).toBe('nothing proves the file executions/2/document.pdf/')
  })

  test('with a head that says more than its signature covers', async () => {
    const more = forged(({ paths }) => {
      for (const { head } of paths) head.note = 'seen by the auditors'
    })
    expect(await problemsOf(more)).toMatch(/^the path from position \d+ leads to no head/)
  })

  test('with a byte order mark, or bytes that are no UTF-8', async () => {
    const marked = forged(
      () => {},
      (json) => `\ufeff${JSON.stringify(json)}`,
    )
    expect(await problemsOf(marked)).toStartWith('proof.json: ')
    const files = filesOf(proof)
    const bytes = bytesOf(textOf(files).replace('"product_version":', '"x":"?","product_version":'))
    bytes[bytes.indexOf(0x3f)] = 0xff
    expect(await problemsOf(zipOf(files.set('proof.json', bytes)))).toStartWith('proof.json: ')
  })
})

describe('quire verify says of a proof', () => {
  const verify = (bytes: Uint8Array) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'proof.zip'), bytes)
    return runCommand(folder, ['verify', 'proof.zip'])
  }
  const own = signingKeyOf('a'.repeat(64))

  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be printed
  const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/

  test('nothing that would move the cursor of a terminal', async () => {
    const named = await verify(
      forged((json) => {
        json.files[0].name = '\u001b[2J\u009b1A all as recorded\r\nx'
      }),
    )
    expect(named.code).toBe(1)
    expect(named.stderr).not.toMatch(controls)
    expect(named.stderr.split('\n').every((line) => line === '' || line.startsWith('quire: proof.zip: '))).toBe(true)
    const signed = await verify(
      forged((json) => {
        json.submission.state.submission.object_reference = 'A-1\u001b[1A\nsigned with the key 0'
        signAnew(json, own)
      }),
    )
    expect(signed.code).toBe(0)
    expect(signed.stdout).not.toMatch(controls)
    expect(signed.stdout).not.toMatch(/^signed with/m)
  })

  test('what in a state that somebody signed is none, and that in one line', async () => {
    const timeless = await verify(
      forged((json) => {
        json.submission.state.submission.created_at = 'lately'
        signAnew(json, own)
      }),
    )
    expect(timeless).toMatchObject({
      code: 1,
      stderr: 'quire: proof.zip: the submission does not say when it was made\n',
    })
    const stepless = await verify(
      forged((json) => {
        json.executions[0].state.steps[0].name = 'toString'
        signAnew(json, own)
      }),
    )
    expect(stepless.code).toBe(1)
    expect(stepless.stderr).toMatch(/^quire: proof\.zip: proof\.json: .*steps\[0\]\.name.*\n$/)
  })
})
