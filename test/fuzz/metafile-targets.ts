import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { layoutDocx } from '../../src/engines/pdf/pdf.ts'
import { bareWmf, emf, emfRecord, record, wmf, wmfRecord, words } from '../engines/pdf/metafile-files.ts'
import { picture, wordDocument } from '../engines/pdf/word.ts'
import { madeEmf, madeWmf } from './made-metafile.ts'
import type { Target } from './target.ts'

function metafile(name: 'emf' | 'wmf', made: NonNullable<Target['made']>, seeds: () => Uint8Array[]): Target {
  return {
    name,
    shortRound: 60,
    leastOutcomes: 15,
    words: ['\x01\0\0\0', '\xff\xff\xff\xff', '\0\0\0\x80', ' EMF', 'EMF+'],
    maxBytes: 20_000,
    seeds,
    made,
    run(bytes) {
      const docx = wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, {
        media: { [`image1.${name}`]: bytes },
      })
      const laid = layoutDocx(docx, { fonts: embeddedFonts() })
      return laid.ok ? shapesOf(laid.value.pages) : laid.findings.map(({ code }) => code).join()
    },
  }
}

/**
 * What was drawn: each kind of frame, with what it has and how its lines end.
 *
 * @throws where a number is none, which no reader of a PDF would take
 */
function shapesOf(pages: readonly unknown[]): string {
  const shapes = new Set<string>()
  JSON.stringify(pages, (key, value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
      return value instanceof Uint8Array ? undefined : value
    // A font is as large as all the rest.
    if (key === 'font') return undefined
    if ('kind' in value || 'dash' in value) {
      const has = Object.keys(value).filter((name) => value[name] !== undefined)
      shapes.add([value.kind, value.cap, value.join, value.evenOdd, value.dash?.length, ...has.sort()].join(' '))
    }
    return value
  })
  return [...shapes].sort().join('; ')
}

const wmfRecords = () => [wmfRecord(0x2fa, 0, 1, 0, 0, 255), wmfRecord(0x12d, 0), wmfRecord(0x41b, 90, 90, 10, 10)]

export const emfTarget = metafile('emf', madeEmf, () => [
  emf(record(38, 1, 0, 10, 0, 0x0000ff), record(37, 1), record(43, 100, 100, 200, 200)),
  emf(record(39, 2, 0, 0xff0000, 0), record(37, 2), record(3, 0, 0, 0, 0, 3, 0, 0, 500, 0, 0, 500)),
  emf(record(59), record(27, 0, 0), record(54, 100, 0), record(60), record(62, 0, 0, 0, 0)),
  emf(
    record(17, 8),
    record(10, 0, 0),
    record(9, 100, 100),
    record(33),
    record(34, -1),
    emfRecord(70, words(8, 0x2b464d45, 0)),
  ),
  emf([
    ...words(84, 84),
    ...words(0, 0, 0, 0, 1, 0, 0, 100, 200, 3, 76, 0, 0, 0, 0, 0, 0),
    0x4f,
    0,
    0x6b,
    0,
    0x21,
    0,
    0,
    0,
  ]),
])

export const wmfTarget = metafile('wmf', madeWmf, () => [
  wmf(...wmfRecords()),
  bareWmf(wmfRecord(0x20b, 0, 0), wmfRecord(0x20c, 500, 1_000), ...wmfRecords()),
  wmf(wmfRecord(0x521, 2, 0x6b4f, 10, 10), wmfRecord(0x324, 3, 0, 0, 50, 0, 0, 50)),
])
