/** Every element, attribute and part that the engine knows by name does what it is known for. */
import { describe, expect, test } from 'bun:test'
import { readRichText } from '../../../src/engines/docx/compose/rich/blocks.ts'
import {
  compileCodes,
  compiled,
  composedBody,
  composedLines,
  composedPackage,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
  wordPart,
} from './word-package.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...list: [id: string, word: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ([id, word, target]) =>
        `<Relationship Id="${id}" Type="${office}/${word}" Target="${target}" TargetMode="External"/>`,
    )
    .join('')}</Relationships>`
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`

describe('a part', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  const filled = (type: string, source: string) => {
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${word}.document.main+xml"/><Override PartName="/x/part.xml" ContentType="${type}"/></Types>`
    const bytes = wordPackage(p('a'), { '[Content_Types].xml': types, 'x/part.xml': source })
    return partText(composedPackage(bytes, { a: 'V' }), 'x/part.xml').replace(/<[^>]*>/g, '')
  }

  test.each(['header', 'footer', 'footnotes', 'endnotes', 'comments'])('of %s is filled in its paragraphs', (kind) => {
    expect(filled(`${word}.${kind}+xml`, wordPart('hdr', p('{{/', 'a}}')))).toBe('V')
  })

  test.each([
    'application/vnd.openxmlformats-package.core-properties+xml',
    'application/vnd.openxmlformats-officedocument.extended-properties+xml',
    'application/vnd.openxmlformats-officedocument.custom-properties+xml',
    'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    'application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml',
    'application/vnd.ms-office.drawingml.diagramDrawing+xml',
  ])('of %s is filled in its texts', (type) => {
    expect(filled(type, '<x><y>{{/a}}</y> <y>b</y></x>')).toBe('V b')
  })

  test('of another kind is unchanged', () => {
    expect(filled('application/xml', '<x>{{/a}}</x>')).toBe('{{/a}}')
    expect(filled(`${word}.styles+xml`, '<x>{{/a}}</x>')).toBe('{{/a}}')
  })
})

