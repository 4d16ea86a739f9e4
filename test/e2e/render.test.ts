import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../../src/engines/pdf/pdf.ts'
import { p, wordDocument } from '../engines/pdf/word.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { findBinary } from '../support/quire.ts'

test('the executable renders the same bytes as the source, from its packed fonts, patterns and shaper', async () => {
  const body = [
    p('A considerable administration of extraordinary characteristics'),
    p('Eine Donaudampfschifffahrtsgesellschaft mit Verwaltungsangelegenheiten', '', '<w:lang w:val="de-DE"/>'),
    p('Grüße und שלום', '<w:bidi/>', '<w:rtl/>'),
  ]
  const docx = wordDocument(body.join(''), { settings: '<w:autoHyphenation/>' })
  const outcome = renderPdf(docx, { fonts: embeddedFonts() })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))

  const folder = temporaryFolder('quire-render-')
  await Bun.write(join(folder, 'in.docx'), docx)
  const settings = { cwd: folder, env: bareEnvironment }
  const run = Bun.spawnSync([findBinary(), 'render', 'in.docx', '-o', 'out.pdf'], settings)
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ''])
  const made = await Bun.file(join(folder, 'out.pdf')).bytes()
  expect(Buffer.compare(made, outcome.value.pdf)).toBe(0)
  const shown = Bun.spawnSync(['pdftotext', '-layout', 'out.pdf', '-'], { cwd: folder }).stdout.toString()
  expect(shown).toMatch(/\w-$/m)
})
