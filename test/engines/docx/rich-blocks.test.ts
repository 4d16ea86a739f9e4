import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { readRichText } from '../../../src/engines/docx/compose/rich/blocks.ts'
import { layOutCells } from '../../../src/engines/docx/compose/rich/cells.ts'
import type { RichBlock } from '../../../src/engines/docx/compose/rich/model.ts'
import { composedPackage, p, partText, wordPackage, wordPart } from './word-package.ts'

function blocks(html: string): RichBlock[] {
  const result = readRichText(html, 'html')
  if (!result.ok) throw new Error(result.message)
  return result.blocks
}
const messageOf = (html: string) => {
  const result = readRichText(html, 'html')
  return result.ok ? undefined : result.message
}

/** Blocks in short: `h1 item0+ "text"`, tables as `[a|b][c]`. */
function short(found: readonly RichBlock[]): string[] {
  return found.map((block) => {
    if (block.kind === 'table') {
      return block.rows.map((row) => `[${row.map((cell) => short(cell.blocks).join(',')).join('|')}]`).join('')
    }
    const { style, heading, quotes, item, content } = block
    const text = content.map((one) => (one.kind === 'text' ? one.text : one.kind === 'break' ? '⏎' : '□')).join('')
    const kind = style === 'heading' ? `h${heading} ` : style === 'body' ? '' : `${style} `
    const list =
      item === undefined ? '' : `${item.list.isOrdered ? item.list.start : '-'}${item.level}${item.isFirst ? '+' : ''} `
    return `${kind}${'>'.repeat(quotes)}${list}${text}`
  })
}
const read = (html: string) => short(blocks(html))

describe('text', () => {
  test('has one space in place of many, and none at the ends of a paragraph or after a break', () => {
    expect(read('<p>  a \n\t b  <b> c</b> </p>  <p> </p>d')).toEqual(['a b c', 'd'])
    expect(read('a<br>  b <br> c')).toEqual(['a⏎b ⏎c'])
    expect(read('<p>a <i> b</i></p>')).toEqual(['a b'])
    expect(read('<p>a<i> b</i></p>')).toEqual(['a b'])
    expect(read('a\fb\r\nc')).toEqual(['a b c'])
  })

  test('that is preformatted keeps its spaces and lines, but not the last line break', () => {
    expect(read('<pre>a  b\r\n  c\rd\n</pre>')).toEqual(['preformatted a  b⏎  c⏎d'])
    expect(read('<pre>a <b>b </b></pre>x')).toEqual(['preformatted a b ', 'x'])
    expect(read('<pre>\n\na</pre>')).toEqual(['preformatted ⏎⏎a'])
  })

  test('between rows and items is dropped', () => {
    expect(read('<table> <tbody> <tr> <td>a</td> </tr> </tbody> </table>')).toEqual(['[a]'])
    expect(read('<ul> <li>a</li> </ul>')).toEqual(['-0+ a'])
    expect(read('<ol> x <li>a</li></ol>')).toEqual(['x', '10+ a'])
  })
})

describe('paragraphs', () => {
  test('can be headings, quotations, rules and preformatted text', () => {
    expect(read('<h1>a</h1><h3>b</h3><h6>c</h6>')).toEqual(['h1 a', 'h3 b', 'h6 c'])
    expect(read('<blockquote>a<blockquote><p>b</p></blockquote>c</blockquote>d')).toEqual(['>a', '>>b', '>c', 'd'])
    expect(read('<p>a</p><hr>b')).toEqual(['a', 'rule ', 'b'])
  })

  test('of lists have their list and level, and say if they carry the number', () => {
    expect(read('<ol start="3"><li>a<p>b</p></li><li>c<ul><li>d<ol><li>e</li></ol></li></ul></li></ol>f')).toEqual([
      '30+ a',
      '30 b',
      '30+ c',
      '-1+ d',
      '12+ e',
      'f',
    ])
    expect(read('<ul><li></li><li><p>a</p></li></ul>')).toEqual(['-0+ ', '-0+ a'])
    const deep = `${'<ul><li>'.repeat(12)}a`
    expect(read(deep)[0]).toBe('-8+ a')
    expect(read('<li>a</li>')).toEqual(['a'])
  })

  test('of numbered lists start at their stated number if Word accepts it', () => {
    for (const [start, first] of [
      ['0', 0],
      ['32767', 32_767],
      ['32768', 1],
      ['-1', 1],
      ['1.5', 1],
      ['x', 1],
    ] as const) {
      expect([start, ...read(`<ol start="${start}"><li>a</li></ol>`)]).toEqual([start, `${first}0+ a`])
    }
  })

  test('in a cell start new lists', () => {
    expect(read('<ul><li>a<table><tr><td>b<ul><li>c</li></ul></td></tr></table>d</li></ul>')).toEqual([
      '-0+ a',
      '[b,-0+ c]',
      '-0 d',
    ])
  })

  test('inherit their alignment and background, but not the background in a cell', () => {
    const within = 'a<p align="right">b</p><p>c</p>'
    expect(blocks(`<div align="center" style="background:red">${within}</div>`)).toMatchObject([
      { align: 'center', background: 'FF0000' },
      { align: 'right', background: 'FF0000' },
      { align: 'center', background: 'FF0000' },
    ])
    const [table] = blocks('<div style="background:red"><table><tr><td>a</td></tr></table></div>')
    const [block] = table?.kind === 'table' ? (table.rows[0]?.[0]?.blocks ?? []) : []
    expect(block).toEqual({
      kind: 'paragraph',
      style: 'body',
      heading: 0,
      quotes: 0,
      content: [{ kind: 'text', text: 'a', marks: {} }],
    })
  })
})

