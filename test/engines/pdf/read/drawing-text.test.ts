import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type { Block, Paragraph } from '../../../../src/engines/pdf/model/document.ts'
import { readBody, readParagraphs, readRun, themeFont } from '../../../../src/engines/pdf/read/drawing/text.ts'
import type { Theme } from '../../../../src/engines/pdf/read/theme.ts'
import { element } from './elements.ts'

const theme: Theme = {
  fonts: new Map([
    ['majorHAnsi', 'Big'],
    ['minorHAnsi', 'Small'],
  ]),
  colors: new Map([['accent1', '4F81BD']]),
  ...{ fills: [], backgrounds: [], lines: [] },
}
const body = (attributes: string, content = '') => readBody(element(`<a:bodyPr ${attributes}>${content}</a:bodyPr>`))
const run = (attributes: string, content = '', scale = 1) =>
  readRun(element(`<a:rPr ${attributes}>${content}</a:rPr>`), theme, scale)
const isParagraph = (block: Block): block is Paragraph => block.kind === 'paragraph'
const paragraphs = (content: string, base = {}) =>
  readParagraphs(element(`<a:txBody>${content}</a:txBody>`), theme, base).filter(isParagraph)
const text = (content: string, attributes = '') => `<a:r><a:rPr ${attributes}/><a:t>${content}</a:t></a:r>`
/** Properties of a paragraph that is not the last, so that the space below it counts. */
const props = (attributes: string, content = '', runs = text('x')) =>
  paragraphs(`<a:p><a:pPr ${attributes}>${content}</a:pPr>${runs}</a:p><a:p/>`)[0]?.props

describe('The body of a text', () => {
  test('has insets in English Metric Units, of a tenth and a twentieth of an inch by default, and never negative', () => {
    expect(readBody(undefined).insets).toEqual({ left: 7.2, top: 3.6, right: 7.2, bottom: 3.6 })
    expect(body('lIns="12700" tIns="25400" rIns="38100" bIns="50800"').insets).toEqual({
      ...{ left: 1, top: 2, right: 3, bottom: 4 },
    })
    expect(body('lIns="0" tIns="-12700" rIns="-1" bIns="x"').insets).toEqual({ left: 0, top: 0, right: 0, bottom: 3.6 })
  })

  test('is placed at the top, in the middle or at the bottom, and centred if asked', () => {
    expect(['', 'anchor="t"', 'anchor="ctr"', 'anchor="b"', 'anchor="just"'].map((it) => body(it).vertical)).toEqual([
      ...(['top', 'top', 'center', 'bottom', 'top'] as const),
    ])
    expect(['', 'anchorCtr="0"', 'anchorCtr="1"', 'anchorCtr="true"'].map((it) => body(it).centered)).toEqual([
      ...[false, false, true, true],
    ])
  })

  test('is as high as its text, wraps and turns as it says', () => {
    expect([
      readBody(undefined).autoHeight,
      body('').autoHeight,
      body('', '<a:spAutoFit/>').autoHeight,
      body('', '<a:normAutofit/>').autoHeight,
    ]).toEqual([false, false, true, false])
    expect([readBody(undefined).wrap, body('wrap="square"').wrap, body('wrap="none"').wrap]).toEqual([
      true,
      true,
      false,
    ])
    const turns = {
      ...{ horz: 0, vert: 90, eaVert: 90, wordArtVert: 90, vert270: 270, mongolianVert: 0 },
    }
    for (const [direction, turn] of Object.entries(turns))
      expect([direction, body(`vert="${direction}"`).turn]).toEqual([direction, turn as 0])
    expect(readBody(undefined).turn).toBe(0)
  })
})

