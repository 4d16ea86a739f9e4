import { describe, expect, test } from 'bun:test'
import {
  readAbsoluteTab,
  readBorder,
  readBorders,
  readParagraphProps,
  readRunProps,
  readShading,
} from '../../../../src/engines/pdf/read/properties.ts'
import { readCellProps, readRowProps, readTableProps } from '../../../../src/engines/pdf/read/table-properties.ts'
import type { Theme } from '../../../../src/engines/pdf/read/theme.ts'
import { emu, integer, isOn, points, sidesOf, toggle, twips } from '../../../../src/engines/pdf/read/values.ts'
import { element } from './elements.ts'

const theme: Theme = {
  fonts: new Map([
    ['minorHAnsi', 'Carlito'],
    ['minorBidi', 'Naskh'],
  ]),
  colors: new Map([['accent1', '4F81BD']]),
  ...{ fills: [], backgrounds: [], lines: [] },
}
const run = (content: string) => readRunProps(element(`<w:rPr>${content}</w:rPr>`), theme)
const paragraph = (content: string) => readParagraphProps(element(`<w:pPr>${content}</w:pPr>`), theme)
const table = (content: string) => readTableProps(element(`<w:tblPr>${content}</w:tblPr>`), theme)
const cell = (content: string) => readCellProps(element(`<w:tcPr>${content}</w:tcPr>`), theme)
const row = (content: string) => readRowProps(element(`<w:trPr>${content}</w:trPr>`))
const shading = (attributes: string) => readShading(element(`<w:shd ${attributes}/>`), theme)

describe('A value', () => {
  test('is a number of parts of a point, or a number with its unit', () => {
    expect(
      ['20', '-10', '2.5cm', '1in', '10mm', '3pt', '1pc', '1pi', '4px', ' 40 ', '.5pt']
        .map(twips)
        .map((value) => Math.round((value ?? 0) * 100) / 100),
    ).toEqual([...[1, -0.5, 70.87, 72, 28.35, 3, 12, 12, 3, 2, 0.5]])
    expect(['', 'x', '1 2', 'cm', '1e3', undefined].map(twips)).toEqual(new Array(6).fill(undefined))
    expect([points('99999999', 1), points('-99999999', 1), points('5zz', 20), emu('12700')]).toEqual([
      6_336, -6_336, 5, 1,
    ])
  })

  test('is on unless it says that it is off', () => {
    expect([undefined, '1', 'true', 'on', 'x'].map(isOn)).toEqual([true, true, true, true, true])
    expect(['0', 'false', 'off', 'none'].map(isOn)).toEqual([false, false, false, false])
    expect(toggle(element('<w:rPr/>'), 'w:b')).toBeUndefined()
    expect([integer('12x'), integer('x'), integer(undefined)]).toEqual([12, undefined, undefined])
    expect(['left', 'right', 'largest', 'bothSides', undefined].map(sidesOf)).toEqual([
      'left',
      'right',
      undefined,
      'both',
      'both',
    ])
  })
})