describe('tables', () => {
  test('have cells with spans, headers and backgrounds of their own, their rows, groups or table', () => {
    const [table] = blocks(
      '<table style="background:red"><thead style="background:lime"><tr><th colspan="2">a</th></tr></thead><tbody><tr bgcolor="blue"><td rowspan="3">b</td><td style="background:#123">c</td></tr><tr><td>d</td></tr></tbody></table>',
    )
    if (table?.kind !== 'table') throw new Error('no table')
    expect(table.rows.map((row) => row.map(({ blocks: _, ...cell }) => cell))).toEqual([
      [{ isHeader: true, columns: 2, rows: 1, background: '00FF00' }],
      [
        { isHeader: false, columns: 1, rows: 3, background: '0000FF' },
        { isHeader: false, columns: 1, rows: 1, background: '112233' },
      ],
      [{ isHeader: false, columns: 1, rows: 1, background: 'FF0000' }],
    ])
  })

  test('accept spans of whole numbers that Word accepts', () => {
    for (const [attributes, columns, rows] of [
      ['colspan="63"', 63, 1],
      ['colspan="64"', 1, 1],
      ['colspan="0"', 1, 1],
      ['colspan="1.5"', 1, 1],
      ['rowspan="1000"', 1, 1_000],
      ['rowspan="1001"', 1, 1],
    ] as const) {
      const [table] = blocks(`<table><tr><td ${attributes}>a</td></tr></table>`)
      expect([attributes, table?.kind === 'table' ? table.rows[0]?.[0] : undefined]).toMatchObject([
        attributes,
        { columns, rows },
      ])
    }
  })

  test('without rows get one for their cells, and cells without a table become text', () => {
    expect(read('<table><td>a</td><td>b</td></table>')).toEqual(['[a|b]'])
    expect(read('<td>a</td>')).toEqual(['a'])
    expect(read('<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table>')).toEqual(['[a,[b],c]'])
  })

  test('place their cells around those that span rows', () => {
    const [table] = blocks(
      '<table><tr><td rowspan="3">a</td><td>b</td><td rowspan="2" colspan="2">c</td></tr><tr><td>d</td></tr><tr></tr><tr><td>e</td><td>f</td></tr></table>',
    )
    if (table?.kind !== 'table') throw new Error('no table')
    const rows = layOutCells(table).map((row) =>
      row.map(({ cell, isContinued }) => `${short(cell.blocks).join('')}${isContinued ? '^' : ''}`).join(' '),
    )
    expect(rows).toEqual(['a b c', 'a^ d c^', 'a^ e f'])
  })

  test('have up to 63 columns', () => {
    const wide = (columns: number) => `<table><tr>${'<td>a</td>'.repeat(columns)}</tr></table>`
    expect(messageOf(wide(63))).toBeUndefined()
    expect(messageOf(wide(64))).toBe('has a table of more than 63 columns')
    expect(messageOf('<table><tr><td colspan="60">a</td><td colspan="4">b</td></tr></table>')).toBe(
      'has a table of more than 63 columns',
    )
  })
})