describe('external content', () => {
  test.each(['r:id', 'r:href', 'r:link', 'r:pict'])('is removed from %s of a VML picture', (attribute) => {
    const picture = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata ${attribute}="rId1"/></v:shape></w:pict></w:r></w:p>`
    const bytes = wordPackage(picture, {
      'word/_rels/document.xml.rels': relations(['rId1', 'image', 'https://x.org/p']),
    })
    expect(partText(composedPackage(bytes, {}), 'word/document.xml')).toContain('<v:imagedata />')
  })

  test('is kept in other attributes', () => {
    const bytes = wordPackage('<w:p><w:r><w:pict><w:x r:id="rId1"/></w:pict></w:r></w:p>', {
      'word/_rels/document.xml.rels': relations(['rId1', 'image', 'https://x.org/p']),
    })
    expect(partText(composedPackage(bytes, {}), 'word/document.xml')).toContain('<w:x r:id="rId1"/>')
  })

  test.each(['w:hyperlink', 'a:hlinkClick', 'a:hlinkHover'])('can be a link with values on %s', (name) => {
    const bytes = wordPackage(`<w:p><${name} r:id="rId1">${run('x')}</${name}></w:p>`, {
      'word/_rels/document.xml.rels': relations(['rId1', 'hyperlink', 'https://x.org/%7b%7B/a%7d%7D']),
    })
    const opened = composedPackage(bytes, { a: '1' })
    expect(partText(opened, 'word/document.xml')).toContain(`<${name} r:id="rIdQuireLink1">`)
    expect(opened.relationships('word/document.xml').map(({ target }) => target)).toEqual(['https://x.org/1'])
  })

  test('is refused under any name if it would be embedded', () => {
    for (const word of ['aFChunk', 'afChunk', 'subDocument', 'frame']) {
      const parts = { 'word/_rels/document.xml.rels': relations(['rId1', word, 'x']) }
      expect([word, ...compileCodes(wordPackage(p('a'), parts))]).toContain('docx.foreign_content word/document.xml')
    }
  })
})

describe('attributes that are read aloud or shown', () => {
  test.each([
    ['wp:docPr', 'descr'],
    ['wp:docPr', 'title'],
    ['pic:cNvPr', 'descr'],
    ['pic:cNvPr', 'title'],
    ['v:shape', 'alt'],
    ['v:shape', 'title'],
    ['v:imagedata', 'o:title'],
    ['w:tblCaption', 'w:val'],
    ['w:tblDescription', 'w:val'],
  ])('are filled on %s: %s', (name, attribute) => {
    const namespaces = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
    const body = composedBody(`<w:p><w:r><${name} ${namespaces} ${attribute}="A {{/a}}"/></w:r></w:p>`, { a: '"' })
    expect(body).toContain(`${attribute}="A &quot;"`)
  })

  test('take values and blocks, but no picture beside text and no page break', () => {
    const body = (text: string) => `${p('x')}<w:p><w:r><wp:docPr id="1" name="n" descr="${text}"/></w:r></w:p>`
    expect(composedBody(body('{{#if /a}}[{{/a}}]{{#end}}'), { a: 'v' })).toContain('descr="[v]"')
    expect(compileCodes(wordPackage(body('a {{image /a}}')))).toEqual(['docx.misplaced word/document.xml#2:2'])
    expect(compileCodes(wordPackage(body('{{pagebreak}}')))).toEqual(['docx.misplaced word/document.xml#2:0'])
    expect(compileCodes(wordPackage(body('{{image /a}}{{image /a}}')))).toHaveLength(2)
  })
})

describe('paired marks across paragraphs', () => {
  test.each([
    'bookmarkStart',
    'bookmarkEnd',
    'commentRangeStart',
    'commentRangeEnd',
    'permStart',
    'permEnd',
    'moveFromRangeStart',
    'moveFromRangeEnd',
    'moveToRangeStart',
    'moveToRangeEnd',
  ])('survive the paragraph of a tag they are in: %s', (name) => {
    const mark = `<w:${name} w:id="3"/>`
    const body = `<w:p>${run('{{#if /yes}}')}${mark}</w:p>${p('x')}${p('{{#end}}')}`
    expect(composedBody(body, { yes: true })).toBe(mark + p('x'))
    const rich = composedBody(`<w:p>${run('{{rich /a}}')}${mark}</w:p>${p('y')}`, { a: 'b' })
    expect(rich.indexOf(mark)).toBeGreaterThan(rich.indexOf('</w:p>'))
  })

  test('are all that survives', () => {
    const body = `<w:p>${run('{{#if /yes}}')}<w:proofErr w:type="x"/></w:p>${p('x')}${p('{{#end}}')}`
    expect(composedBody(body, { yes: true })).toBe(p('x'))
  })
})

describe('elements that must end with a paragraph', () => {
  const loop = p('{{#each /none}}') + p('{{.}}') + p('{{#end}}')
  test.each([
    ['w:txbxContent', (inner: string) => `<w:p><w:r>${inner}</w:r></w:p>`],
    ['w:sdtContent', (inner: string) => `<w:sdt>${inner}</w:sdt>${p('x')}`],
    ['w:tc', (inner: string) => `<w:tbl><w:tr>${inner}</w:tr></w:tbl>${p('x')}`],
  ] as const)('keep one in %s', (name, around) => {
    expect(composedBody(around(`<${name}>${loop}</${name}>`), { none: [] })).toContain(`<${name}><w:p/></${name}>`)
  })

  test.each([
    ['hdr', 'header1', ''],
    ['ftr', 'footer1', ''],
    ['footnotes', 'footnotes', 'w:footnote'],
    ['endnotes', 'endnotes', 'w:endnote'],
  ] as const)('keep one in %s', (root, part, holder) => {
    const inner = holder === '' ? loop : `<${holder} w:id="2">${loop}</${holder}>`
    const bytes = wordPackage(p('x'), { [`word/${part}.xml`]: wordPart(root, inner) })
    const text = partText(composedPackage(bytes, { none: [] }), `word/${part}.xml`)
    expect(text).toMatch(/<w:p\/><\/w:\w+>/)
  })

  test('keep one in a comment, and none is added to the body', () => {
    const comments = wordPart('hdr', `<w:comment w:id="1">${loop}</w:comment>`)
    const text = partText(
      composedPackage(wordPackage(p('x'), { 'word/comments.xml': comments }), { none: [] }),
      'word/comments.xml',
    )
    expect(text).toContain('<w:comment w:id="1"><w:p/></w:comment>')
    expect(composedBody(loop, { none: [] })).toBe('')
  })

  test('get none if one stays, or if the data gives one', () => {
    const cell = (content: string) => `<w:tbl><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`
    expect(composedBody(cell(loop + p('y')), { none: [] })).toBe(cell(p('y')))
    expect(composedBody(cell(loop), { none: ['z'] })).toBe(cell(p('z')))
    expect(composedBody(cell(p('y') + p('{{#each /none}}a{{#end}}')), { none: [] })).toContain('</w:p><w:p>')
  })
})

describe('content in a paragraph besides its text', () => {
  test.each([
    'w:lastRenderedPageBreak',
    'w:softHyphen',
    'w:annotationRef',
    'w:footnoteRef',
    'w:endnoteRef',
    'w:separator',
    'w:continuationSeparator',
    'w:delText',
    'w:delInstrText',
    'w:rPr',
  ])('is removed with a paragraph of tags if it is %s, which shows nothing', (name) => {
    const body = `<w:p>${run('{{#if /yes}}')}<w:r><${name}/></w:r></w:p>${p('x')}${p('{{#end}}')}`
    expect(composedBody(body, { yes: true })).toBe(p('x'))
  })

  test.each([
    '<w:drawing/>',
    '<w:br w:type="page"/>',
    '<w:br w:type="column"/>',
    '<w:sym w:char="F0A7"/>',
    '<w:footnoteReference w:id="1"/>',
    '<w:fldChar w:fldCharType="begin"/>',
  ])('keeps the paragraph if it is %s', (element) => {
    const body = `<w:p>${run('{{#if /yes}}')}<w:r>${element}</w:r></w:p>${p('x')}${p('{{#end}}')}`
    expect(compileCodes(wordPackage(body)).length > 0 || composedBody(body, { yes: true }).includes(element)).toBe(true)
  })

  test('counts as a character of its text if it is a tab, a break or a hyphen', () => {
    for (const element of ['w:tab', 'w:br', 'w:cr', 'w:noBreakHyphen', 'w:br w:type="textWrapping"']) {
      const codes = compileCodes(wordPackage(`<w:p><w:r><${element}/><w:t>{{x}}</w:t></w:r></w:p>`))
      expect([element, ...codes]).toEqual([element, 'docx.unknown_tag word/document.xml#1:1'])
    }
    const codes = compileCodes(wordPackage('<w:p><w:r><w:br w:type="page"/><w:t>{{x}}</w:t></w:r></w:p>'))
    expect(codes).toEqual(['docx.unknown_tag word/document.xml#1:0'])
  })

  test.each(['w:del', 'w:moveFrom', 'w:pPr', 'w:rPr', 'w:sdtPr', 'w:sectPr', 'w:tblPr', 'w:trPr'])(
    'is not text if it is inside %s',
    (name) => {
      const hidden = `<${name}><w:r><w:t>zz</w:t></w:r></${name}>`
      const codes = compileCodes(wordPackage(`<w:p>${hidden}${run('{{x}}')}</w:p>`))
      expect(codes).toEqual(['docx.unknown_tag word/document.xml#1:0'])
    },
  )

  test.each(['w:del', 'w:moveFrom'])('may hold braces that are gone, inside %s', (name) => {
    expect(compileCodes(wordPackage(`<w:p><${name}><w:r><w:t>{{x}}</w:t></w:r></${name}></w:p>`))).toEqual([])
  })

  test.each(['w:delText', 'w:delInstrText'])('may hold braces that are gone, in %s', (name) => {
    expect(compileCodes(wordPackage(`<w:p><w:r><${name}>{{x}}</${name}></w:r></w:p>`))).toEqual([])
  })

  test.each(['w:sdtPr', 'w:tblPr'])('is refused if it has braces in a place that is never filled, in %s', (name) => {
    expect(compileCodes(wordPackage(`${p('a')}<${name}><w:x>{{x}}</w:x></${name}>`))).toEqual([
      'docx.misplaced word/document.xml#1:0',
    ])
  })

  test.each(['w:dataBinding', 'w15:dataBinding', 'w:showingPlcHdr'])(
    'loses %s if it is a control that is filled',
    (name) => {
      const w15 = 'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
      const control = (value: string) =>
        `<w:sdt><w:sdtPr><w:alias/><${name} ${w15}/></w:sdtPr><w:sdtContent>${p(value)}</w:sdtContent></w:sdt>`
      expect(composedBody(control('{{/a}}'), { a: 'x' })).toContain('<w:sdtPr><w:alias/></w:sdtPr>')
      expect(composedBody(control('b') + p('{{/a}}'), { a: 'x' })).toContain(`<${name} `)
      const inline = `<w:p><w:sdt><w:sdtPr><${name} ${w15}/></w:sdtPr><w:sdtContent>${run('{{rich /a}}')}</w:sdtContent></w:sdt></w:p>`
      expect(composedBody(inline, { a: 'x' })).not.toContain(`<${name} `)
    },
  )
})

describe('copies of a loop', () => {
  const loop = (inner: string) => composedBody(p('{{#each /l}}') + inner + p('{{#end}}'), { l: [1, 2] })

  test.each(['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])('keep one %s', (name) => {
    const anchor = `<${name} w:id="1"/>`
    const paragraph = name.endsWith('Reference')
      ? `<w:p><w:r>${anchor}</w:r>${run('x')}</w:p>`
      : `<w:p>${anchor}${run('x')}</w:p>`
    expect(loop(paragraph).split(anchor)).toHaveLength(2)
  })

  test.each(['w14:paraId', 'w14:textId'])('of paragraphs and rows lose %s, and others keep it', (name) => {
    const attribute = `${name}="0A1B2C3D"`
    const row = `<w:tbl><w:tblPr/><w:tr ${attribute}><w:tc>${p('x')}</w:tc></w:tr></w:tbl>`
    expect(loop(`<w:p ${attribute}>${run('x')}</w:p>${row}`)).not.toContain('0A1B2C3D')
    expect(composedBody(`<w:p ${attribute}>${run('{{/a}}')}</w:p>`, { a: '' })).toContain(attribute)
  })

  test('of controls lose their ids, and drawings get new ids', () => {
    const control = `<w:sdt><w:sdtPr><w:alias w:val="a"/><w:id w:val="5"/></w:sdtPr><w:sdtContent>${p('x')}</w:sdtContent></w:sdt>`
    expect(loop(control)).not.toContain('<w:id ')
    expect(loop(control).match(/<w:alias w:val="a"\/>/g)).toHaveLength(2)
    const drawing = '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="41" name="n"/></wp:inline></w:drawing></w:r></w:p>'
    expect([...loop(drawing).matchAll(/<wp:docPr id="(\d+)"/g)].map(([, id]) => id)).toEqual(['42', '43'])
  })

  test('number bookmarks above all existing ones, and drop one that the loop cuts', () => {
    const mark = (id: number, name = `b${id}`) => `<w:bookmarkStart w:id="${id}" w:name="${name}"/>`
    const end = (id: number) => `<w:bookmarkEnd w:id="${id}"/>`
    const whole = composedBody(
      `<w:p>${mark(7)}${run('a')}${end(7)}</w:p>${p('{{#each /l}}')}<w:p>${mark(3)}${run('x')}${end(3)}</w:p>${p('{{#end}}')}`,
      { l: [1, 2] },
    )
    expect(
      [...whole.matchAll(/bookmark\w+ w:id="(\d+)"(?: w:name="(\w+)")?/g)].map(([, id, name]) => [id, name]),
    ).toEqual([
      ['7', 'b7'],
      ['7', undefined],
      ['8', 'b3'],
      ['8', undefined],
      ['9', 'b3_2'],
      ['9', undefined],
    ])
    const endsInside = composedBody(
      `<w:p>${mark(3)}${run('a')}</w:p>${p('{{#each /l}}')}<w:p>${run('x')}${end(3)}</w:p>${p('{{#end}}')}`,
      { l: [1, 2] },
    )
    expect(endsInside).not.toContain('bookmarkEnd')
    const endsBehind = composedBody(
      `${p('{{#each /l}}')}<w:p>${mark(3)}${run('x')}</w:p>${p('{{#end}}')}<w:p>${end(3)}${run('b')}</w:p>`,
      { l: [1, 2] },
    )
    expect(endsBehind).not.toContain('bookmarkEnd')
  })

  test('keep a bookmark around two loops, or in an outer loop around an inner one', () => {
    const start = '<w:bookmarkStart w:id="3" w:name="b"/>'
    const end = '<w:bookmarkEnd w:id="3"/>'
    const around = `<w:p>${start}${run('a')}</w:p>${p('{{#each /l}}')}${p('x')}${p('{{#end}}')}<w:p>${end}${run('b')}</w:p>`
    expect(composedBody(around, { l: [1, 2] })).toContain(end)
    const nested = `<w:p>${start}${run('a')}</w:p>${p('{{#each /l}}')}${p('x')}${p('{{#end}}')}<w:p>${end}${run('b')}</w:p>`
    const ids = [...loop(nested).matchAll(/<w:bookmark(?:Start|End) w:id="(\d+)"/g)].map(([, id]) => id)
    expect(ids).toEqual(['4', '4', '5', '5'])
  })
})

describe('an update of fields', () => {
  const order =
    'hdrShapeDefaults footnotePr endnotePr compat docVars rsids attachedSchema themeFontLang clrSchemeMapping doNotIncludeSubdocsInStats doNotAutoCompressPictures forceUpgrade captions readModeInkLockDown smartTagType shapeDefaults doNotEmbedSmartTags decimalSymbol listSeparator'.split(
      ' ',
    )
  const table = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
  const settings = (content: string) => {
    const bytes = wordPackage(table, { 'word/settings.xml': wordPart('settings', content) })
    return partText(composedPackage(bytes, {}), 'word/settings.xml').replace(/ xmlns:\w+="[^"]*"/g, '')
  }

  test.each([...order.map((name) => `w:${name}`), 'm:mathPr', 'w15:chartTrackingRefBased'])(
    'is requested before %s, as the schema demands',
    (name) => {
      const spaces =
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
      expect(settings(`<w:zoom/><${name} ${spaces}/>`)).toContain(`<w:zoom/><w:updateFields w:val="true"/><${name}`)
    },
  )

  test('is requested at the end otherwise, and only once', () => {
    expect(settings('<w:zoom/>')).toContain('<w:zoom/><w:updateFields w:val="true"/></w:settings>')
    expect(settings('<w:zoom/><w:updateFields w:val="false"/>').match(/updateFields/g)).toHaveLength(1)
  })
})

describe('rich text', () => {
  const read = (html: string) => {
    const result = readRichText(html, 'html')
    return result.ok ? result.blocks : result.message
  }

  test.each([
    ['b', { bold: true }],
    ['strong', { bold: true }],
    ['i', { italic: true }],
    ['em', { italic: true }],
    ['cite', { italic: true }],
    ['dfn', { italic: true }],
    ['var', { italic: true }],
    ['u', { underline: true }],
    ['ins', { underline: true }],
    ['s', { strike: true }],
    ['strike', { strike: true }],
    ['del', { strike: true }],
    ['code', { code: true }],
    ['kbd', { code: true }],
    ['samp', { code: true }],
    ['tt', { code: true }],
    ['mark', { highlight: true }],
    ['sup', { raised: 'superscript' }],
    ['sub', { raised: 'subscript' }],
    ['small', { size: { factor: 5 / 6 } }],
    ['big', { size: { factor: 1.2 } }],
    ['span', {}],
    ['unknown', {}],
  ])('<%s> has the right look', (name, marks) => {
    expect(read(`a<${name}>b</${name}>`)).toMatchObject([
      {
        content: [
          { text: 'a', marks: {} },
          { text: 'b', marks },
        ],
      },
    ])
  })

  test.each(
    'script style iframe frame frameset object embed applet form input button select textarea svg math video audio canvas base link meta'.split(
      ' ',
    ),
  )('refuses <%s>', (name) => {
    expect(read(`<p>a</p><${name}>`)).toBe(`holds <${name}>`)
  })

  test.each(
    'p div section article header footer main aside nav figure figcaption address center dl dt dd details summary caption h1 h6 pre blockquote'.split(
      ' ',
    ),
  )('<%s> becomes a paragraph', (name) => {
    const blocks = read(`a<${name}>b</${name}>c`)
    expect(typeof blocks === 'string' ? blocks : blocks.length).toBe(3)
  })

  test.each([
    ['left', 'left'],
    ['center', 'center'],
    ['right', 'right'],
    ['justify', 'both'],
    ['start', undefined],
  ])('aligned %s is aligned the same in Word', (written, align) => {
    for (const html of [`<p align="${written}">a</p>`, `<p style="text-align:${written}">a</p>`]) {
      const [block] = read(html)
      expect(typeof block === 'object' && block.kind === 'paragraph' ? block.align : '').toBe(align as 'left')
    }
  })

  test.each(['w:hyperlink', 'w:ins', 'w:moveTo'])('makes no link inside %s, because Word allows none there', (name) => {
    const html = '<a href="https://x.org">y</a>'
    const body = `<w:p><${name} w:id="1">${run('{{rich /a}}')}</${name}>${run('b')}</w:p>`
    expect(composedBody(body, { a: html })).not.toContain('r:id=')
    expect(composedBody(`<w:p>${run('{{rich /a}}')}${run('b')}</w:p>`, { a: html })).toContain('r:id="rIdQuireLink1"')
  })
})

describe('bindings', () => {
  const required = (body: string) =>
    Object.fromEntries(
      compiled(wordPackage(body))
        .bindings.filter(({ shape }) => shape !== 'flag')
        .map((binding) => [binding.pointer, binding.required]),
    )

  test('are not required inside a condition that checks for them', () => {
    for (const [condition, isRequired] of [
      ['/a', false],
      ['/a = 1', false],
      ['/a > 1', false],
      ['/a != null', false],
      ['/a != 1', true],
      ['/a = null', true],
      ['/a = /b', true],
      ['not /a', true],
      ['not /a = 1', true],
      ['not not /a', false],
      ['1 = /a', false],
      ['/a is not empty', false],
      ['/a is empty', true],
      ['/a in [1, 2]', false],
      ['/a in [1, null]', true],
      ['/a in [1, /b]', true],
      ['/a and /b', false],
      ['/a or /b', true],
      ['/a = 1 or /a and /b', false],
      ['/b', true],
    ] as const) {
      const body = p(`{{#if ${condition}}}x{{/a}}{{#end}}`)
      const found = compiled(wordPackage(body))
        .bindings.filter((one) => one.pointer === '/a')
        .at(-1)
      expect([condition, found?.required]).toEqual([condition, isRequired])
    }
  })

  test('are not required after the else of a condition that checks whether they are missing', () => {
    for (const [condition, isRequired] of [
      ['not /a', false],
      ['/a', true],
      ['not /a = 1', false],
      ['/a != 1', false],
      ['/a = 1', true],
      ['/a is empty', false],
      ['/a is not empty', true],
      ['not /a or /b', false],
      ['not /a and /b', true],
      ['/a not in [1, 2]', false],
      ['/a not in [1, null]', true],
    ] as const) {
      const body = p(`{{#if ${condition}}}x{{#else}}{{/a}}{{#end}}`)
      const found = compiled(wordPackage(body)).bindings.at(-1)
      expect([condition, found?.required]).toEqual([condition, isRequired])
    }
  })

  test('are not required if something above them is known to exist, also inside a loop', () => {
    expect(required(p('{{#if /a}}{{/a/b}}{{/ab}}{{#end}}'))).toEqual({ '/a/b': false, '/ab': true })
    expect(required(p('{{#each /l}}{{#if ./x}}{{./x/y}}{{#end}}{{./z}}{{#end}}'))).toEqual({
      '/l': true,
      '/l/*/x/y': false,
      '/l/*/z': true,
    })
    expect(required(p('{{/a | default "x"}}{{image /b}}{{qr /c}}{{rich /d}}'))).toEqual({
      '/a': false,
      '/b': true,
      '/c': true,
      '/d': true,
    })
  })

  test('state the shape that is wanted, and the item and loop it comes from', () => {
    const body = p(
      '{{#each /l}}{{#each ./m}}{{.}}{{../n}}{{../../o}}{{@index}}{{"x"}}{{#end}}{{#end}}{{image /i}}{{barcode /c}}',
    )
    expect(compiled(wordPackage(body)).bindings.map(({ pointer, shape }) => `${pointer} ${shape}`)).toEqual([
      '/l list',
      '/l/*/m list',
      '/l/*/m/* scalar',
      '/l/*/n scalar',
      '/o scalar',
      '/i image',
      '/c scalar',
    ])
    expect(
      compiled(wordPackage(p('{{#if /a = /b}}x{{#end}}'))).bindings.map(({ pointer, shape }) => `${pointer} ${shape}`),
    ).toEqual(['/a scalar', '/b scalar'])
  })

  test('are findings if a word of loops, or a step outwards, is outside any loop', () => {
    expect(compileCodes(wordPackage(p('{{@index}} {{../a}}') + p('{{#each /l}}{{../../b}}{{#end}}')))).toEqual([
      'docx.outside_loop word/document.xml#1:0',
      'docx.outside_loop word/document.xml#1:11',
      'docx.outside_loop word/document.xml#2:12',
    ])
    expect(compileCodes(wordPackage(p('{{#each /l}}x{{#else}}{{@index}}{{#end}}')))).toEqual([
      'docx.outside_loop word/document.xml#1:22',
    ])
  })
})

describe('a list that restarts', () => {
  const level = (index: number, start: number) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%${index + 1}."/></w:lvl>`
  const own = '<w:lvl w:ilvl="1"><w:start w:val="4"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="(%2)"/></w:lvl>'
  const numbering = wordPart(
    'numbering',
    `<w:abstractNum w:abstractNumId="3">${level(0, 5)}${level(1, 2)}${level(2, 0)}</w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride><w:lvlOverride w:ilvl="1">${own}</w:lvlOverride></w:num>`,
  )
  const item = (id: number) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${run('{{.}}')}</w:p>`
  const restarted = (inner: string, parts = { 'word/numbering.xml': numbering }) =>
    composedPackage(wordPackage(p('{{#each /l restart}}') + inner + p('{{#end}}'), parts), { l: [1, 2] })

  test('keeps its own levels, and restarts every level', () => {
    const text = partText(restarted(item(9)), 'word/numbering.xml')
    const copy = (id: number) => {
      const starts = [7, 4, 0, 1, 1, 1, 1, 1, 1].map(
        (start, index) =>
          `<w:lvlOverride w:ilvl="${index}"><w:startOverride w:val="${start}"/>${index === 1 ? own : ''}</w:lvlOverride>`,
      )
      return `w:numId="${id}"><w:abstractNumId w:val="3"/>${starts.join('')}</w:num>`
    }
    expect(text).toContain(copy(10))
    expect(text).toContain(copy(11))
    expect(text.indexOf(copy(10))).toBeGreaterThan(text.indexOf('w:numId="9"'))
  })

  test('is a new list in every turn, and none if a paragraph removes its number or its list is missing', () => {
    const ids = (inner: string) =>
      [...partText(restarted(inner), 'word/document.xml').matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => id)
    expect(ids(item(9) + item(9))).toEqual(['10', '10', '11', '11'])
    expect(ids(item(0))).toEqual(['0', '0'])
    expect(ids(item(4))).toEqual(['4', '4'])
  })

  test('comes before the Mac clean-up mark, and counts above the greatest id', () => {
    const cleanUp = numbering.replace(
      '</w:numbering>',
      '<w:num w:numId="31"><w:abstractNumId w:val="3"/></w:num><w:numIdMacAtCleanup w:val="2"/></w:numbering>',
    )
    const text = partText(restarted(item(9), { 'word/numbering.xml': cleanUp }), 'word/numbering.xml')
    expect(text).toMatch(/w:numId="32".*w:numId="33".*<\/w:num><w:numIdMacAtCleanup w:val="2"\/><\/w:numbering>$/)
  })
})

test('rows and tables disappear whole, and everything around them stays', () => {
  expect(composedLines(tbl(tr('{{#each /none}}{{.}}', '{{#end}}'), tr('a', 'b')), { none: [] })).toEqual(['a', 'b'])
  expect(
    composedBody(tbl(tr('{{#each /none}}{{.}}', '{{#end}}'), tr('{{#each /none}}{{.}}', '{{#end}}')), { none: [] }),
  ).toBe('')
  expect(
    composedBody(
      tbl(tr('{{#if /no}}', ''), tr(tbl(tr('{{#each /none}}{{.}}', 'x{{#end}}')) + p('y'), ''), tr('{{#end}}', '')),
      {
        none: [],
        no: true,
      },
    ),
  ).toBe(tbl(tr(p('y'), '')))
})
