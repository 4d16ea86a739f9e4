import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { openPackage } from '../../../../src/engines/ooxml/package.ts'
import { parseXml } from '../../../../src/engines/ooxml/xml-parser.ts'
import type { Inline } from '../../../../src/engines/pdf/model/document.ts'
import { StoryReader } from '../../../../src/engines/pdf/read/story.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { namespaces, wordDocument } from '../word.ts'

/** The blocks of a body, and what was reported about it. */
function story(body: string) {
  const source = `<w:body ${namespaces} xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">${body}</w:body>`
  const [parsed, container] = [parseXml(source), openPackage(wordDocument(''), 'ignored')]
  if (!parsed.ok || !container.ok) throw new Error('the document can’t be read')
  const report = new Report()
  const theme = { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] }
  const reader = new StoryReader({ container: container.value, part: container.value.mainPart, source, theme, report })
  return { blocks: reader.readBlocks(parsed.value), codes: report.findings.map(({ code }) => code) }
}
function inlines(content: string): Inline[] {
  const [first] = story(`<w:p>${content}</w:p>`).blocks
  return first?.kind === 'paragraph' ? first.content : []
}
const run = (content: string) => inlines(`<w:r>${content}</w:r>`)
const text = (word: string, props = {}) => ({ kind: 'text', text: word, props }) as const

describe('A run', () => {
  test('has text, hyphens, tabs and breaks', () => {
    expect(
      run(
        '<w:t>a</w:t><w:noBreakHyphen/><w:softHyphen/><w:tab/><w:ptab w:alignment="right"/><w:br/><w:br w:type="page"/><w:br w:type="column"/><w:br w:type="x"/><w:cr/>',
      ),
    ).toEqual([
      ...[text('a'), text('\u2011'), text('\u00ad'), { kind: 'tab', props: {} } as const],
      { kind: 'tab', props: {}, absolute: { align: 'right', from: 'margin', leader: 'none' } },
      ...(['line', 'page', 'column', 'line', 'line'] as const).map(
        (type) => ({ kind: 'break', type, props: {} }) as const,
      ),
    ])
  })

  test('has symbols by their code in a font', () => {
    expect(run('<w:sym w:font="Wingdings" w:char="F04A"/>')).toEqual([
      text('\uf04a', { fonts: { ascii: 'Wingdings', highAnsi: 'Wingdings' } }),
    ])
    expect(run('<w:sym w:char="0041"/>')).toEqual([text('A')])
    expect(['20', 'FFFF', '1F', '10000', 'x', ''].map((code) => run(`<w:sym w:char="${code}"/>`).length)).toEqual([
      ...[1, 1, 0, 0, 0, 0],
    ])
  })

  test('refers to notes', () => {
    expect(
      run(
        '<w:footnoteReference w:id="2"/><w:endnoteReference w:id="3" w:customMarkFollows="1"/><w:footnoteRef/><w:endnoteRef/>',
      ),
    ).toEqual([
      { kind: 'note', note: 'footnote', id: '2', custom: false, props: {} },
      { kind: 'note', note: 'endnote', id: '3', custom: true, props: {} },
      { kind: 'noteMark', props: {} },
      { kind: 'noteMark', props: {} },
    ])
  })

  test('silently leaves out what shows nothing, and reports the rest', () => {
    const silent =
      'separator continuationSeparator lastRenderedPageBreak annotationRef commentReference delText fldData rPr'
    for (const name of silent.split(' '))
      expect([name, story(`<w:p><w:r><w:${name}/></w:r></w:p>`).codes]).toEqual([name, []])
    const around =
      'del moveFrom bookmarkEnd proofErr commentRangeStart commentRangeEnd permStart permEnd moveFromRangeStart moveFromRangeEnd ' +
      'moveToRangeStart moveToRangeEnd customXmlInsRangeStart customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd subDoc'
    for (const name of around.split(' '))
      expect([name, story(`<w:p><w:${name}><w:r><w:t>x</w:t></w:r></w:${name}></w:p>`)]).toMatchObject([
        ...[name, { codes: [], blocks: [{ content: [] }] }],
      ])
    for (const name of ['strange', 'dayShort', 'monthLong'])
      expect([name, story(`<w:p><w:r><w:${name}/></w:r></w:p>`).codes]).toEqual([name, ['render.unsupported']])
  })

  test('shows the number of its page', () => {
    expect(inlines('<w:r><w:pgNum/></w:r>')).toMatchObject([{ kind: 'field', field: 'PAGE' }])
  })

  test('is read inside elements that belong to what is around them', () => {
    for (const name of ['smartTag', 'customXml', 'ins', 'moveTo'])
      expect([name, inlines(`<w:${name}><w:r><w:t>x</w:t></w:r></w:${name}>`)]).toEqual([name, [text('x')]])
    for (const [name, begin] of [
      ['dir', '\u202a'],
      ['bdo', '\u202d'],
    ] as const) {
      const read = inlines(`<w:${name}><w:r><w:t>x</w:t></w:r></w:${name}>`)
      expect([name, read]).toEqual([name, [text(begin), text('x'), text('\u202c')]])
    }
    const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r>'
    expect(inlines(`<w:dir>${hidden}</w:dir>`).map(({ props }) => props.hidden)).toEqual([true, true, true])
    expect(inlines(`<w:dir>${hidden}<w:r><w:t>y</w:t></w:r></w:dir>`).map(({ props }) => props.hidden)).toEqual([
      ...[undefined, true, undefined, undefined],
    ])
    expect(inlines('<w:bdo><w:r/></w:bdo>')).toEqual([])
    expect(inlines('<w:sdt><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt><w:sdt/>')).toEqual([text('x')])
  })

  test('names the looks that it is drawn without, unless they are off', () => {
    const names =
      'w:outline w:shadow w:emboss w:imprint w:fitText w14:glow w14:shadow w14:reflection w14:textOutline w14:textFill w14:scene3d w14:props3d'
    for (const name of names.split(' '))
      expect([name, story(`<w:p><w:r><w:rPr><${name}/></w:rPr></w:r></w:p>`).codes.length]).toEqual([name, 1])
    expect(story('<w:p><w:r><w:rPr><w:outline w:val="0"/></w:rPr></w:r></w:p>').codes).toEqual([])
  })
})