describe('pictures and links', () => {
  test('accept data URIs with sizes of 1 to 2,000 pixels', () => {
    const image = (attributes: string) => {
      const [block] = blocks(`<img src="data:x" ${attributes}>`)
      return block?.kind === 'paragraph' ? block.content[0] : undefined
    }
    expect(image('alt="A" width="1" height="2000"')).toEqual({
      kind: 'image',
      source: 'data:x',
      alternative: 'A',
      widthPx: 1,
      heightPx: 2_000,
    })
    for (const size of ['0', '2001', '50%', '']) {
      expect(image(`width="${size}" height="${size}"`)).toEqual({ kind: 'image', source: 'data:x', alternative: '' })
    }
    expect(messageOf('<img>')).toBe('holds a picture that is not in the text itself')
  })

  test('drop spaces around the address, and text without an address is no link', () => {
    expect(blocks('<a href=" x ">a</a><a>b</a>')).toMatchObject([
      { content: [{ marks: { link: 'x' } }, { text: 'b', marks: {} }] },
    ])
  })
})

describe('the input', () => {
  test('is HTML if it starts with a tag, and otherwise Markdown', () => {
    const first = (text: string) => {
      const result = readRichText(text)
      return result.ok ? short(result.blocks) : []
    }
    expect(first('  <p>*a*</p>')).toEqual(['*a*'])
    expect(first('*a* <b>')).toEqual(['a <b>'])
  })

  test('has a limit of characters, elements and levels', () => {
    expect(messageOf('a'.repeat(limits.richTextChars))).toBeUndefined()
    expect(messageOf('a'.repeat(limits.richTextChars + 1))).toBe('is longer than 262144 characters')
    expect(messageOf('<b></b>'.repeat(limits.richTextElements))).toBeUndefined()
    expect(messageOf('<b></b>'.repeat(limits.richTextElements + 1))).toBe('has too many elements')
    expect(messageOf('<b>'.repeat(limits.richTextDepth))).toBeUndefined()
    expect(messageOf('<b>'.repeat(limits.richTextDepth + 1))).toBe('has too many elements')
  })

  test('counts by its elements and its pieces of text', () => {
    const result = readRichText('<p>a<b>b</b><br>c</p>', 'html')
    expect(result.ok && result.elements).toBe(3 + 4)
  })

  test('ends at the first fault', () => {
    expect(messageOf('<script></script><input>')).toBe('holds <script>')
  })
})

