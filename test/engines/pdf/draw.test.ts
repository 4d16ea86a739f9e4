import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { markText, splitMarks } from '../../../src/core/marks.ts'
import { composeMarked, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { outlineOf } from '../../../src/engines/pdf/draw/outline.ts'
import type { Drawing } from '../../../src/engines/pdf/draw/pages.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { drawDocx } from '../../../src/engines/pdf/pdf.ts'
import { compiled, p, tbl, tr, wordPackage } from '../docx/word-package.ts'
import { plainPng } from './documents.ts'
import { layoutOf, p as paragraph, picture, textFrames, wordDocument } from './word.ts'

const options = { fonts: embeddedFonts() }

function drawn(docx: Uint8Array, pictures?: ReadonlyMap<string, number>): Drawing {
  const outcome = drawDocx(docx, options, pictures)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

function drawnTemplate(body: string, data: JsonValue) {
  const template = compiled(wordPackage(body))
  const marked = composeMarked(template, data)
  if (!marked.ok) throw new Error(JSON.stringify(marked.findings))
  const { pages } = drawn(marked.value.bytes, marked.value.pictures)
  return {
    template,
    pages,
    marks: pages.flatMap(({ marks }, page) =>
      marks.map(({ mark, ...box }) => ({ place: marked.value.places[mark], page, ...box })),
    ),
  }
}

describe('marks', () => {
  test('are found again with their numbers, and do not change the text', () => {
    const text = `Dear ${markText('Ada', 7)}, you owe ${markText('1.00', 65_535)}.`
    expect(splitMarks(text)).toEqual([
      { text: 'Dear ' },
      { text: 'Ada', mark: 7 },
      { text: ', you owe ' },
      { text: '1.00', mark: 65_535 },
      { text: '.' },
    ])
    expect(splitMarks(markText('', 1))).toEqual([])
    expect(splitMarks('nothing of the kind')).toEqual([{ text: 'nothing of the kind' }])
  })
})

describe('a drawn template', () => {
  test('reports the place of every value in the text, in each turn of a loop and in rich text', () => {
    const { marks, template } = drawnTemplate(
      p('Dear {{/name}}, welcome.') +
        tbl(tr('{{#each /lines}}{{./text}}', '{{./amount}}{{#end}}')) +
        p('{{rich /clause}}'),
      {
        name: 'Ada',
        lines: [
          { text: 'one', amount: '1' },
          { text: 'two', amount: '2' },
        ],
        clause: '<b>bold</b> and plain',
      },
    )
    const counted = Map.groupBy(marks, ({ place }) => place)
    const placeOf = (pointer: string) => {
      const { part, paragraph, position } = template.bindings.find((binding) => binding.pointer === pointer)!
      return `${part}#${paragraph}:${position}`
    }
    expect(counted.get(placeOf('/name'))).toHaveLength(1)
    expect(counted.get(placeOf('/lines/*/text'))).toHaveLength(2)
    expect(counted.get(placeOf('/lines/*/amount'))).toHaveLength(2)
    expect(counted.get(placeOf('/clause'))!.length).toBeGreaterThan(0)
    const [first, second] = counted.get(placeOf('/lines/*/text'))!
    expect(second!.y).toBeGreaterThan(first!.y + first!.height / 2)
    for (const { width, height } of marks) expect(Math.min(width, height)).toBeGreaterThan(1)
  })

  test('marks exactly the width of the value on each line it takes', () => {
    const name = 'a name that goes on and on '.repeat(12).trim()
    const { marks } = drawnTemplate(p('Dear {{/name}}.'), { name })
    expect(marks.length).toBeGreaterThan(1)
    const [plain] = layoutOf(wordPackage(p(`Dear ${name}.`))).pages
    const frames = textFrames(plain!)
    const right = Math.max(...marks.map(({ x, width }) => x + width))
    expect(right).toBeLessThanOrEqual(Math.max(...frames.map(({ x, width }) => x + width)) + 0.01)
    expect(new Set(marks.map(({ y }) => Math.round(y))).size).toBe(marks.length)
  })

  test('looks the same as without marks: the same lines at the same places', () => {
    const body = p('Dear {{/name}}, of {{/town}}: {{/name}}{{/town}}.').repeat(30)
    const data = { name: 'Ada Lovelace', town: 'London' }
    const template = compiled(wordPackage(body))
    const plain = composeTemplate(template, data)
    const marked = composeMarked(template, data)
    if (!plain.ok || !marked.ok) throw new Error('not composed')
    const linesOf = (docx: Uint8Array) => {
      const { pages } = drawn(docx)
      return pages.map(({ svg }) => [...svg.matchAll(/matrix\([^)]* ([\d.]+)\)"/g)].map(([, y]) => y))
    }
    const unique = (lines: (string | undefined)[][]) => lines.map((page) => [...new Set(page)])
    expect(unique(linesOf(marked.value.bytes))).toEqual(unique(linesOf(plain.value)))
    expect(unique(linesOf(plain.value))[0]!.length).toBeGreaterThan(20)
  })

  test('marks the picture that a tag inserted', () => {
    const { marks, pages } = drawnTemplate(p('{{qr /link size=2cm}}'), { link: 'https://example.com' })
    expect(marks).toHaveLength(1)
    expect(marks[0]!.width).toBeCloseTo(56.7, 0)
    expect(pages[0]!.svg).toContain('href="data:image/png;base64,')
  })
})

describe('a drawn page', () => {
  test('shows pictures in their box, text as outlines, and a grey box for an unreadable picture', () => {
    const body = `${paragraph('ab a')}<w:p><w:r>${picture('image1', 30, 20)}${picture('image2', 30, 20)}</w:r></w:p>`
    const docx = wordDocument(body, {
      media: { 'image1.png': plainPng(4, 3, [255, 0, 0]), 'image2.emf': new Uint8Array([1, 2, 3, 4]) },
    })
    const [page] = drawn(docx).pages
    expect(page!.svg.match(/<path id="g\d+"/g)).toHaveLength(2)
    expect(page!.svg.match(/<use href="#g\d+" x=/g)).toHaveLength(3)
    expect(page!.svg.match(/<image id="g\d+"/g)).toHaveLength(1)
    expect(page!.svg).toContain('width="30" height="20" fill="#F2F2F2"')
    expect(page!.svg).not.toContain('<text')
  })

  test('takes nothing from the document into its source but figures and colours', () => {
    const [page] = drawn(
      wordDocument(paragraph('x', '', '<w:rPr><w:color w:val="&quot;/&gt;&lt;script"/></w:rPr>')),
    ).pages
    expect(page!.svg).not.toContain('script')
    expect(page!.svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 [\d.]+ [\d.]+">/)
  })

  test('is left out, and counted, beyond the bound', () => {
    const pages = limits.drawnPages + 1
    const body = paragraph('x', '<w:pageBreakBefore/>').repeat(pages - 1)
    const drawing = drawn(wordDocument(paragraph('x') + body))
    expect(drawing.totalPages).toBe(pages)
    expect(drawing.pages).toHaveLength(limits.drawnPages)
  })
})

describe('an outline', () => {
  const { face } = options.fonts.match('Carlito')!.font

  test('closes every contour: a letter with two holes has three, and an accent is added to its letter', () => {
    const contours = (letter: string) => outlineOf(face, face.glyph(letter.codePointAt(0)!)).split('Z').length - 1
    expect(contours('B')).toBe(3)
    expect(contours('l')).toBe(1)
    expect(contours('é')).toBe(contours('e') + 1)
    expect(outlineOf(face, face.glyph(0x20))).toBe('')
  })

  test('is empty for a glyph that the font does not have', () => {
    expect(outlineOf(face, face.glyphCount + 5)).toBe('')
  })
})