describe('Run properties', () => {
  test('are those that are stated, and no others', () => {
    expect(run('')).toEqual({})
    expect(readRunProps(undefined, theme)).toEqual({})
    const toggles =
      '<w:b/><w:i w:val="0"/><w:bCs/><w:iCs/><w:rtl/><w:cs/><w:caps/><w:smallCaps/><w:strike/><w:dstrike/><w:vanish/>'
    expect(run(toggles)).toEqual({
      ...{ bold: true, italic: false, complexBold: true, complexItalic: true, rtl: true, complex: true, caps: true },
      ...{ smallCaps: true, strike: true, doubleStrike: true, hidden: true },
    })
    expect(
      run(
        '<w:rStyle w:val="S"/><w:sz w:val="21"/><w:szCs w:val="30"/><w:position w:val="-6"/><w:spacing w:val="40"/><w:w w:val="150"/>' +
          '<w:kern w:val="16"/><w:lang w:val="en" w:eastAsia="ja" w:bidi="ar"/><w:vertAlign w:val="superscript"/>',
      ),
    ).toEqual({
      ...{
        style: 'S',
        size: 10.5,
        complexSize: 15,
        position: -3,
        spacing: 2,
        scale: 1.5,
        kernFrom: 8,
        vertical: 'superscript',
      },
      ...{ language: 'en', languageEastAsia: 'ja', languageComplex: 'ar' },
    })
  })

  test('stay within Word’s bounds', () => {
    expect([run('<w:sz w:val="1"/>').size, run('<w:sz w:val="4000"/>').size]).toEqual([1, 1_638])
    expect([run('<w:szCs w:val="1"/>').complexSize, run('<w:szCs w:val="4000"/>').complexSize]).toEqual([1, 1_638])
    expect([run('<w:w w:val="0"/>').scale, run('<w:w w:val="900"/>').scale]).toEqual([0.01, 6])
    expect(['subscript', 'baseline', 'other'].map((word) => run(`<w:vertAlign w:val="${word}"/>`).vertical)).toEqual([
      ...(['subscript', 'baseline', undefined] as const),
    ])
  })

  test('take their fonts from the theme first, and a hint for East Asian ones', () => {
    const fonts = (attributes: string) => run(`<w:rFonts ${attributes}/>`).fonts
    expect(fonts('w:ascii="A" w:hAnsi="H" w:eastAsia="E" w:cs="C"')).toEqual({
      ascii: 'A',
      highAnsi: 'H',
      eastAsia: 'E',
      complex: 'C',
    })
    expect(fonts('w:ascii="A" w:asciiTheme="minorHAnsi" w:cstheme="minorBidi"')).toEqual({
      ascii: 'Carlito',
      complex: 'Naskh',
    })
    expect(fonts('w:hAnsi="H" w:hAnsiTheme="majorHAnsi"')).toEqual({ highAnsi: 'H' })
    expect([fonts('w:hint="eastAsia"'), fonts('w:hint="default"'), fonts('w:hint="cs"'), fonts('')]).toEqual([
      ...[{ eastAsiaHint: true }, { eastAsiaHint: false }, undefined, undefined],
    ])
  })

  test('know the kinds of underlines and marks', () => {
    const kinds = {
      ...{
        none: 'none',
        words: 'words',
        double: 'double',
        wavyDouble: 'double',
        wave: 'wave',
        wavyHeavy: 'wave',
        dotted: 'dotted',
      },
      ...{
        dottedHeavy: 'dotted',
        dash: 'dash',
        dotDash: 'dash',
        dashLong: 'dash',
        thick: 'thick',
        single: 'single',
        other: 'single',
      },
    }
    for (const [value, kind] of Object.entries(kinds))
      expect([value, run(`<w:u w:val="${value}"/>`).underline]).toEqual([value, kind as 'none'])
    expect(run('<w:u w:color="ff0000"/>')).toEqual({ underlineColor: 'FF0000' })
    expect(
      ['dot', 'comma', 'circle', 'underDot', 'none', 'x'].map((value) => run(`<w:em w:val="${value}"/>`).emphasis),
    ).toEqual([...(['dot', 'comma', 'circle', 'underDot', 'none', 'none'] as const)])
  })

  test('have their colours, of which the theme’s come first', () => {
    const color = (attributes: string) => run(`<w:color ${attributes}/>`).color
    expect([
      color('w:val="ff8000"'),
      color('w:val="auto"'),
      color('w:val="red"'),
      color('w:val="FF0000" w:themeColor="accent1"'),
    ]).toEqual([...['FF8000', 'auto', undefined, '4F81BD']])
    expect(color('w:themeColor="accent1" w:themeShade="80"')).toBe('254062')
    const highlights =
      'black:000000 blue:0000FF cyan:00FFFF green:00FF00 magenta:FF00FF red:FF0000 yellow:FFFF00 white:FFFFFF darkBlue:000080 darkCyan:008080 ' +
      'darkGreen:008000 darkMagenta:800080 darkRed:800000 darkYellow:808000 darkGray:808080 lightGray:C0C0C0 none:none other:none'
    for (const [name = '', value = ''] of highlights.split(' ').map((pair) => pair.split(':')))
      expect([name, run(`<w:highlight w:val="${name}"/>`).highlight]).toEqual([name, value])
  })

  test('put two lines into one between their brackets', () => {
    const combine = (attributes: string) => run(`<w:eastAsianLayout ${attributes}/>`).combine
    for (const [name, open, close] of [
      ['round', '(', ')'],
      ['square', '[', ']'],
      ['angle', '<', '>'],
      ['curly', '{', '}'],
      ['none', '', ''],
    ] as const)
      expect(combine(`w:id="7" w:combine="1" w:combineBrackets="${name}"`)).toEqual({ id: '7', open, close })
    expect(combine('w:id="7"')).toBeUndefined()
    expect(combine('w:combine="0"')).toBeUndefined()
    expect(combine('w:combine="on"')).toEqual({ id: '', open: '', close: '' })
  })
})

