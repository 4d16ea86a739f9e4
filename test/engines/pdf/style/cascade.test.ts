import { describe, expect, test } from 'bun:test'
import { embeddedFonts, embeddedSources } from '../../../../src/engines/pdf/font/embedded.ts'
import { createFontLibrary } from '../../../../src/engines/pdf/font/library.ts'
import type { ParagraphProps, RunProps, TabStop } from '../../../../src/engines/pdf/model/properties.ts'
import { NoFonts, readableOn } from '../../../../src/engines/pdf/style/cascade.ts'
import type { CellInheritance } from '../../../../src/engines/pdf/style/table-format.ts'
import { cascadeOf, level, paragraph, type Said, style } from './cascades.ts'

const looked = (run: RunProps, said: Said = {}, background?: string) => {
  const { cascade } = cascadeOf(said)
  return cascade.text(cascade.runBase(paragraph()), run, background)
}
const styled = (props: ParagraphProps, said: Said = {}) => cascadeOf(said).cascade.paragraph(paragraph(props))
const inTable = (more: Partial<CellInheritance>): CellInheritance => ({
  ...{ paragraph: {}, run: {}, background: undefined, ofStyle: true },
  ...more,
})

describe('A paragraph', () => {
  test('that states nothing has the defaults of the standard', () => {
    expect(styled({})).toEqual({
      ...{
        styleId: undefined,
        align: 'left',
        lastLineToo: false,
        left: 0,
        right: 0,
        firstLine: 0,
        before: 0,
        after: 0,
      },
      ...{ beforeAuto: false, afterAuto: false, line: 1, lineRule: 'auto', contextual: false, keepNext: false },
      ...{ keepLines: false, pageBreakBefore: false, widowControl: true, snapToGrid: true, bidi: false, kinsoku: true },
      ...{ overflowPunctuation: true, autoSpaceLatin: true, autoSpaceDigits: true, suppressHyphens: false },
      ...{ suppressLineNumbers: false, tabs: [], numberingId: undefined, numberingLevel: 0, borders: undefined },
      ...{ shading: undefined, outline: 9 },
    })
  })

  test('has every property that it states itself', () => {
    const border = { style: 'single', width: 1, color: '000000', space: 0 }
    const stated = {
      ...{ align: 'justify', lastLineToo: true, indentLeft: 1, indentRight: 2, firstLine: 3, before: 4, after: 5 },
      ...{ beforeAuto: true, afterAuto: true, line: 12, lineRule: 'exact', contextual: true, keepNext: true },
      ...{ keepLines: true, pageBreakBefore: true, widowControl: false, snapToGrid: false, bidi: true, kinsoku: false },
      ...{ overflowPunctuation: false, autoSpaceLatin: false, autoSpaceDigits: false, suppressHyphens: true },
      ...{ suppressLineNumbers: true, borders: { top: border }, shading: 'FF0000', outline: 3 },
    } as const satisfies ParagraphProps
    const { indentLeft, indentRight, ...same } = stated
    expect(styled(stated)).toMatchObject({ ...same, left: indentLeft, right: indentRight })
  })

  test('has no space below zero, no line rule without a line, and no automatic colour', () => {
    expect(styled({ before: -3, after: -4 })).toMatchObject({ before: 0, after: 0 })
    expect(styled({ lineRule: 'exact' })).toMatchObject({ line: 1, lineRule: 'auto' })
    expect(styled({ line: 2 })).toMatchObject({ line: 2, lineRule: 'auto' })
    expect(styled({ shading: 'auto' }).shading).toBeUndefined()
  })

  test('takes what it does not state from its style, that from the one it is based on, then table and document', () => {
    const styles = [
      style('base', { paragraph: { before: 1, after: 1, indentLeft: 1 } }),
      style('own', { basedOn: 'base', paragraph: { before: 2, after: 2 } }),
    ]
    const { cascade } = cascadeOf({ styles, defaults: { docParagraph: { before: 9, keepNext: true, indentRight: 9 } } })
    const cell = inTable({ paragraph: { indentRight: 7, indentLeft: 7 } })
    expect(cascade.paragraph(paragraph({ style: 'own', before: 3 }), cell)).toMatchObject({
      ...{ styleId: 'own', before: 3, after: 2, left: 1, right: 7, keepNext: true },
    })
    expect(cascade.paragraph(paragraph({ style: 'own', before: 3 })).right).toBe(9)
  })

  test('has the default style where its own is none of paragraphs', () => {
    const styles = [style('Normal', { paragraph: { before: 5 } }), style('bold', { type: 'character' })]
    const said: Said = { styles, defaults: { defaultParagraph: 'Normal' } }
    for (const named of ['bold', 'missing', undefined])
      expect(styled(named === undefined ? {} : { style: named }, said)).toMatchObject({ styleId: 'Normal', before: 5 })
  })

  test('loses what another layer takes back: the last line of an alignment, automatic spacing', () => {
    const styles = [
      style('s', { paragraph: { align: 'justify', lastLineToo: true, beforeAuto: true, afterAuto: true } }),
    ]
    expect(styled({ style: 's' }, { styles })).toMatchObject({ lastLineToo: true, beforeAuto: true, afterAuto: true })
    expect(styled({ style: 's', align: 'justify', before: 1, after: 1 }, { styles })).toMatchObject({
      ...{ lastLineToo: false, beforeAuto: false, afterAuto: false },
    })
    expect(styled({ style: 's', before: 1, beforeAuto: true, after: 1, afterAuto: true }, { styles })).toMatchObject({
      ...{ beforeAuto: true, afterAuto: true },
    })
  })

  test('adds its tab stops to those of its style, in order, without those that it clears', () => {
    const stop = (position: number, kind: TabStop['kind'] = 'left'): TabStop => ({ position, kind, leader: 'none' })
    const styles = [style('s', { paragraph: { tabs: [stop(10), stop(30), stop(50)] } })]
    const tabs = [stop(40, 'right'), stop(30.4, 'clear'), stop(50, 'center'), stop(20)]
    expect(styled({ style: 's', tabs }, { styles }).tabs).toEqual([
      stop(10),
      stop(20),
      stop(40, 'right'),
      stop(50, 'center'),
    ])
    expect(styled({ style: 's', tabs: [stop(30.5, 'clear')] }, { styles }).tabs.length).toBe(3)
  })

  test('keeps the borders of its style that it does not state', () => {
    const border = (width: number) => ({ style: 'single', width, color: '000000', space: 0 })
    const styles = [style('s', { paragraph: { borders: { top: border(1), left: border(1) } } })]
    expect(styled({ style: 's', borders: { top: border(2) } }, { styles }).borders).toEqual({
      top: border(2),
      left: border(1),
    })
    expect(styled({ style: 's' }, { styles }).borders).toEqual({ top: border(1), left: border(1) })
  })

  test('is a heading by the name of its style, or of the one that is based on', () => {
    const styles = [
      style('a', { name: 'Heading 3' }),
      style('b', { name: 'mine', basedOn: 'a' }),
      style('c', { name: 'heading 10' }),
    ]
    expect(['a', 'b', 'c'].map((id) => styled({ style: id }, { styles }).outline)).toEqual([2, 2, 9])
    expect(styled({ style: 'a', outline: 5 }, { styles }).outline).toBe(5)
  })

  test('whose style is based on itself has that style once, and the report says so', () => {
    const styles = [
      style('a', { basedOn: 'b', paragraph: { before: 1 } }),
      style('b', { basedOn: 'a', paragraph: { after: 2 } }),
    ]
    const { cascade, report } = cascadeOf({ styles })
    expect(cascade.paragraph(paragraph({ style: 'a' }))).toMatchObject({ before: 1, after: 2 })
    expect(cascade.chain('a').map(({ id }) => id)).toEqual(['b', 'a'])
    expect(report.findings.map(({ code, path }) => [code, path])).toEqual([['render.style_cycle', 'styles#a']])
  })
})

