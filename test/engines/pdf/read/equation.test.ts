import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type { Inline } from '../../../../src/engines/pdf/model/document.ts'
import type { Formula } from '../../../../src/engines/pdf/model/equation.ts'
import { placeOfContent, placeOfEquations, readEquation } from '../../../../src/engines/pdf/read/equation.ts'
import { element } from './elements.ts'

const read = (source: string) =>
  readEquation(element(`<m:oMath>${source}</m:oMath>`), undefined, (look) => ({ bold: look !== undefined }))
const formula = (source: string) => read(source)?.formula
const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const part = (name: string, text: string) => `<m:${name}>${r(text)}</m:${name}>`
const letter = (text: string): Formula => ({
  ...{ kind: 'text', text, style: 'italic', script: 'roman', ordinary: false, props: { bold: false } },
})
const nothing: Formula = { kind: 'row', items: [] }
/** An element with the properties that it has in front. */
const of = (name: string, properties: string, content: string) =>
  formula(`<m:${name}>${properties === '' ? '' : `<m:${name}Pr>${properties}</m:${name}Pr>`}${content}</m:${name}>`)

describe('the text of an equation', () => {
  test('is one part, or a row of several', () => {
    expect(formula(r('a'))).toEqual(letter('a'))
    expect(formula(r('a') + r('b'))).toEqual({ kind: 'row', items: [letter('a'), letter('b')] })
    expect([formula(''), formula(r(''))]).toEqual([nothing, nothing])
    expect(formula('<m:r><m:t>a</m:t><w:t>b</w:t></m:r>')).toEqual(letter('ab'))
  })

  test('keeps the look of its run', () => {
    expect(formula('<m:r><w:rPr><w:b/></w:rPr><m:t>a</m:t></m:r>')).toEqual({
      ...letter('a'),
      props: { bold: true },
    } as Formula)
  })

  test.each([
    ['', 'italic', 'roman', false],
    ['<m:sty m:val="p"/>', 'plain', 'roman', false],
    ['<m:sty m:val="b"/>', 'bold', 'roman', false],
    ['<m:sty m:val="i"/>', 'italic', 'roman', false],
    ['<m:sty m:val="bi"/>', 'boldItalic', 'roman', false],
    ['<m:sty m:val="x"/>', 'italic', 'roman', false],
    ['<m:sty w:val="p"/>', 'plain', 'roman', false],
    ['<m:scr m:val="script"/>', 'italic', 'script', false],
    ['<m:scr m:val="fraktur"/>', 'italic', 'fraktur', false],
    ['<m:scr m:val="double-struck"/>', 'italic', 'doubleStruck', false],
    ['<m:scr m:val="sans-serif"/>', 'italic', 'roman', false],
    ['<m:nor/>', 'italic', 'roman', true],
    ['<m:nor m:val="1"/>', 'italic', 'roman', true],
    ['<m:nor m:val="0"/>', 'italic', 'roman', false],
    ['<m:nor m:val="off"/>', 'italic', 'roman', false],
    ['<m:nor w:val="false"/>', 'italic', 'roman', false],
  ])('with %s is %s, %s, ordinary: %p', (properties, style, script, ordinary) => {
    expect(formula(`<m:r><m:rPr>${properties}</m:rPr><m:t>a</m:t></m:r>`)).toMatchObject({ style, script, ordinary })
  })

  test('is parted at each sign of alignment', () => {
    expect(formula(r('a&amp;=b&amp;'))).toEqual({
      kind: 'row',
      items: [letter('a'), { kind: 'align' }, letter('=b'), { kind: 'align' }],
    })
  })

  test.each(['m:oMath', 'm:box', 'w:ins', 'w:moveTo', 'w:smartTag', 'w:sdt', 'w:sdtContent', 'w:hyperlink'])(
    'is found inside %s',
    (name) => {
      expect(formula(`<${name}>${r('a')}</${name}>`)).toEqual(letter('a'))
    },
  )

  test('is found in a box as Word writes it, in a field, in the chosen alternative and in elements nobody knows', () => {
    const alternatives = `<mc:AlternateContent><mc:Choice Requires="wps">${r('a')}</mc:Choice><mc:Fallback>${r('b')}</mc:Fallback></mc:AlternateContent>`
    for (const source of [
      `<m:box><m:boxPr><m:opEmu/></m:boxPr><m:e>${r('a')}</m:e></m:box>`,
      `<w:fldSimple w:instr="SEQ">${r('a')}</w:fldSimple>`,
      `<w:customXml>${r('a')}</w:customXml>`,
      `<m:new><m:newPr>${r('x')}</m:newPr><m:e>${r('a')}</m:e></m:new>`,
      alternatives,
    ])
      expect([source, formula(source), read(source)?.linear]).toEqual([source, letter('a'), 'a'])
    for (const inside of ['<w:r><w:t>a</w:t></w:r>', '<w:ins><w:r><w:t>a</w:t></w:r></w:ins>'])
      expect([formula(inside), read(inside)?.linear]).toEqual([letter('a'), 'a'])
  })

  test('that was deleted, and what is no part of an equation, is left out', () => {
    for (const gone of ['w:del', 'w:moveFrom']) {
      const source = `<${gone}>${r('a')}</${gone}><m:ctrlPr/>${r('b')}`
      expect([formula(source), read(source)?.linear]).toEqual([letter('b'), 'b'])
    }
  })
})

