import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'

/**
 * Documents of public projects (the test folders of docxtemplater, easy-template-x and docx-templates), which are not
 * part of this one: QUIRE_PUBLIC_TEMPLATES names a folder that holds them, and only then is there anything to test.
 */
const folder = process.env.QUIRE_PUBLIC_TEMPLATES

if (folder !== undefined)
  test('every document of public projects is compiled, or refused with places and remedies, in time', () => {
    const files = [...new Bun.Glob('**/*.{docx,dotx,docm}').scanSync({ cwd: folder, dot: true })].sort()
    expect(files.length).toBeGreaterThan(0)
    const tally = new Map<string, number>()
    for (const file of files) {
      const bytes = new Uint8Array(readFileSync(join(folder, file)))
      const started = performance.now()
      const compiled = compileTemplate(bytes)
      const outcome = compiled.ok ? composeTemplate(compiled.value, {}) : compiled
      expect([file, performance.now() - started < 1_000]).toEqual([file, true])
      if (outcome.ok) expect([file, openPackage(outcome.value).ok]).toEqual([file, true])
      else {
        expect([file, outcome.findings.length > 0]).toEqual([file, true])
        for (const { hint, message } of outcome.findings)
          expect([file, message !== '', hint !== '']).toEqual([file, true, true])
      }
      const code = outcome.ok ? 'composed' : outcome.findings.find(({ severity }) => severity === 'error')!.code
      tally.set(code, (tally.get(code) ?? 0) + 1)
    }
    process.stderr.write(`${files.length} public templates: ${JSON.stringify(Object.fromEntries(tally))}\n`)
  }, 120_000)
