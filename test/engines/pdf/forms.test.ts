import { describe, expect, test } from 'bun:test'
import { glyphsOf } from '../../../src/engines/pdf/frame/frame.ts'
import { inkOf, needs, textOf } from './tools.ts'
import { dumpPaths, layoutOf, p, renderingOf, textFrames, wordDocument } from './word.ts'

/** Forms: a reader of the PDF sees what was ticked, and copies it. */

const w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'

/** A content control as Word writes it: its state, and the character that shows it. */
function control(checked: boolean, character = checked ? '☒' : '☐', font = 'MS Gothic'): string {
  const fonts = `<w:rFonts w:ascii="${font}" w:eastAsia="${font}" w:hAnsi="${font}" w:hint="eastAsia"/>`
  return `<w:p><w:sdt><w:sdtPr><w14:checkbox ${w14}><w14:checked w14:val="${checked ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:rPr>${fonts}</w:rPr><w:t>${character}</w:t></w:r></w:sdtContent></w:sdt></w:p>`
}

function formField(checked: boolean): string {
  return `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/><w:default w:val="0"/>${checked ? '<w:checked/>' : ''}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
}

const symbol = (font: string, code: string) => `<w:p><w:r><w:sym w:font="${font}" w:char="${code}"/></w:r></w:p>`

const drawn = (body: string) => {
  const [page] = layoutOf(wordDocument(body)).pages
  const glyphs = textFrames(page!).flatMap((frame) => glyphsOf(frame).map((glyph) => `${frame.look.font.id} ${glyph}`))
  return { glyphs, paths: dumpPaths(page!.frames) }
}

describe('ticked and unticked differ', () => {
  const pairs: Record<string, [unticked: string, ticked: string]> = {
    'content controls': [control(false), control(true)],
    'content controls with ticks': [control(false), control(true, '☑', 'Segoe UI Symbol')],
    'content controls with boxes of Wingdings': [
      control(false, '\uf0a8', 'Wingdings'),
      control(true, '\uf0fe', 'Wingdings'),
    ],
    'form fields': [formField(false), formField(true)],
    'symbols of Wingdings': [symbol('Wingdings', 'F0A8'), symbol('Wingdings', 'F0FD')],
    'other symbols of Wingdings': [symbol('Wingdings', 'F06F'), symbol('Wingdings', 'F078')],
    'symbols of Wingdings 2': [symbol('Wingdings 2', 'F0A3'), symbol('Wingdings 2', 'F052')],
    'crosses of Wingdings 2': [symbol('Wingdings 2', 'F02A'), symbol('Wingdings 2', 'F054')],
    'symbols of Webdings': [symbol('Webdings', 'F063'), symbol('Webdings', 'F061')],
    emoji: [p('🔲'), p('✅')],
    'plain text': [p('□ ☐'), p('■ ☑')],
  }
  for (const [kind, [unticked, ticked]] of Object.entries(pairs)) {
    test(`in ${kind}`, () => {
      const [before, after] = [drawn(unticked), drawn(ticked)]
      expect(after).not.toEqual(before)
      for (const glyph of after.glyphs) expect(glyph).not.toEndWith(' 0')
    })
  }
})

describe('the characters of forms', () => {
  const characters = '☐☑☒✓✔✕✖✗✘□■▢▣★☆☎✉✂➔⇒∈∴'

  test('are drawn in any font, weight and slant, without a remark', () => {
    const looks = ['', '<w:b/>', '<w:i/>', '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>']
    const rendering = renderingOf(wordDocument(looks.map((look) => p(characters, '', look)).join('')))
    expect(rendering.report.filter(({ code }) => code === 'render.glyph_missing')).toEqual([])
  })

  test('raise their lines as far as the font that Word takes them from, and leave the height to fonts that have them', () => {
    const last = (body: string) => textFrames(layoutOf(wordDocument(body)).pages[0]!).at(-1)!.y
    // Arial of 10 pt reaches 9.4 pt up; Word's signs reach 10.79.
    const [plain, ticked] = [last(p('Yes') + p('No')), last(p('☒ Yes') + p('☐ No'))]
    expect(ticked - plain).toBeCloseTo(2 * (10.791 - 9.4), 1)
    const gothic = '<w:rFonts w:ascii="MS Gothic" w:hAnsi="MS Gothic" w:eastAsia="MS Gothic"/>'
    expect(last(p('☒', '', gothic) + p('No'))).toBe(last(p('A', '', gothic) + p('No')))
    const wingdings = (look: string) => last(`<w:p><w:r>${look}<w:t>Yes</w:t></w:r></w:p>${p('No')}`)
    expect(wingdings('<w:sym w:font="Wingdings" w:char="F0FE"/>')).toBe(wingdings(''))
  })

  test('are there for the bullets of Google Docs, too', () => {
    const { report } = renderingOf(wordDocument(p('❏❐➔➢❖✩➀➓')))
    expect(report.map(({ code }) => code)).not.toContain('render.glyph_missing')
  })

  test('are as wide as they are high in the font of content controls, so that what follows is where Word has it', () => {
    const fonts = (family: string) => `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}"/>`
    const label = (family: string) => {
      const body = `<w:p><w:r><w:rPr>${fonts(family)}</w:rPr><w:t>☐☒</w:t></w:r><w:r><w:t>Yes</w:t></w:r></w:p>`
      return textFrames(layoutOf(wordDocument(body)).pages[0]!).at(-1)!.x
    }
    expect(label('MS Gothic')).toBeCloseTo(70, 3)
    expect(label('ＭＳ 明朝')).toBeCloseTo(70, 3)
    expect(label('Arial')).toBeCloseTo(66.42, 3)
    const [boxes] = textFrames(
      layoutOf(wordDocument(`<w:p><w:r><w:rPr>${fonts('MS Gothic')}</w:rPr><w:t>☐☒</w:t></w:r></w:p>`)).pages[0]!,
    )
    expect(boxes!.shifts?.map((shift) => shift.toFixed(2))).toEqual(['1.79', '1.79'])
  })

  test('are copied from the PDF as they were written', () => {
    if (!needs('pdftotext')) return
    const { pdf } = renderingOf(wordDocument(p(characters) + control(true) + symbol('Wingdings 2', 'F052')))
    expect(textOf('form.pdf', pdf).split('\n').slice(0, 3)).toEqual([characters, '☒', '☑'])
  })

  test('are drawn without colour, and copied as they were written, where they are emoji', () => {
    const emoji = '✅❌❎➕➖🔲'
    const [marked, plain] = [emoji, '☑✖☒+−☐'].map((text) =>
      textFrames(layoutOf(wordDocument(p(text))).pages[0]!).flatMap((frame) => [...glyphsOf(frame)]),
    )
    expect(marked).toEqual(plain)
    const { pdf, report } = renderingOf(wordDocument(p(emoji)))
    expect(report.filter(({ code }) => code === 'render.glyph_missing')).toEqual([])
    if (needs('pdftotext')) expect(textOf('emoji.pdf', pdf).split('\n')[0]).toBe(emoji)
  })

  test('are ink on the page: a ticked box has more of it than an empty one', () => {
    if (!needs('pdftoppm')) return
    const box = (checked: boolean) => {
      const { pdf } = renderingOf(wordDocument(control(checked)))
      return inkOf(`box-${checked}.pdf`, pdf)(50, 50, 12, 12)
    }
    expect(box(false)).toBeGreaterThan(0.05)
    expect(box(true)).toBeGreaterThan(box(false) * 1.3)
  })
})