describe('A numbered paragraph', () => {
  const lists = {
    1: [
      level({ paragraph: { indentLeft: 10, firstLine: -5 } }),
      level({ paragraph: { indentLeft: 20 }, style: 'second' }),
    ],
  }

  test('has the indents of its level, unless it states its own', () => {
    expect(styled({ numberingId: '1' }, { lists })).toMatchObject({
      numberingId: '1',
      numberingLevel: 0,
      left: 10,
      firstLine: -5,
    })
    expect(styled({ numberingId: '1', numberingLevel: 1 }, { lists })).toMatchObject({
      numberingLevel: 1,
      left: 20,
      firstLine: 0,
    })
    expect(styled({ numberingId: '1', indentLeft: 3 }, { lists })).toMatchObject({ left: 3, firstLine: -5 })
  })

  test('has a level of the nine that there are', () => {
    expect(styled({ numberingId: '1', numberingLevel: 12 }, { lists }).numberingLevel).toBe(8)
    expect(styled({ numberingId: '1', numberingLevel: -2 }, { lists }).numberingLevel).toBe(0)
  })

  test('takes list and level from its style, each apart', () => {
    const styles = [
      style('first', { paragraph: { numberingId: '1' } }),
      style('second', { paragraph: { numberingId: '1' } }),
      style('deep', { basedOn: 'first', paragraph: { numberingLevel: 1 } }),
      style('indented', { basedOn: 'first', paragraph: { indentLeft: 77 } }),
    ]
    expect(styled({ style: 'first' }, { lists, styles })).toMatchObject({
      numberingId: '1',
      numberingLevel: 0,
      left: 10,
    })
    expect(styled({ style: 'second' }, { lists, styles })).toMatchObject({ numberingLevel: 1, left: 20 })
    expect(styled({ style: 'deep' }, { lists, styles })).toMatchObject({
      numberingId: '1',
      numberingLevel: 1,
      left: 20,
    })
    expect(styled({ style: 'first', numberingLevel: 1 }, { lists, styles })).toMatchObject({
      numberingLevel: 1,
      left: 20,
    })
    expect(styled({ style: 'deep', numberingId: '1' }, { lists, styles })).toMatchObject({
      numberingLevel: 1,
      left: 20,
    })
    expect(styled({ style: 'indented' }, { lists, styles }).left).toBe(77)
  })

  test('of list 0 has no number, and one of a list that is missing keeps its name', () => {
    expect(styled({ numberingId: '0' }, { lists }).numberingId).toBeUndefined()
    expect(styled({ numberingId: '5', numberingLevel: 1 }, { lists })).toMatchObject({ numberingId: '5', left: 0 })
  })
})