describe('A field of a page', () => {
  const part = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const instruction = (words: string) => `<w:r><w:instrText>${words}</w:instrText></w:r>`
  const complex = `${part('begin')}${instruction('PAGE')}${part('separate')}<w:r><w:t>7</w:t><w:tab/><w:br/></w:r>${part('end')}`
  const link = { kind: 'internal', bookmark: 'b' } as const

  test('takes the place of its stored result, with the link around it', () => {
    expect(inlines(complex)).toMatchObject([{ kind: 'field', field: 'PAGE', stored: '7\t ' }])
    expect(inlines(complex)[0]).not.toHaveProperty('link')
    expect(inlines(`<w:hyperlink w:anchor="b">${complex}</w:hyperlink>`)).toMatchObject([{ kind: 'field', link }])
    const own = complex.replace('PAGE', 'PAGEREF mark \\h')
    expect(inlines(`<w:hyperlink w:anchor="b">${own}</w:hyperlink>`)).toMatchObject([{ link: { bookmark: 'mark' } }])
  })

  test('may be a simple one, whose stored text is shown if it isn’t computed', () => {
    const simple = (words: string) => `<w:fldSimple w:instr="${words}"><w:r><w:t>7</w:t></w:r></w:fldSimple>`
    expect(inlines(simple('PAGE'))).toMatchObject([{ kind: 'field', field: 'PAGE', stored: '7' }])
    expect(inlines(`<w:hyperlink w:anchor="b">${simple('PAGE')}</w:hyperlink>`)).toMatchObject([
      { kind: 'field', link },
    ])
    expect(inlines(simple('DATE'))).toEqual([text('7')])
  })

  test('marks the paragraphs in which fields start or end', () => {
    const { blocks } = story(`<w:p>${part('begin')}</w:p><w:p/><w:p>${part('end')}</w:p>`)
    expect(blocks.map((block) => block.kind === 'paragraph' && block.fieldMark)).toEqual([true, undefined, true])
  })
})

describe('A link', () => {
  const linked = (attributes: string) =>
    inlines(`<w:hyperlink ${attributes}><w:r><w:t>x</w:t><w:tab/></w:r></w:hyperlink>`)

  test('leads to a bookmark from its text and from its tabs', () => {
    const link = { kind: 'internal', bookmark: 'b' } as const
    expect(linked('w:anchor="b"')).toMatchObject([
      { kind: 'text', link },
      { kind: 'tab', link },
    ])
    expect(linked('')[0]).not.toHaveProperty('link')
  })
})