describe('A shading', () => {
  test('is its background, or a pattern mixed from its two colours', () => {
    expect([shading('w:fill="ff0000"'), shading('w:val="nil"'), shading('w:val="clear" w:fill="auto"')]).toEqual([
      'FF0000',
      'auto',
      'auto',
    ])
    expect(shading('w:val="solid" w:color="0000FF" w:fill="FF0000"')).toBe('0000FF')
    expect(shading('w:val="pct20" w:color="000000" w:fill="FFFFFF"')).toBe('CCCCCC')
    expect(shading('w:val="pctx"')).toBe('808080')
    expect(shading('w:val="horzStripe" w:color="auto" w:fill="auto"')).toBe('A6A6A6')
    expect(shading('w:val="pct25" w:color="FF0000" w:fill="0000FF"')).toBe('4000BF')
    expect(shading('w:themeFill="accent1" w:fill="000000"')).toBe('4F81BD')
    expect(readShading(undefined, theme)).toBeUndefined()
  })
})

describe('A border', () => {
  test('has a width within bounds, and none where it is none', () => {
    const border = (attributes: string) => readBorder(element(`<w:top ${attributes}/>`), theme)
    expect(border('w:val="double" w:sz="12" w:color="ff0000" w:space="4"')).toEqual({
      style: 'double',
      width: 1.5,
      color: 'FF0000',
      space: 4,
    })
    expect(border('')).toEqual({ style: 'single', width: 0.5, color: 'auto', space: 0 })
    expect(border('w:val="nil" w:sz="8"')).toMatchObject({ style: 'none', width: 0 })
    expect(border('w:val="none" w:sz="8"')).toMatchObject({ style: 'none', width: 0 })
    expect([
      border('w:sz="1"')?.width,
      border('w:sz="999"')?.width,
      border('w:space="99"')?.space,
      border('w:space="-1"')?.space,
    ]).toEqual([0.25, 12, 31, 0])
    expect(border('w:themeColor="accent1"')?.color).toBe('4F81BD')
    expect([readBorder(undefined, theme), readBorders(undefined, theme)]).toEqual([undefined, undefined])
  })

  test('is one of seven, whose sides have two names', () => {
    const sides = ['top', 'bottom', 'left', 'right', 'between', 'insideH', 'insideV']
    const found = readBorders(
      element(`<w:x>${sides.map((side, at) => `<w:${side} w:space="${at + 1}"/>`).join('')}</w:x>`),
      theme,
    )
    expect(Object.entries(found ?? {}).map(([side, { space }]) => `${side} ${space}`)).toEqual(
      sides.map((side, at) => `${side} ${at + 1}`),
    )
    const strict = readBorders(element('<w:x><w:start w:space="1"/><w:end w:space="2"/></w:x>'), theme)
    expect([strict?.left?.space, strict?.right?.space]).toEqual([1, 2])
  })
})

