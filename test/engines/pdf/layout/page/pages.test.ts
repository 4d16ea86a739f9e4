import { describe, expect, test } from 'bun:test'
import { plainPng } from '../../documents.ts'
import { dump, dumpShapes, layoutOf, p, picture, smallSection, textFrames, wordDocument } from '../../word.ts'

/*
 * Goldens of small pages, checkable by hand: the text area is 50..250 pt across and starts 50 pt down; Arial 10 pt has
 * a line pitch of 11.499 pt and its first baseline 9.380 pt below the line's top.
 */
const long = 'The quick brown fox jumps over the lazy dog and then returns home by another way entirely.'

describe('pages', () => {
  const lines = (count: number, properties = '') =>
    Array.from({ length: count }, (_, index) => p(`Line ${index + 1}`, properties)).join('')
  const texts = (body: string) =>
    layoutOf(wordDocument(body)).pages.map((page) => dump(page).map((line) => line.split(' ').slice(1).join(' ')))

  test('hold 26 lines of 11.5 pt in 300 pt', () => {
    const pages = texts(lines(30))
    expect(pages.map((page) => page.length)).toEqual([26, 4])
    expect(pages[1]![0]).toBe('Line 27')
  })

  test('break before a paragraph and after a break in a run, and never twice', () => {
    const run = '<w:p><w:r><w:t>before</w:t><w:br w:type="page"/><w:t>behind</w:t></w:r></w:p>'
    expect(texts(p('a') + p('b', '<w:pageBreakBefore/>') + run)).toEqual([['a'], ['b', 'before'], ['behind']])
    expect(texts(p('first', '<w:pageBreakBefore/>'))).toEqual([['first']])
  })

  test('never leave the last line of a paragraph alone at the head of a page', () => {
    const twice = `${long} ${long}`
    const rows = texts(p(twice))[0]!.length
    const fitting = lines(26 - rows + 1)
    expect(texts(fitting + p(twice)).map((page) => page.length)).toEqual([25, 2])
    expect(texts(fitting + p(twice, '<w:widowControl w:val="0"/>')).map((page) => page.length)).toEqual([26, 1])
  })

  test('never leave the first line of a paragraph alone at the foot of a page', () => {
    const pages = texts(lines(25) + p(long))
    expect(pages[0]).toHaveLength(25)
    expect(pages[1]).toHaveLength(3)
    const loose = texts(lines(25) + p(long, '<w:widowControl w:val="0"/>'))
    expect(loose.map((page) => page.length)).toEqual([26, 2])
  })

  test('keep a heading with the paragraph that follows it', () => {
    const pages = texts(lines(25) + p('Heading', '<w:keepNext/>') + p('body'))
    expect(pages).toEqual([expect.any(Array), ['Heading', 'body']])
    expect(pages[0]).toHaveLength(25)
  })

  test('a chain of keep-next paragraphs longer than a page is set without keeping it together', () => {
    expect(texts(lines(60, '<w:keepNext/>')).length).toBe(3)
  })

  test('every section with a title page shows its own first header there, and no other section does', () => {
    const section = (first: string) =>
      `<w:headerReference w:type="default" r:id="rest"/><w:headerReference w:type="first" r:id="${first}"/>${smallSection}`
    const ended = (properties: string) => `<w:p><w:pPr><w:sectPr>${properties}</w:sectPr></w:pPr></w:p>`
    const body = `${lines(30)}${ended(`${section('one')}<w:titlePg/>`)}${lines(30)}${ended(section('two'))}${lines(30)}`
    const layout = layoutOf(
      wordDocument(body, {
        headers: { rest: p('rest'), one: p('one'), two: p('two'), three: p('three') },
        section: `${section('three')}<w:titlePg/>`,
      }),
    )
    const headers = layout.pages.map((page) => dump(page)[0]!.split(' ')[1])
    expect(headers).toEqual(['one', 'rest', 'rest', 'rest', 'three', 'rest'])
  })

  test('headers, footers and page fields depend on the page: first, even and default', () => {
    const field = (code: string) => `<w:fldSimple w:instr=" ${code} "><w:r><w:t>?</w:t></w:r></w:fldSimple>`
    const story = (name: string) =>
      `<w:p><w:r><w:t xml:space="preserve">${name} </w:t></w:r>${field('PAGE')}<w:r><w:t>/</w:t></w:r>${field('NUMPAGES')}</w:p>`
    const layout = layoutOf(
      wordDocument(lines(60), {
        section:
          '<w:headerReference w:type="default" r:id="header1"/><w:headerReference w:type="first" r:id="header2"/><w:headerReference w:type="even" r:id="header3"/>' +
          `${smallSection}<w:titlePg/>`,
        headers: { header1: story('default'), header2: story('first'), header3: story('even') },
        settings: '<w:evenAndOddHeaders/>',
      }),
    )
    const heads = layout.pages.map((page) =>
      textFrames(page)
        .filter((frame) => frame.node === -1)
        .map((frame) => frame.text)
        .join(''),
    )
    expect(heads).toEqual(['first 1/3', 'even 2/3', 'default 3/3'])
  })

  test('a page count in the body is the real count, not the stored one', () => {
    const count =
      '<w:p><w:r><w:t xml:space="preserve">of </w:t></w:r><w:fldSimple w:instr="NUMPAGES"><w:r><w:t>99</w:t></w:r></w:fldSimple></w:p>'
    expect(texts(count + lines(40))[0]![0]).toBe('of 2')
  })

  test('sections change paper and columns, and continuous sections stay on the page', () => {
    const wide =
      '<w:p><w:pPr><w:sectPr><w:pgSz w:w="8000" w:h="6000"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="0" w:footer="0" w:gutter="0"/></w:sectPr></w:pPr></w:p>'
    const body = p('wide') + wide + p('narrow')
    const layout = layoutOf(wordDocument(body))
    expect(layout.pages.map((page) => [page.width, page.height])).toEqual([
      [400, 300],
      [300, 400],
    ])
    const columns = layoutOf(
      wordDocument(
        `${p('top')}<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>${p('left')}<w:p><w:r><w:br w:type="column"/><w:t>right</w:t></w:r></w:p>`,
        {
          section: `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`,
        },
      ),
    )
    expect(columns.pages).toHaveLength(1)
    const frames = textFrames(columns.pages[0]!)
    expect(frames.map((frame) => [frame.text, frame.x])).toEqual([
      ['top', 50],
      ['left', 50],
      ['right', 160],
    ])
    expect(frames[2]!.y).toBeCloseTo(frames[1]!.y, 3)
  })

  test('a continuous section goes on with the next page where this one is full', () => {
    const end = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>end</w:t></w:r></w:p>`
    const { pages } = layoutOf(
      wordDocument(lines(25) + end + p('next'), { section: `<w:type w:val="continuous"/>${smallSection}` }),
    )
    expect(pages.map((page) => dump(page).at(-1))).toEqual(['50.0,346.9 end', '50.0,59.4 next'])
  })

  test('a row that ends its page has room for its lower edge there', () => {
    const row = `<w:tr><w:tc>${p('cell')}</w:tc></w:tr>`
    const table = (name: string, width: number) =>
      `<w:tbl><w:tblPr><w:tblBorders><w:${name} w:val="single" w:sz="${width * 8}" w:color="000000"/></w:tblBorders></w:tblPr>` +
      `<w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${row}${row}</w:tbl>`
    const counts = (before: number, body: string) => texts(lines(before) + body).map((page) => page.length)
    // 25 lines and a row are 299 of 300 pt.
    expect([counts(25, table('insideH', 0)), counts(25, table('insideH', 6))]).toEqual([
      [26, 1],
      [25, 2],
    ])
    expect([counts(24, table('bottom', 0)), counts(24, table('bottom', 6))]).toEqual([[26], [25, 1]])
  })

  test('headings are in the outline in the order of the text, with the page that each is on', () => {
    const heading = (title: string, level: number) => p(title, `<w:outlineLvl w:val="${level}"/>`)
    const body = heading('A', 0) + lines(30) + heading('B', 1) + heading('C', 0)
    const { outline } = layoutOf(wordDocument(body))
    expect(outline.map(({ title, level, page }) => [title, level, page])).toEqual([
      ['A', 0, 0],
      ['B', 1, 1],
      ['C', 0, 1],
    ])
    expect(outline[0]!.y).toBe(50)
  })

  test('footnotes are at the bottom of the page that refers to them', () => {
    const body = `<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>${lines(30)}`
    const footnotes =
      '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> A note.</w:t></w:r></w:p></w:footnote>'
    const [first, second] = layoutOf(wordDocument(body, { footnotes })).pages
    expect(dump(first!).at(-1)).toBe('50.0,347.9 1 A note.')
    expect(dump(second!).join()).not.toContain('note')
    expect(
      textFrames(first!)
        .filter((frame) => frame.text.startsWith('Line'))
        .at(-1)!.y,
    ).toBeLessThan(330)
  })
})

describe('notes', () => {
  test('the rule above footnotes takes the room of its own paragraph, and is 5 pt above the first note', () => {
    const footnotes = (spacing: string) =>
      `<w:footnote w:type="separator" w:id="-1">${p('', spacing)}</w:footnote>` +
      '<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote>'
    const body = `<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>${Array.from({ length: 30 }, (_, index) => p(`Line ${index}`)).join('')}`
    const pageWith = (spacing: string) => layoutOf(wordDocument(body, { footnotes: footnotes(spacing) })).pages[0]!
    // 300 pt less a note and a separator of one line each, and then less three of these.
    expect(dump(pageWith('')).filter((line) => line.includes('Line'))).toHaveLength(23)
    const wide = pageWith('<w:spacing w:before="460"/>')
    expect(dump(wide).filter((line) => line.includes('Line'))).toHaveLength(21)
    expect(dumpShapes(wide)).toEqual(['line 50.0,333.5 194.0,333.5'])
  })

  test('a line whose footnote no longer fits moves to the next page with it', () => {
    const lines = Array.from({ length: 25 }, (_, index) => p(`Line ${index + 1}`)).join('')
    const referring = '<w:p><w:r><w:t>Last</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    const footnotes = '<w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote>'
    const { pages } = layoutOf(wordDocument(lines + referring, { footnotes }))
    expect(pages.map((page) => textFrames(page).length)).toEqual([25, 3])
    expect(dump(pages[1]!)).toEqual(['50.0,59.4 Last', '68.9,59.4 1', '50.0,347.9 The note.'])
  })

  const long = (count: number) =>
    `<w:footnote w:id="2">${Array.from({ length: count }, (_, index) => p(`Note ${index + 1}`)).join('')}</w:footnote>`
  const referring = '<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
  const notesOf = (docx: Uint8Array) =>
    layoutOf(docx).pages.map((page) => dump(page).filter((line) => line.includes('Note')))

  test('a footnote too long for the rest of its page continues at the bottom of the next pages, even if no text is left', () => {
    const lines = Array.from({ length: 20 }, (_, index) => p(`Line ${index + 1}`)).join('')
    // 300 pt less 21 lines and the rule's 10 pt are room for four lines of 11.5 pt.
    const pages = notesOf(wordDocument(lines + referring, { footnotes: long(6) }))
    expect(pages.map((page) => page.length)).toEqual([4, 2])
    expect(pages[0]![0]).toBe('50.0,313.4 Note 1')
    expect(pages[1]).toEqual(['50.0,336.4 Note 5', '50.0,347.9 Note 6'])
    // One page takes 25 of them beside the rule.
    expect(notesOf(wordDocument(referring, { footnotes: long(60) })).map((page) => page.length)).toEqual([24, 25, 11])
  })

  test('a footnote starts on the page of its reference, and the next one waits until it ends', () => {
    const lines = Array.from({ length: 19 }, (_, index) => p(`Line ${index + 1}`)).join('')
    const second = referring.replace('w:id="2"', 'w:id="3"')
    const footnotes = `${long(6)}<w:footnote w:id="3">${p('Note X')}</w:footnote>`
    const pages = notesOf(wordDocument(lines + referring + second, { footnotes }))
    expect(pages.map((page) => page.map((line) => line.slice(-1)).join(''))).toEqual(['12345', '6X'])
  })
})

describe('columns', () => {
  const media = { 'logo.png': plainPng(4, 4, [255, 0, 0]) }
  const floating = (wrap: string, horizontal = '<wp:posOffset>0</wp:posOffset>') =>
    picture('logo', 50, 30)
      .replace(
        '<wp:inline>',
        `<wp:anchor><wp:positionH relativeFrom="column">${horizontal}</wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>`,
      )
      .replace('<wp:docPr', `${wrap}<wp:docPr`)
      .replace('</wp:inline>', '</wp:anchor>')

  test('all columns of a section start below the space that the paragraph above asks for', () => {
    const above = (after: number) =>
      `<w:p><w:pPr><w:spacing w:after="${after}"/><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>top</w:t></w:r></w:p>`
    const section = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const columns = (after: number, before: number) => {
      const right = '<w:p><w:r><w:br w:type="column"/><w:t>right</w:t></w:r></w:p>'
      const body = above(after) + p('left', `<w:spacing w:before="${before}"/>`) + right
      return dump(layoutOf(wordDocument(body, { section })).pages[0]!).slice(1)
    }
    expect(columns(0, 0)).toEqual(['50.0,70.9 left', '160.0,70.9 right'])
    expect(columns(200, 0)).toEqual(['50.0,80.9 left', '160.0,80.9 right'])
    expect(columns(200, 300)).toEqual(['50.0,85.9 left', '160.0,80.9 right'])
  })

  test('a paragraph that continues in a column of another width has lines of that width', () => {
    const section = `${smallSection}<w:cols w:num="2" w:space="400" w:equalWidth="0"><w:col w:w="2400" w:space="400"/><w:col w:w="1200"/></w:cols>`
    const words = Array.from({ length: 200 }, (_, index) => `w${index}`)
    const shaded = '<w:shd w:val="clear" w:fill="FF0000"/>'
    const { pages } = layoutOf(wordDocument(p('above') + p(words.join(' '), shaded), { section }))
    const frames = textFrames(pages[0]!)
    const narrow = frames.filter((frame) => frame.x > 180)
    expect(narrow.length).toBeGreaterThan(10)
    expect(frames.every((frame) => frame.x + frame.width <= (frame.x > 180 ? 250.1 : 170.1))).toBe(true)
    // Nothing is lost, said twice or out of its order where the column ends.
    expect(
      pages
        .flatMap((page) => textFrames(page))
        .map((frame) => frame.text.trim())
        .join(' '),
    ).toBe(`above ${words.join(' ')}`)
    const boxes = pages[0]!.frames.flatMap((frame) => (frame.kind === 'box' ? [frame] : []))
    // As wide as the column, and 1.44 pt beyond it on each side.
    expect(new Set(boxes.map((box) => Math.round(box.width - 2 * 1.44)))).toEqual(new Set([120, 60]))
    const beside = `<w:p><w:r>${floating('<wp:wrapSquare wrapText="bothSides"/>')}</w:r><w:r><w:t>${words.join(' ')}</w:t></w:r></w:p>`
    const floated = layoutOf(wordDocument(beside, { section, media }))
    const said = floated.pages.flatMap((page) => textFrames(page)).map((frame) => frame.text.trim())
    expect(said.join(' ')).toBe(words.join(' '))
    // On the next page it is wide again.
    expect(Math.max(...textFrames(pages[1]!).map((frame) => frame.width))).toBeGreaterThan(100)
  })

  test('columns that ran over to another page are balanced there', () => {
    const columns = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const items = Array.from({ length: 61 }, (_, index) => p(`l${index}`)).join('')
    const end = `<w:p><w:pPr><w:sectPr>${columns}</w:sectPr></w:pPr><w:r><w:t>l61</w:t></w:r></w:p>`
    const docx = wordDocument(items + end + p('after'), { section: `<w:type w:val="continuous"/>${smallSection}` })
    const { pages } = layoutOf(docx)
    expect(pages).toHaveLength(2)
    const second = dump(pages[1]!)
    expect(second.filter((line) => line.startsWith('50.0,') && / l/.test(line))).toHaveLength(5)
    expect(second.filter((line) => line.startsWith('160.0,'))).toHaveLength(5)
    expect(second.at(-1)).toEndWith('after')
    expect(pages.flatMap(dump).map((line) => line.split(' ')[1])).toEqual([
      ...Array.from({ length: 62 }, (_, index) => `l${index}`),
      'after',
    ])
  })

  test('equal columns and the gaps between them are whole twips', () => {
    const section = `${smallSection}<w:cols w:num="3" w:space="425"/>`
    const column = (name: string) => `<w:p><w:r><w:br w:type="column"/><w:t>${name}</w:t></w:r></w:p>`
    const body = `${p('one')}${column('two')}${column('three')}`
    const frames = textFrames(layoutOf(wordDocument(body, { section })).pages[0]!)
    expect(frames.map((frame) => Math.round((frame.x - 50) * 1000) / 50)).toEqual([0, 1475, 2950])
    const two = section.replace('"3"', '"2"')
    const right = textFrames(layoutOf(wordDocument(`${p('one')}${column('two')}`, { section: two })).pages[0]!)[1]!
    expect((right.x - 50) * 20).toBeCloseTo(2213, 6)
  })

  test('columns are balanced below other text of their page, too', () => {
    const end = (text: string, properties: string) =>
      `<w:p><w:pPr><w:sectPr><w:type w:val="continuous"/>${smallSection}${properties}</w:sectPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
    const lines = Array.from({ length: 9 }, (_, index) => p(`l${index}`)).join('')
    const body = end('top', '') + lines + end('l9', '<w:cols w:num="2" w:space="400"/>') + p('after')
    const docx = wordDocument(body, { section: `<w:type w:val="continuous"/>${smallSection}` })
    const frames = textFrames(layoutOf(docx).pages[0]!)
    expect(frames.filter((frame) => frame.x === 160).map((frame) => frame.text)).toEqual(['l5', 'l6', 'l7', 'l8', 'l9'])
    expect(frames.at(-1)!.y).toBeCloseTo(59.4 + 6 * 11.5, 1)
  })

  test('columns are balanced before a continuous break', () => {
    const columns = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const lines = Array.from({ length: 9 }, (_, index) => p(`l${index}`)).join('')
    const docx = wordDocument(
      `${lines}<w:p><w:pPr><w:sectPr>${columns}</w:sectPr></w:pPr><w:r><w:t>l9</w:t></w:r></w:p>${p('after')}`,
      {
        section: `<w:type w:val="continuous"/>${smallSection}`,
      },
    )
    const frames = textFrames(layoutOf(docx).pages[0]!)
    expect(frames.filter((frame) => frame.x === 160).map((frame) => frame.text)).toEqual(['l5', 'l6', 'l7', 'l8', 'l9'])
    expect(frames.at(-1)!.text).toBe('after')
    expect(frames.at(-1)!.y).toBeCloseTo(59.4 + 5 * 11.499, 0)
  })
})

test('the paper colour fills every page if the document shows it', () => {
  const body = p('one') + p('two', '<w:pageBreakBefore/>')
  const colored = (settings: string) => {
    const docx = wordDocument(body, { settings, background: '<w:background w:color="ddebf7"/>' })
    return layoutOf(docx).pages.map(({ frames }) => frames[0]!)
  }
  const shown = colored('<w:displayBackgroundShape/>')
  expect(shown.length).toBe(2)
  for (const frame of shown)
    expect(frame).toEqual({ kind: 'box', x: 0, y: 0, width: 300, height: 400, color: 'DDEBF7' })
  expect(colored('').map(({ kind }) => kind)).toEqual(['text', 'text'])
})
