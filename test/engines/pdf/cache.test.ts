import { describe, expect, test } from 'bun:test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { createRenderCache } from '../../../src/engines/pdf/cache.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { letterDocx, reportDocx } from './documents.ts'

const fonts = embeddedFonts()

function rendering(docx: Uint8Array, cache?: ReturnType<typeof createRenderCache>) {
  const outcome = renderPdf(docx, cache ? { fonts, cache } : { fonts })
  if (!outcome.ok) throw new Error('not rendered')
  return outcome.value
}

describe('the cache of a process', () => {
  test('never changes a byte, whether it is empty, warm, filled by other documents or too small for anything', async () => {
    const letter = await letterDocx()
    const report = await reportDocx(2)
    const [wantedLetter, wantedReport] = [rendering(letter).pdf, rendering(report).pdf]
    for (const maxBytes of [0, 20_000, 10_000_000]) {
      const cache = createRenderCache({ maxBytes })
      for (let round = 0; round < 2; round++) {
        expect(Buffer.compare(rendering(report, cache).pdf, wantedReport)).toBe(0)
        expect(Buffer.compare(rendering(letter, cache).pdf, wantedLetter)).toBe(0)
      }
    }
  })

  test('makes each thing once, keeps what was used last and stays within its size', () => {
    const cache = createRenderCache({ maxBytes: 10_000 })
    let made = 0
    const get = (key: string, bytes = 1_500) => cache.once(key, () => ({ value: ++made, bytes }))
    const first = get('a')
    expect(get('a')).toBe(first)
    expect(made).toBe(1)
    for (const key of ['b', 'c', 'd']) get(key)
    get('a')
    for (const key of ['e', 'f']) get(key)
    expect(get('a')).toBe(first)
    const before = made
    get('b')
    expect(made).toBe(before + 1)
    // What alone would take more than a quarter is made anew each time and pushes nothing out.
    get('huge', 5_000)
    get('huge', 5_000)
    expect(made).toBe(before + 3)
    expect(get('a')).toBe(first)
  })

  test('still reports a style sheet that cannot be read', async () => {
    const files = unzipSync(await letterDocx())
    files['word/styles.xml'] = strToU8('<w:styles><broken')
    const docx = zipSync(files)
    const cache = createRenderCache({ maxBytes: 10_000_000 })
    for (let round = 0; round < 2; round++) {
      const codes = rendering(docx, cache).report.map((finding) => finding.code)
      expect(codes).toContain('render.part_unreadable')
    }
  })

  test('keeps faces of the same name apart', () => {
    const cache = createRenderCache({ maxBytes: 1_000 })
    const [a, b] = [{}, {}]
    expect(cache.nameOf(a)).toBe(cache.nameOf(a))
    expect(cache.nameOf(a)).not.toBe(cache.nameOf(b))
  })
})