describe('a structure', () => {
  test.each([
    ['', 'bar'],
    ['<m:type m:val="bar"/>', 'bar'],
    ['<m:type m:val="noBar"/>', 'noBar'],
    ['<m:type m:val="skw"/>', 'skewed'],
    ['<m:type m:val="lin"/>', 'linear'],
    ['<m:type m:val="x"/>', 'bar'],
  ] as const)('of a fraction with %s is %s', (properties, type) => {
    expect(of('f', properties, part('num', 'a') + part('den', 'b'))).toEqual({
      ...{ kind: 'fraction', over: letter('a'), under: letter('b'), type },
    })
  })

  test('of scripts has those that it is for', () => {
    const content = part('e', 'a') + part('sub', 'b') + part('sup', 'c')
    const [base, sub, sup] = ['a', 'b', 'c'].map(letter) as [Formula, Formula, Formula]
    expect(of('sSub', '', content)).toEqual({ kind: 'scripts', base, sub, before: false })
    expect(of('sSup', '', content)).toEqual({ kind: 'scripts', base, sup, before: false })
    expect(of('sSubSup', '', content)).toEqual({ kind: 'scripts', base, sub, sup, before: false })
    expect(of('sPre', '', content)).toEqual({ kind: 'scripts', base, sub, sup, before: true })
  })

  test('of a root has a degree unless it is hidden', () => {
    const content = part('deg', '3') + part('e', 'a')
    const radicand = letter('a')
    expect(of('rad', '', content)).toEqual({ kind: 'radical', degree: letter('3'), radicand })
    expect(of('rad', '<m:degHide/>', content)).toEqual({ kind: 'radical', degree: undefined, radicand })
    expect(of('rad', '<m:degHide m:val="0"/>', content)).toEqual({ kind: 'radical', degree: letter('3'), radicand })
  })

  const operator = (properties: string, content = part('sub', '1') + part('sup', 'n')) =>
    of('nary', properties, content + part('e', 'a'))

  test('of an operator is an integral, whose limits are beside it, where it names no sign', () => {
    expect(operator('')).toEqual({
      ...{ kind: 'operator', sign: '∫', sub: letter('1'), sup: letter('n'), limits: 'beside', operand: letter('a') },
    })
  })

  test.each([
    ['\u222a', 'around'],
    ['\u222b', 'beside'],
    ['\u2233', 'beside'],
    ['\u2234', 'around'],
    ['∑', 'around'],
  ])('of the operator %s has its limits %s, unless it says where', (sign, where) => {
    const chr = `<m:chr m:val="${sign}"/>`
    expect(operator(chr)).toMatchObject({ sign, limits: where })
    expect(operator(`${chr}<m:limLoc m:val="undOvr"/>`)).toMatchObject({ limits: 'around' })
    expect(operator(`${chr}<m:limLoc m:val="subSup"/>`)).toMatchObject({ limits: 'beside' })
  })

  test('of an operator lacks limits that are hidden, empty or left out', () => {
    expect(operator('<m:subHide m:val="on"/>')).toMatchObject({ sub: undefined, sup: letter('n') })
    expect(operator('<m:supHide/>')).toMatchObject({ sub: letter('1'), sup: undefined })
    expect(operator('', '<m:sub/>')).toMatchObject({ sub: undefined, sup: undefined })
  })

  test('of delimiters has round brackets and a bar, which grow, unless it says otherwise', () => {
    const items = [letter('a'), letter('b')]
    const content = `${part('e', 'a')}${part('e', 'b')}`
    const usual = { kind: 'delimited', open: '(', close: ')', separator: '|', items, grows: true } as const
    expect(of('d', '', content)).toEqual(usual)
    const stated = '<m:begChr m:val="["/><m:sepChr m:val=";"/><m:endChr m:val=""/><m:grow m:val="0"/>'
    expect(of('d', stated, content)).toEqual({ ...usual, open: '[', close: '', separator: ';', grows: false })
    expect(of('d', '<m:grow/>', '<m:e/>')).toEqual({ ...usual, items: [nothing] })
  })

  test('of a matrix has its rows, and its columns as they are aligned', () => {
    const row = (...texts: string[]) => `<m:mr>${texts.map((text) => part('e', text)).join('')}</m:mr>`
    const column = (...properties: string[]) => `<m:mc><m:mcPr>${properties.join('')}</m:mcPr></m:mc>`
    const columns = [
      column('<m:mcJc m:val="left"/>', '<m:count m:val="2"/>'),
      column('<m:mcJc m:val="right"/>'),
      column('<m:mcJc m:val="center"/>'),
      column('<m:mcJc m:val="inside"/>', '<m:count m:val="0"/>'),
    ]
    expect(of('m', `<m:mcs>${columns.join('')}</m:mcs>`, row('a', 'b') + row('c'))).toEqual({
      kind: 'matrix',
      rows: [[letter('a'), letter('b')], [letter('c')]],
      align: ['left', 'left', 'right', 'center', 'center'],
    })
    expect(of('m', '', row('a'))).toEqual({ kind: 'matrix', rows: [[letter('a')]], align: [] })
    const many = `<m:mcs>${column(`<m:count m:val="${limits.renderMathColumns + 1}"/>`)}</m:mcs>`
    expect(of('m', many, '')).toMatchObject({ align: Array(limits.renderMathColumns).fill('center') })
  })

  test('of stacked lines, of limits and of a function', () => {
    expect(of('eqArr', '', part('e', 'a') + part('e', 'b'))).toEqual({
      kind: 'stack',
      rows: [letter('a'), letter('b')],
    })
    const limit = part('e', 'a') + part('lim', 'b')
    const shared = { kind: 'limit', base: letter('a'), limit: letter('b') } as const
    expect([of('limLow', '', limit), of('limUpp', '', limit)]).toEqual([
      { ...shared, side: 'below' },
      { ...shared, side: 'above' },
    ])
    expect(of('func', '', part('fName', 'sin') + part('e', 'a'))).toEqual({
      ...{ kind: 'function', name: letter('sin'), argument: letter('a') },
    })
  })

  test('of a mark, a bar, a brace or a frame is over, under or around its content', () => {
    const base = letter('a')
    const e = part('e', 'a')
    expect(of('acc', '', e)).toEqual({ kind: 'accent', base, mark: '\u0302' })
    expect(of('acc', '<m:chr m:val="~"/>', e)).toEqual({ kind: 'accent', base, mark: '~' })
    expect([of('bar', '', e), of('bar', '<m:pos m:val="top"/>', e)]).toEqual([
      { kind: 'bar', base, side: 'below' },
      { kind: 'bar', base, side: 'above' },
    ])
    expect(of('groupChr', '', e)).toEqual({ kind: 'brace', base, sign: '\u23df', side: 'below' })
    expect(of('groupChr', '<m:chr m:val="→"/><m:pos m:val="top"/>', e)).toEqual({
      kind: 'brace',
      base,
      sign: '→',
      side: 'above',
    })
    expect(of('borderBox', '', e)).toEqual({ kind: 'framed', base })
    expect([of('phant', '', e), of('phant', '<m:show/>', e)]).toEqual([base, base])
    expect(of('phant', '<m:show m:val="0"/>', e)).toEqual({ kind: 'phantom', base })
  })
})

