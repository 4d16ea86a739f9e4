import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { integrityFaults } from './integrity.ts'
import { canOpen, textsInOffice } from './office.ts'
import { realTemplates } from './real-life.ts'

/** Every template as the `docx` package writes it, and as LibreOffice does (`fixtures/make.ts`). */
const templates: Record<string, { bytes: Uint8Array; template: (typeof realTemplates)[number] }> = {}
for (const template of realTemplates) {
  templates[template.name] = { template, bytes: await template.build() }
  const path = join(import.meta.dir, 'fixtures', `libreoffice ${template.name}.docx`)
  if (!existsSync(path)) throw new Error(`the fixture ${path} is missing`)
  templates[`libreoffice ${template.name}`] = { template, bytes: new Uint8Array(readFileSync(path)) }
}

function composed(name: string): Uint8Array {
  const { bytes, template } = templates[name]!
  const compiled = compileTemplate(bytes)
  if (!compiled.ok) throw new Error(`${name}: ${JSON.stringify(compiled.findings, null, 1)}`)
  const result = composeTemplate(compiled.value, template.data)
  if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.findings, null, 1)}`)
  return result.value
}

describe('templates from real life', () => {
  test.each(Object.keys(templates))('%s composes into a package with nothing to repair', (name) => {
    const opened = openPackage(composed(name))
    if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
    // LibreOffice itself writes some properties twice; what it wrote is not ours to mend.
    const template = openPackage(templates[name]!.bytes)
    const known = new Set(template.ok ? integrityFaults(template.value) : [])
    expect(integrityFaults(opened.value).filter((fault) => !known.has(fault))).toEqual([])
    for (const part of opened.value.parts.filter((one) => one.endsWith('.xml'))) {
      const document = opened.value.readXmlDocument(part)
      expect(document.ok && !document.value.source.includes('{{')).toBe(true)
    }
  })

  test.skipIf(!canOpen)(
    'open in LibreOffice, which shows every value in its place and no tag',
    () => {
      const files = Object.fromEntries(Object.keys(templates).map((name) => [name, composed(name)]))
      const texts = textsInOffice(files)
      for (const [name, { template }] of Object.entries(templates)) {
        const text = texts[name]
        if (text === undefined) throw new Error(`${name} could not be opened`)
        let at = 0
        for (const expected of template.expected) {
          const found = text.indexOf(expected, at)
          expect([name, expected, found >= 0 ? '' : text]).toEqual([name, expected, ''])
          if (!name.includes('policy')) at = found
        }
        for (const absent of [...template.absent, '{{', '}}']) {
          expect([name, text.includes(absent) ? absent : '']).toEqual([name, ''])
        }
      }
    },
    120_000,
  )
})
