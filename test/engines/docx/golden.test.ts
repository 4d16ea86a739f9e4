import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { features } from './features.ts'
import { integrityFaults } from './integrity.ts'
import { canOpen, textsInOffice } from './office.ts'

const folder = join(import.meta.dir, 'golden')

/** With QUIRE_WRITE_GOLDEN set, the documents are written anew; look at what changed before keeping it. */
const isWriting = process.env.QUIRE_WRITE_GOLDEN !== undefined

function composed(name: string): Uint8Array {
  const { template, data } = features.find((one) => one.name === name)!
  const compiled = compileTemplate(template)
  const result = compiled.ok ? composeTemplate(compiled.value, data) : compiled
  if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.findings)}`)
  return result.value
}

function partsOf(bytes: Uint8Array): Record<string, string> {
  const opened = openPackage(bytes)
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(integrityFaults(opened.value)).toEqual([])
  const parts: Record<string, string> = {}
  for (const part of opened.value.parts) {
    const read = opened.value.readBytes(part)
    parts[part] = read.ok ? Buffer.from(read.value).toString('latin1') : ''
  }
  return parts
}

describe('the golden documents', () => {
  test.each(features.map(({ name }) => name))('%s: every part has the same bytes as before', (name) => {
    const path = join(folder, `${name}.docx`)
    const bytes = composed(name)
    if (isWriting) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, bytes)
    }
    if (!existsSync(path)) throw new Error(`${path} is missing; write it with QUIRE_WRITE_GOLDEN=1`)
    const golden = new Uint8Array(readFileSync(path))
    expect(partsOf(bytes)).toEqual(partsOf(golden))
    // Byte for byte as well: the compressor is pinned, so the archive is the same on every machine.
    expect(Buffer.from(bytes).equals(Buffer.from(golden))).toBe(true)
  })

  test.skipIf(!canOpen)(
    'all open in LibreOffice without a visible tag',
    () => {
      const texts = textsInOffice(Object.fromEntries(features.map(({ name }) => [name, composed(name)])))
      expect(Object.keys(texts).sort()).toEqual(features.map(({ name }) => name).sort())
      for (const [name, text] of Object.entries(texts)) {
        expect([name, text.includes('{{/') || text.includes('}}')]).toEqual([name, false])
      }
      expect(texts['notes in loops']).toMatch(/on x.*on y/)
      expect(texts['restarted lists']).toMatch(/1\. x 2\. more 1\. y 2\. more/)
      expect(texts['rich blocks']).toMatch(
        /before Title A bold link\. 1\. one .{1,2} ?dot 2\. two A B 1 2 quoted after/,
      )
      expect(texts.sections).toMatch(/^\s*first\s*$/)
    },
    120_000,
  )
})