describe('an equation', () => {
  test('has its place and its text in one line', () => {
    const made = readEquation(element(`<m:oMath>${r('a')}${r('b')}</m:oMath>`), 'left', () => ({}))
    expect(made).toMatchObject({ display: 'left', linear: 'ab' })
  })

  test('is not laid out with more characters or levels than their limits', () => {
    expect(read(r('a'.repeat(limits.renderMathChars - 1)))).toBeDefined()
    expect(read(r('a'.repeat(limits.renderMathChars)))).toBeUndefined()
    const nested = (levels: number) => `${'<m:box>'.repeat(levels)}${r('a')}${'</m:box>'.repeat(levels)}`
    expect(read(nested(limits.renderMathDepth - 1))).toBeDefined()
    expect(read(nested(limits.renderMathDepth))).toBeUndefined()
  })

  test.each([
    ['', 'center'],
    ['<m:jc m:val="left"/>', 'left'],
    ['<m:jc m:val="right"/>', 'right'],
    ['<m:jc m:val="centerGroup"/>', 'center'],
  ])('on a line of its own with "%s" is at the %s', (properties, place) => {
    expect(placeOfEquations(element(`<m:oMathPara><m:oMathParaPr>${properties}</m:oMathParaPr></m:oMathPara>`))).toBe(
      place as 'left',
    )
  })

  test('gives its place to a paragraph that holds nothing else to be seen', () => {
    const equation = (display?: 'left' | 'right') => ({ kind: 'equation', equation: { display } }) as Inline
    const text = (shown: string) => ({ kind: 'text', text: shown }) as Inline
    const [bookmark, lineBreak] = [{ kind: 'bookmark' }, { kind: 'break' }] as Inline[]
    expect(placeOfContent([bookmark!, text('  '), equation('left'), lineBreak!, equation('right')])).toBe('left')
    expect(placeOfContent([equation('right')])).toBe('right')
    expect(placeOfContent([])).toBeUndefined()
    expect(placeOfContent([equation('left'), text('and')])).toBeUndefined()
    expect(placeOfContent([equation('left'), equation()])).toBeUndefined()
    expect(placeOfContent([{ kind: 'tab' } as unknown as Inline, equation('left')])).toBeUndefined()
  })
})