describe('Runs of DrawingML', () => {
  test('state nothing that they leave out', () => {
    expect(run('')).toEqual({})
    expect(readRun(undefined, theme)).toEqual({})
  })

  test('have their size in hundredths of a point, scaled and within Word’s bounds', () => {
    expect([
      run('sz="1050"').size,
      run('sz="2000"', '', 0.5).size,
      run('sz="50"').size,
      run('sz="400000"').size,
    ]).toEqual([10.5, 10, 1, 1_638])
  })

  test('have the styles of their letters', () => {
    expect([run('b="1"'), run('b="0"'), run('i="1"'), run('i="0"')]).toEqual([
      { bold: true },
      { bold: false },
      { italic: true },
      { italic: false },
    ])
    expect(['none', 'dbl', 'sng', 'wavy'].map((u) => run(`u="${u}"`).underline)).toEqual([
      ...(['none', 'double', 'single', 'single'] as const),
    ])
    expect(['noStrike', 'sngStrike', 'dblStrike'].map((strike) => run(`strike="${strike}"`).strike)).toEqual([
      false,
      true,
      true,
    ])
    expect(['none', 'small', 'all'].map((cap) => run(`cap="${cap}"`))).toEqual([
      { caps: false, smallCaps: false },
      { caps: false, smallCaps: true },
      { caps: true, smallCaps: false },
    ])
  })

  test('are raised, lowered and spaced', () => {
    expect(['30000', '-25000', '0', '1', '-1'].map((shift) => run(`baseline="${shift}"`).vertical)).toEqual([
      ...(['superscript', 'subscript', undefined, 'superscript', 'subscript'] as const),
    ])
    expect([run('spc="150"').spacing, run('spc="-50"').spacing, run('spc="0"').spacing]).toEqual([1.5, -0.5, 0])
  })

  test('have their colour and their font, directly or from the theme', () => {
    expect(run('', '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill>').color).toBe('4F81BD')
    expect(run('', '<a:noFill/>').color).toBeUndefined()
    expect(run('', '<a:latin typeface="Lato"/>').fonts).toEqual({ ascii: 'Lato', highAnsi: 'Lato' })
    expect(run('', '<a:latin typeface=""/>').fonts).toBeUndefined()
    expect(['+mj-lt', '+mn-lt', '+mn-ea', 'Lato', '', undefined].map((face) => themeFont(face, theme))).toEqual([
      ...['Big', 'Small', 'Small', 'Lato', undefined, undefined],
    ])
    expect(themeFont('+mn-lt', { ...theme, fonts: new Map() })).toBeUndefined()
  })
})