describe('A run', () => {
  test('that states nothing is Times New Roman of 10 points in black', () => {
    const found = looked({})
    expect(found).toMatchObject({
      ...{
        family: 'Times New Roman',
        symbolic: false,
        rtl: false,
        complex: false,
        eastAsiaHint: false,
        splitLatin: false,
      },
      ...{ rise: 0, position: 0, spacing: 0, kern: false, caps: false, smallCaps: false, hidden: false, bold: false },
      ...{
        italic: false,
        underline: 'none',
        underlineColor: '000000',
        strike: 'none',
        emphasis: 'none',
        emphasisRoom: 0,
      },
      ...{ background: undefined, border: undefined, by: 'twin' },
    })
    expect(found.look).toMatchObject({ size: 10, color: '000000', scale: 1, language: '' })
  })

  test('takes what it does not state from character style, paragraph style, table and document, in that order', () => {
    const styles = [
      style('p', { run: { size: 20, spacing: 2, color: '000002' } }),
      style('c', { type: 'character', run: { spacing: 3, color: '000003' } }),
    ]
    const { cascade } = cascadeOf({ styles, defaults: { docRun: { size: 8, kernFrom: 1, scale: 2, color: '000008' } } })
    const base = cascade.runBase(paragraph({ style: 'p' }), inTable({ run: { size: 9, scale: 3, color: '000009' } }))
    const found = cascade.text(base, { style: 'c', color: '00000A' }, undefined)
    expect(found).toMatchObject({ spacing: 3, kern: true })
    expect(found.look).toMatchObject({ size: 20, scale: 3, color: '00000A' })
    expect(cascade.text(base, {}, undefined)).toMatchObject({ spacing: 2, look: { color: '000002' } })
  })

  test('has the default character style where it names none', () => {
    const styles = [style('c', { type: 'character', run: { size: 30 } })]
    expect(looked({}, { styles, defaults: { defaultCharacter: 'c' } }).look.size).toBe(30)
  })

  test('is bold where an odd number of its styles say so, always by the document, and as it says itself', () => {
    const on = { run: { bold: true } }
    const styles = [style('p', on), style('c', { type: 'character', ...on })]
    const bold = (props: ParagraphProps, run: RunProps, cell = inTable({}), docRun: RunProps = {}) => {
      const { cascade } = cascadeOf({ styles, defaults: { docRun } })
      return cascade.text(cascade.runBase(paragraph(props), cell), run, undefined).bold
    }
    const table = inTable(on)
    expect([bold({}, {}), bold({ style: 'p' }, {}), bold({}, { style: 'c' }), bold({}, {}, table)]).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect([bold({ style: 'p' }, { style: 'c' }), bold({ style: 'p' }, {}, table)]).toEqual([false, false])
    expect(bold({ style: 'p' }, { style: 'c' }, table)).toBe(true)
    expect([bold({ style: 'p' }, { bold: false }), bold({}, { bold: true })]).toEqual([false, true])
    expect(bold({ style: 'p' }, { style: 'c' }, inTable({}), { bold: true })).toBe(true)
  })

  test('has the toggles one by one', () => {
    const names = ['bold', 'italic', 'caps', 'smallCaps', 'strike', 'hidden'] as const
    for (const name of names) {
      const found = looked({ style: 'c' }, { styles: [style('c', { type: 'character', run: { [name]: true } })] })
      const said = { ...found, strike: found.strike === 'single' }
      expect(names.filter((one) => said[one])).toEqual([name])
    }
    expect(looked({ caps: true, smallCaps: true })).toMatchObject({ caps: true, smallCaps: false })
    expect(looked({ strike: true, doubleStrike: true }).strike).toBe('double')
  })

  test('has the usual size of the document in a table with a style, if that is asked for', () => {
    const sizeOf = (size: number, tableStyleSize: boolean, cell: CellInheritance, props: ParagraphProps = {}) => {
      const styles = [style('Normal', { run: { size } }), style('other', { run: { size } })]
      const { cascade } = cascadeOf({ styles, defaults: { defaultParagraph: 'Normal' }, tableStyleSize })
      return cascade.text(cascade.runBase(paragraph(props), cell), {}, undefined).look.size
    }
    const cell = inTable({ run: { size: 8 } })
    expect([sizeOf(11, true, cell), sizeOf(12, true, cell), sizeOf(10, true, cell)]).toEqual([8, 8, 10])
    expect([
      sizeOf(11, false, cell),
      sizeOf(11, true, { ...cell, ofStyle: false }),
      sizeOf(11, true, cell, { style: 'other' }),
    ]).toEqual([11, 11, 11])
  })

  test('has its colours: those that are stated, and black or white where they are automatic', () => {
    expect(looked({ color: 'FF0000' })).toMatchObject({ look: { color: 'FF0000' }, underlineColor: 'FF0000' })
    expect(looked({ color: 'auto' }, {}, '000080').look.color).toBe('FFFFFF')
    expect(looked({ shading: '000000' }, {}, 'FFFFFF')).toMatchObject({
      look: { color: 'FFFFFF' },
      background: '000000',
    })
    expect(looked({ shading: 'auto' }).background).toBeUndefined()
    expect(looked({ highlight: 'FFFF00', shading: '000000' })).toMatchObject({
      background: 'FFFF00',
      look: { color: '000000' },
    })
    expect(looked({ highlight: 'none', shading: '00FF00' }).background).toBe('00FF00')
    expect(looked({ underlineColor: '00FF00', color: 'FF0000' }).underlineColor).toBe('00FF00')
    expect(looked({ underlineColor: 'auto', color: 'FF0000' }).underlineColor).toBe('FF0000')
    expect(looked({ underline: 'double', emphasis: 'dot', spacing: 2 })).toMatchObject({
      underline: 'double',
      spacing: 2,
    })
  })

  test('is kerned from its size on', () => {
    const kern = (size: number, kernFrom: number) => looked({ size, kernFrom }).kern
    expect([kern(10, 10), kern(10, 10.5), kern(10, 0)]).toEqual([true, false, false])
  })

  test('has a border that can be seen, or none', () => {
    const border = { style: 'single', width: 1, color: '000000', space: 0 }
    expect(looked({ border }).border).toEqual(border)
    expect(looked({ border: { ...border, width: 0 } }).border).toBeUndefined()
    expect(looked({ border: { ...border, style: 'none' } }).border).toBeUndefined()
  })

  test('is drawn wider or narrower by its scale and that of the font', () => {
    expect(looked({ scale: 0.5 }).look.scale).toBe(0.5)
    const bookman = looked({ fonts: { ascii: 'Bookman Old Style' }, scale: 2 })
    expect(bookman.look.scale).toBeCloseTo(2 * bookman.look.font.scale, 6)
    expect(bookman.look.font.scale).toBeGreaterThan(1)
  })

  test('is measured in whole twips', () => {
    // Arial of 10 pt: 9.05 pt above the baseline and 2.12 below, with 0.33 between lines, as LibreOffice rounds them.
    const { ascent, descent } = looked({ fonts: { ascii: 'Arial' } })
    expect([ascent, descent]).toEqual([9.4, 2.1])
    for (const size of [7.5, 11, 40]) {
      const found = looked({ fonts: { ascii: 'Georgia' }, size })
      expect(
        [found.ascent * 20, found.descent * 20]
          .map((value) => Math.round(value) - value)
          .every((off) => Math.abs(off) < 1e-9),
      ).toBe(true)
    }
  })

  test('is raised or lowered within the height of the text around it', () => {
    const full = looked({ size: 20 })
    const above = looked({ size: 20, vertical: 'superscript' })
    const below = looked({ size: 20, vertical: 'subscript' })
    expect([above.look.size, below.look.size]).toEqual([11.6, 11.6])
    expect([above.ascent, above.descent, above.position]).toEqual([full.ascent, full.descent, 0])
    const small = looked({ size: 11.6 })
    expect(above.rise).toBeCloseTo(full.ascent - small.ascent, 6)
    expect(below.rise).toBeCloseTo(small.descent - full.descent, 6)
    expect(looked({ size: 20, vertical: 'baseline' })).toMatchObject({ rise: 0, look: { size: 20 } })
    expect(looked({ size: 7.5, vertical: 'superscript' }).look.size).toBe(4.35)
  })

  test('moves by a whole percentage of its line', () => {
    const { ascent, descent } = looked({ size: 20 })
    const { position, rise } = looked({ size: 20, position: 3 })
    // 3 of 20 points are 15 %.
    expect(position).toBeCloseTo(Math.trunc((ascent + descent) * 20 * 0.15) / 20, 6)
    expect(rise).toBe(position)
    expect(looked({ size: 1, position: 1 }).position).toBeGreaterThan(0)
    expect(looked({ size: 20, position: -3 }).position).toBe(-position)
  })

  test('has room for marks of emphasis, above or below', () => {
    const plain = looked({})
    const room = (plain.ascent + plain.descent) / 4
    const dot = looked({ emphasis: 'dot' })
    expect([dot.emphasisRoom, dot.ascent, dot.descent]).toEqual([room, plain.ascent + room, plain.descent])
    const under = looked({ emphasis: 'underDot' })
    expect([under.emphasisRoom, under.ascent, under.descent]).toEqual([room, plain.ascent, plain.descent + room])
  })
})