describe('A story', () => {
  const nested = (depth: number) =>
    `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`

  test('has its bookmarks between paragraphs in the next one', () => {
    const { blocks } = story('<w:bookmarkStart w:name="b"/><w:p/><w:p><w:bookmarkStart/></w:p>')
    expect(blocks.map((block) => block.kind === 'paragraph' && block.content)).toEqual([
      [{ kind: 'bookmark', name: 'b', props: {} }],
      [{ kind: 'bookmark', name: '', props: {} }],
    ])
  })

  test('has a paragraph for text between paragraphs', () => {
    const { blocks } = story('<w:r><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r><w:p/><w:r><w:t>c</w:t></w:r>')
    expect(blocks.map((block) => block.kind === 'paragraph' && block.content)).toEqual([
      [text('a'), text('b')],
      [],
      [text('c')],
    ])
  })

  test('continues a paragraph whose mark is deleted', () => {
    const deleted = '<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>'
    const { blocks } = story(`<w:p>${deleted}<w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>`)
    expect(blocks.map((block) => block.kind === 'paragraph' && block.content)).toEqual([[text('a'), text('b')]])
  })

  test('has tables in tables as deep as the limit, of which each is two levels', () => {
    const deepest = Math.floor(limits.renderNesting / 2)
    expect(story(nested(deepest)).codes).toEqual([])
    expect(story(nested(deepest + 1)).codes).toEqual(['render.nesting'])
  })

  test('has controls and text boxes as deep as the limit, each of which is a level', () => {
    const controls = (depth: number, inside: string) =>
      `${'<w:sdt><w:sdtContent>'.repeat(depth)}${inside}${'</w:sdtContent></w:sdt>'.repeat(depth)}`
    const boxes = (depth: number, inside: string) =>
      `${'<w:p><w:r><w:pict><v:rect><v:textbox><w:txbxContent>'.repeat(depth)}${inside}${'</w:txbxContent></v:textbox></v:rect></w:pict></w:r></w:p>'.repeat(depth)}`
    const deepestOf = (made: (depth: number) => string) => {
      let depth = 0
      while (depth <= limits.renderNesting && story(made(depth + 1)).codes.length === 0) depth++
      return depth
    }
    const most = limits.renderNesting
    const [text, row] = ['<w:r><w:t>x</w:t></w:r>', '<w:tr><w:tc><w:p/></w:tc></w:tr>']
    expect({
      paragraphs: deepestOf((depth) => controls(depth, '<w:p/>')),
      runs: deepestOf((depth) => `<w:p>${controls(depth, text)}</w:p>`),
      links: deepestOf(
        (depth) => `<w:p>${'<w:hyperlink>'.repeat(depth)}${text}${'</w:hyperlink>'.repeat(depth)}</w:p>`,
      ),
      fields: deepestOf(
        (depth) => `<w:p>${'<w:fldSimple>'.repeat(depth)}${text}${'</w:fldSimple>'.repeat(depth)}</w:p>`,
      ),
      insertions: deepestOf((depth) => `<w:p>${'<w:ins>'.repeat(depth)}${text}${'</w:ins>'.repeat(depth)}</w:p>`),
      rows: deepestOf((depth) => `<w:tbl>${controls(depth, row)}</w:tbl>`),
      cells: deepestOf((depth) => `<w:tbl><w:tr>${controls(depth, '<w:tc><w:p/></w:tc>')}</w:tr></w:tbl>`),
      insideTextBoxes: deepestOf((depth) => boxes(10, controls(depth, '<w:p/>'))),
    }).toEqual({
      ...{ paragraphs: most, runs: most, links: most, fields: most, insertions: most },
      // A table and its cell are levels, too, and so is each text box.
      ...{ rows: most - 2, cells: most - 2, insideTextBoxes: most - 10 },
    })
  })

  test('leaves out what is nested deeper than the limit, and says so', () => {
    expect(story(nested(2)).codes).toEqual([])
    expect(story(nested(limits.renderNesting + 1)).codes).toEqual(['render.nesting'])
  })
})