describe('Paragraphs of DrawingML', () => {
  test('state everything that Word’s defaults would change', () => {
    expect(props('')).toEqual({
      ...{ align: 'left', indentLeft: 0, indentRight: 0, firstLine: 0, before: 0, after: 0, line: 1, lineRule: 'auto' },
      ...{ beforeAuto: false, afterAuto: false, contextual: false, widowControl: false, snapToGrid: false },
    })
  })

  test('are aligned and indented, by level if they state no indent', () => {
    expect(['l', 'ctr', 'r', 'just', 'dist'].map((align) => props(`algn="${align}"`)?.align)).toEqual([
      ...(['left', 'center', 'right', 'justify', 'left'] as const),
    ])
    expect(props('marL="12700" marR="25400" indent="-12700" lvl="3"')).toMatchObject({
      ...{ indentLeft: 1, indentRight: 2, firstLine: -1 },
    })
    expect(['1', '8', '9', '-1'].map((level) => props(`lvl="${level}"`)?.indentLeft)).toEqual([9, 72, 72, 0])
  })

  test('have space above and below in hundredths of a point, or in shares of a line of 1.2 times the size', () => {
    const space = (above: string, below: string) =>
      props('', `<a:spcBef>${above}</a:spcBef><a:spcAft>${below}</a:spcAft>`, text('x', 'sz="2000"'))
    expect(space('<a:spcPts val="600"/>', '<a:spcPts val="1250"/>')).toMatchObject({ before: 6, after: 12.5 })
    expect(space('<a:spcPct val="50000"/>', '<a:spcPct val="25%"/>')).toMatchObject({ before: 12, after: 6 })
    expect(space('<a:spcPts val="-600"/>', '<a:spcPct val="-50000"/>')).toMatchObject({ before: 0, after: 0 })
    expect(space('<a:spcPts/>', '<a:spcPct/>')).toMatchObject({ before: 0, after: 0 })
    expect(space('<a:spcPct val="x"/>', '<a:spcPct val="9000000"/>')).toMatchObject({ before: 0, after: 240 })
    // Without any size, that of the standard: 18 points.
    expect(props('', '<a:spcBef><a:spcPct val="100000"/></a:spcBef>')?.before).toBeCloseTo(21.6)
  })

  test('have lines of an exact height of at least a point, or of a share', () => {
    const line = (content: string) => {
      const found = props('', `<a:lnSpc>${content}</a:lnSpc>`)
      return [found?.line, found?.lineRule]
    }
    expect(line('<a:spcPts val="1450"/>')).toEqual([14.5, 'exact'])
    expect(line('<a:spcPts val="50"/>')).toEqual([1, 'exact'])
    expect(line('<a:spcPts/>')).toEqual([1, 'exact'])
    expect(line('<a:spcPct val="90000"/>')).toEqual([0.9, 'auto'])
    expect(line('<a:spcPct val="150%"/>')).toEqual([1.5, 'auto'])
    expect(line('<a:spcPct val="x"/>')).toEqual([1, 'auto'])
  })

  test('have no space below the last of them', () => {
    const one = '<a:p><a:pPr><a:spcAft><a:spcPts val="600"/></a:spcAft></a:pPr></a:p>'
    expect(paragraphs(one + one).map(({ props: { after } }) => after)).toEqual([6, 0])
    expect(paragraphs('')).toEqual([])
  })

  test('are counted from 1, up to the limit', () => {
    expect(paragraphs('<a:p/><a:p/>').map(({ number }) => number)).toEqual([1, 2])
    expect(paragraphs('<a:p/>'.repeat(limits.renderShapeParagraphs + 1)).length).toBe(limits.renderShapeParagraphs)
  })

  test('have the look of their base, then their defaults, then each run', () => {
    const [first] = paragraphs(
      `<a:p><a:pPr><a:defRPr sz="2400" b="1"/></a:pPr>${text('a')}${text('b', 'b="0" i="1"')}</a:p>`,
      { size: 9, color: 'FF0000' },
    )
    expect(first?.content).toEqual([
      { kind: 'text', text: 'a', props: { size: 24, color: 'FF0000', bold: true } },
      { kind: 'text', text: 'b', props: { size: 24, color: 'FF0000', bold: false, italic: true } },
    ])
  })

  test('have runs, fields and breaks, and nothing else', () => {
    const [first] = paragraphs(
      `<a:p>${text('a&#10;&#9;b')}<a:br/><a:fld id="x" type="slidenum"><a:t>7</a:t></a:fld><a:x><a:t>no</a:t></a:x><a:r/></a:p>`,
      { size: 9 },
    )
    expect(first?.content).toEqual([
      { kind: 'text', text: 'a b', props: { size: 9 } },
      { kind: 'break', type: 'line', props: { size: 9 } },
      { kind: 'text', text: '7', props: { size: 9 } },
    ])
  })

  test('have their bullet before the first run, in its look but not bold, with a tab', () => {
    const [first] = paragraphs(`<a:p><a:pPr><a:buChar char="•12345"/></a:pPr>${text('a', 'b="1"')}${text('b')}</a:p>`)
    expect(first?.content).toEqual([
      { kind: 'text', text: '•123', props: { bold: false } },
      { kind: 'tab', props: { bold: true } },
      { kind: 'text', text: 'a', props: { bold: true } },
      { kind: 'text', text: 'b', props: {} },
    ])
  })

  test('end in a mark of the size of their first run, or in their own if they are empty', () => {
    const mark = (content: string) => paragraphs(`<a:p>${content}</a:p>`, { size: 9 })[0]?.markProps
    expect(mark(`${text('a', 'sz="2000"')}${text('b', 'sz="3000"')}<a:endParaRPr sz="4000" b="1"/>`)).toEqual({
      size: 20,
    })
    expect(mark('<a:endParaRPr sz="4000" b="1"/>')).toEqual({ size: 40, bold: true })
    expect(mark('')).toEqual({ size: 9 })
    expect(mark(text('a'))).toEqual({ size: 9 })
  })

  test('are smaller by the scale that made them fit, between a tenth and all of it', () => {
    const size = (scale: string) => {
      const [first] = paragraphs(
        `<a:bodyPr><a:normAutofit ${scale}/></a:bodyPr><a:p><a:pPr><a:defRPr sz="4000"/></a:pPr>${text('a', 'sz="2000"')}<a:endParaRPr sz="1000"/></a:p>` +
          '<a:p><a:pPr><a:defRPr sz="4000"/></a:pPr><a:endParaRPr sz="1000"/></a:p>',
      )
      const inline = first?.content[0]
      return inline?.kind === 'text' ? inline.props.size : undefined
    }
    expect(['', 'fontScale="62500"', 'fontScale="5000"', 'fontScale="200000"'].map(size)).toEqual([20, 12.5, 2, 20])
    const scaled = (content: string) =>
      paragraphs(`<a:bodyPr><a:normAutofit fontScale="50000"/></a:bodyPr><a:p>${content}</a:p>`)[0]?.markProps.size
    expect([scaled('<a:pPr><a:defRPr sz="4000"/></a:pPr>'), scaled('<a:endParaRPr sz="3000"/>')]).toEqual([20, 15])
  })
})