describe('Paragraph properties', () => {
  test('are those that are stated, and no others', () => {
    expect(paragraph('')).toEqual({})
    const toggles = {
      ...{
        contextualSpacing: 'contextual',
        keepNext: 'keepNext',
        keepLines: 'keepLines',
        pageBreakBefore: 'pageBreakBefore',
      },
      ...{
        widowControl: 'widowControl',
        snapToGrid: 'snapToGrid',
        bidi: 'bidi',
        kinsoku: 'kinsoku',
        overflowPunct: 'overflowPunctuation',
      },
      ...{ autoSpaceDE: 'autoSpaceLatin', autoSpaceDN: 'autoSpaceDigits', suppressAutoHyphens: 'suppressHyphens' },
      ...{ suppressLineNumbers: 'suppressLineNumbers' },
    }
    for (const [name, property] of Object.entries(toggles))
      expect(paragraph(`<w:${name}/>`)).toEqual({ [property]: true })
    expect(
      paragraph(
        '<w:pStyle w:val="S"/><w:numPr><w:ilvl w:val="2"/><w:numId w:val="7"/></w:numPr><w:outlineLvl w:val="12"/>',
      ),
    ).toEqual({
      ...{ style: 'S', numberingId: '7', numberingLevel: 2, outline: 9 },
    })
  })

  test('have indents from either name of a side, and a hanging one before a first line', () => {
    expect(paragraph('<w:ind w:left="200" w:right="100" w:firstLine="40"/>')).toEqual({
      indentLeft: 10,
      indentRight: 5,
      firstLine: 2,
    })
    expect(paragraph('<w:ind w:start="200" w:end="100" w:hanging="60" w:firstLine="40"/>')).toEqual({
      indentLeft: 10,
      indentRight: 5,
      firstLine: -3,
    })
  })

  test('have spacing in points, in lines, or automatic', () => {
    const spacing = (attributes: string) => paragraph(`<w:spacing ${attributes}/>`)
    expect(spacing('w:before="200" w:after="100"')).toEqual({ before: 10, after: 5 })
    expect(spacing('w:before="200" w:beforeLines="50" w:after="100" w:afterLines="0"')).toEqual({ before: 6, after: 5 })
    expect(spacing('w:beforeAutospacing="1" w:afterAutospacing="0"')).toEqual({ beforeAuto: true, afterAuto: false })
    expect(spacing('w:line="360"')).toEqual({ line: 1.5, lineRule: 'auto' })
    expect(spacing('w:line="360" w:lineRule="exact"')).toEqual({ line: 18, lineRule: 'exact' })
    expect(spacing('w:line="-360" w:lineRule="atLeast"')).toEqual({ line: 18, lineRule: 'atLeast' })
    expect([spacing('w:line="0"').line, spacing('w:line="99999"').line]).toEqual([0.05, 132])
    expect(spacing('w:lineRule="exact"')).toEqual({})
  })

  test('know the kinds of alignment and of tabs', () => {
    const align = (value: string) => paragraph(`<w:jc w:val="${value}"/>`)
    expect(
      ['left', 'start', 'center', 'right', 'end', 'both', 'highKashida'].map((value) => align(value).align),
    ).toEqual([...(['left', 'left', 'center', 'right', 'right', 'justify', 'justify'] as const)])
    for (const value of ['distribute', 'thaiDistribute'])
      expect(align(value)).toEqual({ align: 'justify', lastLineToo: true })
    const kinds = {
      left: 'left',
      start: 'left',
      num: 'left',
      right: 'right',
      end: 'right',
      center: 'center',
      decimal: 'decimal',
      bar: 'bar',
      clear: 'clear',
      x: 'left',
    }
    const tabs = Object.keys(kinds).map((kind) => `<w:tab w:val="${kind}" w:pos="20"/>`)
    expect(paragraph(`<w:tabs>${tabs.join('')}</w:tabs>`).tabs).toEqual(
      Object.values(kinds).map((kind) => ({ position: 1, kind: kind as 'left', leader: 'none' })),
    )
    const leaders = ['dot', 'hyphen', 'underscore', 'heavy', 'middleDot', 'x'].map(
      (leader) => `<w:tab w:leader="${leader}" w:pos="20"/>`,
    )
    expect(
      paragraph(`<w:tabs>${leaders.join('')}<w:tab w:val="left"/></w:tabs>`).tabs?.map(({ leader }) => leader),
    ).toEqual([...(['dot', 'hyphen', 'underscore', 'underscore', 'middleDot', 'none'] as const)])
    expect(paragraph(`<w:tabs>${'<w:tab w:pos="1"/>'.repeat(65)}</w:tabs>`).tabs?.length).toBe(64)
  })

  test('may have tabs that are measured from a margin or an indent', () => {
    const tab = (attributes: string) => readAbsoluteTab(element(`<w:ptab ${attributes}/>`))
    expect(tab('')).toEqual({ align: 'left', from: 'margin', leader: 'none' })
    expect(tab('w:alignment="center" w:relativeTo="indent" w:leader="dot"')).toEqual({
      align: 'center',
      from: 'indent',
      leader: 'dot',
    })
    expect(tab('w:alignment="right" w:relativeTo="margin"')).toEqual({ align: 'right', from: 'margin', leader: 'none' })
  })
})