describe('The font of a run', () => {
  const fonts = { ascii: 'Arial', highAnsi: 'Georgia', eastAsia: 'Times New Roman', complex: 'Courier New' }

  test('is one of four by the kind of its characters', () => {
    const { cascade } = cascadeOf()
    const latin = cascade.text(cascade.runBase(paragraph()), { fonts }, undefined)
    expect(latin).toMatchObject({ family: 'Arial', splitLatin: true })
    expect(cascade.slot(latin, 'ascii', 0)).toBe(latin)
    expect(
      (['highAnsi', 'eastAsia', 'complex'] as const).map((slot) => cascade.slot(latin, slot, 0x41).family),
    ).toEqual([...['Georgia', 'Times New Roman', 'Courier New']])
    expect(cascade.slot(latin, 'eastAsia', 0x4e00)).toBe(cascade.slot(latin, 'eastAsia', 0x3042))
    expect(looked({ fonts: { highAnsi: 'Georgia' } })).toMatchObject({ family: 'Georgia', splitLatin: false })
    expect(looked({ fonts: { ascii: 'Arial' } }).splitLatin).toBe(false)
    expect(looked({ fonts: { ascii: 'Arial', highAnsi: 'Arial' } }).splitLatin).toBe(false)
  })

  test('of complex scripts has its own size, weight and language', () => {
    const { cascade } = cascadeOf()
    const run: RunProps = {
      ...{ fonts, size: 10, complexSize: 14, bold: true, complexItalic: true, rtl: true },
      ...{ language: 'en', languageComplex: 'ar', languageEastAsia: 'ja' },
    }
    const latin = cascade.text(cascade.runBase(paragraph()), run, undefined)
    expect(latin).toMatchObject({
      bold: true,
      italic: false,
      rtl: true,
      complex: true,
      look: { size: 10, language: 'en' },
    })
    expect(cascade.slot(latin, 'complex', 0x627)).toMatchObject({
      bold: false,
      italic: true,
      look: { size: 14, language: 'ar' },
    })
    expect(cascade.slot(latin, 'eastAsia', 0x4e00)).toMatchObject({ bold: true, look: { size: 10, language: 'ja' } })
    expect(looked({ complex: true })).toMatchObject({ rtl: false, complex: true })
    expect(looked({ fonts: { eastAsiaHint: true } }).eastAsiaHint).toBe(true)
  })

  test('can be another with the same look', () => {
    const { cascade } = cascadeOf()
    const georgia = cascade.text(
      cascade.runBase(paragraph()),
      { fonts: { ascii: 'Cambria' }, scale: 2, size: 20 },
      undefined,
    )
    const arial = embeddedFonts().match('Arial')?.font
    const other = cascade.variant(georgia, arial, 0.5)
    expect(other.look).toMatchObject({ font: arial, size: 10, scale: 2 })
    expect(cascade.variant(georgia, arial, 0.5)).toBe(other)
    expect(cascade.variant(georgia, arial, 0.8)).not.toBe(other)
    expect(cascade.variant(georgia, undefined, 0.8).look).toMatchObject({
      font: georgia.look.font,
      size: 16,
      scale: georgia.look.scale,
    })
    expect(cascade.fallbackFont(0x41, other)).toBeDefined()
  })

  test('is reported once where it replaces another, with how near it is', () => {
    const { cascade, report } = cascadeOf()
    const base = cascade.runBase(paragraph())
    const draw = (family: string) => cascade.noteDrawn(cascade.text(base, { fonts: { ascii: family } }, undefined))
    for (const family of ['Arial', 'Arial', 'Verdana', 'Rockwell', 'Arimo', 'Symbol']) draw(family)
    expect(report.findings.map(({ code, path }) => [code, path])).toEqual([
      ['render.font_twin', 'font#Arial'],
      ['render.font_measured', 'font#Verdana'],
      ['render.font_substituted', 'font#Rockwell'],
    ])
    expect(report.findings.map(({ message }) => message)).toEqual([
      'Font Arial is drawn with Arimo, its metric twin, so lines break in the same places.',
      'Font Verdana is drawn with Arimo, set at its own widths as measured in files made by Word, so lines break in the same places as far as its characters were measured.',
      'Font Rockwell is drawn with Gelasio, the nearest available; its widths are guessed, and lines may break elsewhere.',
    ])
  })

  test('is reported where its file can not be used', () => {
    const source = { family: 'Broken', bold: false, italic: false, read: () => new Uint8Array(10) }
    const { cascade, report } = cascadeOf({ fonts: createFontLibrary([source, ...embeddedSources()]) })
    cascade.noteDrawn(cascade.text(cascade.runBase(paragraph()), { fonts: { ascii: 'Broken' } }, undefined))
    expect(report.findings[0]).toMatchObject({
      ...{
        code: 'render.font_unreadable',
        message: 'A font file of Broken is no usable font.',
        hint: 'Replace the file.',
      },
    })
  })

  test('is needed: without any, nothing can be drawn', () => {
    expect(() => looked({}, { fonts: createFontLibrary([]) })).toThrow(NoFonts)
  })
})

test('Equal properties give the very same look', () => {
  const { cascade } = cascadeOf()
  const base = cascade.runBase(paragraph())
  const run: RunProps = { size: 12 }
  expect(cascade.text(base, run, 'FFFFFF')).toBe(cascade.text(cascade.runBase(paragraph()), run, 'FFFFFF'))
  expect(cascade.text(base, run, '000000')).not.toBe(cascade.text(base, run, 'FFFFFF'))
  const props: ParagraphProps = {}
  expect(cascade.paragraph(paragraph(props))).toBe(cascade.paragraph(paragraph(props)))
})

test('Text without a colour is white on what is too dark for black', () => {
  expect(readableOn(undefined)).toBe('000000')
  expect(readableOn('auto')).toBe('000000')
  // Luminance 60 is where it turns: green counts most, blue least.
  expect(['3B3B3B', '3C3C3C', 'C70000', 'C90000', '006600', '006700', '0000FF'].map(readableOn)).toEqual([
    ...['FFFFFF', '000000', 'FFFFFF', '000000', 'FFFFFF', '000000', 'FFFFFF'],
  ])
})