describe('written for Word', () => {
  const styles = (more: string) => ({ 'word/styles.xml': wordPart('styles', more) })
  const body = (html: string, parts: Record<string, string> = {}, tag = p('{{rich /x}}')) => {
    const source = partText(composedPackage(wordPackage(tag, parts), { x: html }), 'word/document.xml')
    return source.slice(source.indexOf('<w:body>') + 8, source.indexOf('</w:body>'))
  }

  test('headings without a style are bold, in the size of their level, and keep with the next paragraph', () => {
    const sizes = [1, 2, 3, 4, 5, 6].map((level) => {
      const xml = body(`<h${level}>a</h${level}>`)
      expect(xml).toContain(`<w:pPr><w:keepNext/><w:outlineLvl w:val="${level - 1}"/></w:pPr>`)
      expect(xml).toContain('<w:b/><w:bCs/>')
      return Number(/<w:sz w:val="(\d+)"/.exec(xml)?.[1])
    })
    expect(sizes).toEqual([32, 28, 26, 24, 22, 22])
  })

  test('a heading with a style takes no number, size, colour or font from the tag', () => {
    const tag =
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:rPr><w:rFonts w:ascii="A"/><w:b/><w:bCs/><w:i/><w:color w:val="FF0000"/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr><w:t>{{rich /x}}</w:t></w:r></w:p>'
    const parts = styles('<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/></w:style>')
    expect(body('<h2>a</h2>', parts, tag)).toBe(
      '<w:p><w:pPr><w:pStyle w:val="H"/><w:keepNext/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">a</w:t></w:r></w:p>',
    )
  })

  test('quotations, rules, code and alignment are properties of paragraphs and runs', () => {
    expect(body('<blockquote><blockquote>a</blockquote></blockquote>')).toContain(
      '<w:ind w:left="1440" w:right="720"/>',
    )
    expect(body('<hr>')).toContain('<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>')
    expect(body('<pre>a\tb</pre>')).toContain(
      '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/></w:rPr><w:t xml:space="preserve">a</w:t><w:tab/><w:t xml:space="preserve">b</w:t>',
    )
    expect(body('<p align="justify">a</p>')).toContain('<w:jc w:val="both"/>')
    const strict = (align: string) => {
      const source =
        '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>{{rich /x}}</w:t></w:r></w:p></w:body></w:document>'
      const opened = composedPackage(wordPackage('', { 'word/document.xml': source }), {
        x: `<p align="${align}">a</p>`,
      })
      return /<w:jc w:val="(\w+)"/.exec(partText(opened, 'word/document.xml'))?.[1]
    }
    expect(['left', 'right', 'center', 'justify'].map(strict)).toEqual(['start', 'end', 'center', 'both'])
  })

  test('every mark is a property of its run', () => {
    const properties = (html: string) => /<w:rPr>(.*?)<\/w:rPr>/.exec(body(html))?.[1]
    expect(properties('<u>a</u>')).toBe('<w:u w:val="single"/>')
    expect(properties('<s>a</s>')).toBe('<w:strike/>')
    expect(properties('<mark>a</mark>')).toBe('<w:highlight w:val="yellow"/>')
    expect(properties('<sup>a</sup>')).toBe('<w:vertAlign w:val="superscript"/>')
    expect(properties('<sub>a</sub>')).toBe('<w:vertAlign w:val="subscript"/>')
    expect(properties('<a href="https://x.org">a</a>')).toBe('<w:color w:val="0563C1"/><w:u w:val="single"/>')
  })

  test('a link contains all its runs, and the next link is separate', () => {
    const xml = body('<a href="https://x.org">a<b>b</b></a>c<a href="https://y.org">d</a><a href="https://x.org">e</a>')
    const links = [...xml.matchAll(/<w:hyperlink [^>]*r:id="(\w+)"[^>]*>(.*?)<\/w:hyperlink>/g)].map(
      ([, id, inner = '']) => `${id} ${inner.replace(/<[^>]*>/g, '')}`,
    )
    expect(links).toEqual(['rIdQuireLink1 ab', 'rIdQuireLink2 d', 'rIdQuireLink1 e'])
    expect(xml.replace(/<w:hyperlink.*?<\/w:hyperlink>/g, '').replace(/<[^>]*>/g, '')).toBe('c')
  })

  test('relative sizes depend on the run, else on its style, else on the document', () => {
    const sized = (tag: string, html: string, parts: Record<string, string> = {}) =>
      /<w:sz w:val="(\d+)"/.exec(body(html, parts, tag))?.[1]
    const half = '<span style="font-size:50%">a</span>'
    const own = '<w:p><w:r><w:rPr><w:sz w:val="40"/></w:rPr><w:t>{{rich /x}}</w:t></w:r></w:p>'
    expect(sized(own, half)).toBe('20')
    const parts = styles(
      '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:rPr><w:sz w:val="30"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="B"><w:rPr><w:sz w:val="60"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="C"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="D"><w:basedOn w:val="D"/></w:style><w:style w:type="paragraph" w:styleId="E"><w:basedOn w:val="B"/><w:rPr><w:sz w:val="3277"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="F"><w:rPr><w:sz w:val="-2"/></w:rPr></w:style>',
    )
    const styled = (id: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>{{rich /x}}</w:t></w:r></w:p>`
    expect(sized(p('{{rich /x}}'), half, parts)).toBe('15')
    expect(sized(styled('C'), half, parts)).toBe('30')
    expect(sized(styled('D'), half, parts)).toBe('10')
    // A size that Word does not take counts for none.
    expect(sized(styled('E'), half, parts)).toBe('30')
    expect(sized(styled('F'), half, parts)).toBe('10')
    expect(sized(p('{{rich /x}}'), half)).toBe('10')
    expect(sized(p('{{rich /x}}'), `<h1>${half}</h1>`)).toBe('16')
  })

  test('list items are indented by their level and the quotations around them', () => {
    const indents = (html: string) => body(html).match(/<w:ind [^>]*>/g)
    expect(indents('<ul><li>a<p>b</p></li></ul>')).toEqual(['<w:ind w:left="720"/>'])
    expect(indents('<blockquote><ul><li>a<p>b</p></li></ul></blockquote>')).toEqual([
      '<w:ind w:left="1440" w:hanging="360"/>',
      '<w:ind w:left="1440"/>',
    ])
    expect(body('<ol><li>a<ol><li>b</li></ol></li></ol>').match(/<w:numPr>.*?<\/w:numPr>/g)).toEqual([
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>',
      '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr>',
    ])
  })

  test('new lists have nine levels of bullets or numbers, half an inch apart', () => {
    const numbering = (html: string) =>
      partText(composedPackage(wordPackage(p('{{rich /x}}')), { x: html }), 'word/numbering.xml')
    const text = numbering('<ol start="4"><li>a</li></ol>')
    const [bullets = '', numbers = ''] = text.match(/<w:abstractNum .*?<\/w:abstractNum>/g) ?? []
    expect([...bullets.matchAll(/w:lvlText w:val="(.)"/g)].map(([, sign]) => sign).join('')).toBe('•◦▪•◦▪•◦▪')
    expect([...numbers.matchAll(/w:numFmt w:val="(\w+)"/g)].map(([, format]) => format).slice(0, 4)).toEqual([
      'decimal',
      'lowerLetter',
      'lowerRoman',
      'decimal',
    ])
    expect([...numbers.matchAll(/w:lvlText w:val="(%\d\.)"/g)].map(([, label]) => label).join('')).toBe(
      '%1.%2.%3.%4.%5.%6.%7.%8.%9.',
    )
    expect([...numbers.matchAll(/w:left="(\d+)" w:hanging="360"/g)].map(([, left]) => left)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => `${level * 720}`),
    )
    expect(text).toContain(
      '<w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num>',
    )
    expect(numbering('<ul><li>a</li></ul>')).toContain('<w:abstractNumId w:val="1"/></w:num>')
  })

  test('tables divide the text width among their columns, with lines if the template has no style for them', () => {
    const html = '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td></tr></table>'
    const xml = body(html)
    expect(xml).toContain(
      '<w:tblW w:w="5000" w:type="pct"/><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:left ',
    )
    expect(xml.match(/<w:gridCol w:w="4513"\/>/g)).toHaveLength(2)
    expect(xml.match(/<w:tcW w:w="4513" w:type="dxa"\/>/g)).toHaveLength(4)
    expect(xml.match(/<w:trPr><w:tblHeader\/><\/w:trPr>/g)).toHaveLength(1)
    expect(xml).toMatch(/<w:b\/><w:bCs\/><\/w:rPr><w:t xml:space="preserve">a/)
    const styled = body(html, styles('<w:style w:type="table" w:styleId="G"><w:name w:val="Table Grid"/></w:style>'))
    expect(styled).toContain('<w:tblPr><w:tblStyle w:val="G"/><w:tblW w:w="5000" w:type="pct"/></w:tblPr>')
    expect(body('<table><tr><th>a</th><td>b</td></tr></table>')).not.toContain('tblHeader')
  })

  test('cells state their spans, and take no indent, number, border or frame from the tag', () => {
    const tag =
      '<w:p><w:pPr><w:keepNext/><w:framePr w:w="1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:pBdr/><w:ind w:left="1"/><w:jc w:val="right"/></w:pPr><w:r><w:t>{{rich /x}}</w:t></w:r></w:p><w:p/>'
    const xml = body(
      '<table><tr><td rowspan="2" colspan="2">a</td><td bgcolor="red">b</td></tr><tr><td>c</td></tr></table>',
      {},
      tag,
    )
    expect(xml).toContain(
      '<w:tcPr><w:tcW w:w="6016" w:type="dxa"/><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>',
    )
    expect(xml).toContain('<w:tcPr><w:tcW w:w="6016" w:type="dxa"/><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr><w:p>')
    expect(xml).toContain(
      '<w:tcPr><w:tcW w:w="3008" w:type="dxa"/><w:shd w:val="clear" w:color="auto" w:fill="FF0000"/></w:tcPr>',
    )
    expect(new Set(xml.slice(xml.indexOf('<w:tc>')).match(/<w:pPr>.*?<\/w:pPr>/g))).toEqual(
      new Set(['<w:pPr><w:jc w:val="right"/></w:pPr>']),
    )
  })

  test('an empty paragraph a twentieth of a line high separates tables, but only where needed', () => {
    const separator = '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>'
    const table = '<table><tr><td>a</td></tr></table>'
    const count = (html: string, tag: string) => body(html, {}, tag).split(separator).length - 1
    const tag = p('{{rich /x}}')
    const word = '<w:tbl><w:tblPr/><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>'
    expect(count(table, tag + p('b'))).toBe(0)
    expect(count(table + table, tag + p('b'))).toBe(1)
    expect(count(`${table}c${table}`, tag + p('b'))).toBe(0)
    expect(count(table, tag)).toBe(1)
    expect(count(table, `${tag}<w:sectPr/>`)).toBe(1)
    expect(count(table, tag + word)).toBe(1)
    expect(count(table, word + tag + p('b'))).toBe(1)
    expect(count(`c${table}`, word + tag + p('b'))).toBe(0)
    expect(count(`<table><tr><td>a${table}</td></tr></table>`, tag + p('b'))).toBe(1)
  })
})