describe('Table properties', () => {
  test('are those that are stated, and no others', () => {
    expect(table('')).toEqual({})
    expect(
      table(
        '<w:tblStyle w:val="T"/><w:tblInd w:w="100" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:bidiVisual/><w:tblCellSpacing w:w="40"/>' +
          '<w:tblStyleRowBandSize w:val="2"/><w:tblStyleColBandSize w:val="3"/><w:tblCellMar><w:top w:w="20"/><w:start w:w="40"/><w:end w:w="-60"/></w:tblCellMar>',
      ),
    ).toEqual({
      ...{ style: 'T', indent: 5, fixed: true, bidi: true, cellSpacing: 2, rowBand: 2, columnBand: 3 },
      cellMargins: { top: 1, left: 2, right: 0 },
    })
    expect(table('<w:tblLayout w:type="autofit"/>').fixed).toBe(false)
    expect(['left', 'center', 'right', 'end', 'start'].map((value) => table(`<w:jc w:val="${value}"/>`).align)).toEqual(
      [...(['left', 'center', 'right', 'right', 'left'] as const)],
    )
    expect([table('<w:tblInd w:w="100"/>').indent, table('<w:tblInd w:w="100" w:type="pct"/>').indent]).toEqual([
      5,
      undefined,
    ])
  })

  test('have widths in points, in shares, or automatic', () => {
    const width = (attributes: string) => table(`<w:tblW ${attributes}/>`).width
    expect(width('w:w="200"')).toEqual({ type: 'points', value: 10 })
    expect(width('w:w="2500" w:type="pct"')).toEqual({ type: 'fraction', value: 0.5 })
    expect(width('w:w="50%" w:type="dxa"')).toEqual({ type: 'fraction', value: 0.5 })
    expect(width('w:w="-50%"')).toEqual({ type: 'fraction', value: 0 })
    for (const automatic of ['w:w="200" w:type="auto"', 'w:w="200" w:type="nil"', '', 'w:w="0"', 'w:w="-5"', 'w:w="x"'])
      expect(width(automatic)).toEqual({ type: 'auto', value: 0 })
  })

  test('say which conditions of the style count, bit by bit or by name', () => {
    const look = (attributes: string) => {
      const found = table(`<w:tblLook ${attributes}/>`).look
      return Object.entries(found ?? {}).flatMap(([name, isAsked]) => (isAsked ? [name] : []))
    }
    expect(['0020', '0040', '0080', '0100'].map((bits) => look(`w:val="${bits}"`).join())).toEqual([
      ...['firstRow', 'lastRow', 'firstColumn', 'lastColumn'].map((name) => `${name},rowBands,columnBands`),
    ])
    expect([look('w:val="0200"'), look('w:val="0400"'), look('w:val="0600"')]).toEqual([
      ['columnBands'],
      ['rowBands'],
      [],
    ])
    expect(look('w:val="07E0" w:firstRow="0" w:noHBand="0"')).toEqual([
      'lastRow',
      'firstColumn',
      'lastColumn',
      'rowBands',
    ])
    expect(look('')).toEqual(['rowBands', 'columnBands'])
  })
})

describe('Cell and row properties', () => {
  test('are those that are stated, and no others', () => {
    expect([cell(''), row('')]).toEqual([{}, {}])
    expect(
      cell('<w:gridSpan w:val="3"/><w:vMerge w:val="restart"/><w:vAlign w:val="center"/><w:noWrap/><w:tcW w:w="100"/>'),
    ).toEqual({
      ...{ span: 3, merge: 'start', vertical: 'center', noWrap: true, width: { type: 'points', value: 5 } },
    })
    expect([
      cell('<w:vMerge/>').merge,
      cell('<w:gridSpan w:val="0"/>').span,
      cell('<w:gridSpan w:val="99"/>').span,
    ]).toEqual(['continue', 1, 63])
    expect(['top', 'bottom', 'both'].map((value) => cell(`<w:vAlign w:val="${value}"/>`).vertical)).toEqual([
      'top',
      'bottom',
      undefined,
    ])
    const directions = {
      tbRl: 'down',
      rl: 'down',
      tbRlV: 'down',
      rlV: 'down',
      tbLrV: 'down',
      tbV: 'down',
      btLr: 'up',
      lr: 'up',
      lrTb: undefined,
    }
    for (const [value, direction] of Object.entries(directions))
      expect([value, cell(`<w:textDirection w:val="${value}"/>`).direction]).toEqual([
        value,
        direction as 'up' | undefined,
      ])
    expect(
      row('<w:trHeight w:val="200"/><w:cantSplit/><w:tblHeader/><w:gridBefore w:val="1"/><w:gridAfter w:val="2"/>'),
    ).toEqual({
      ...{ height: 10, heightRule: 'atLeast', cantSplit: true, header: true, before: 1, after: 2 },
    })
    expect(row('<w:trHeight w:val="200" w:hRule="exact"/>').heightRule).toBe('exact')
  })
})
