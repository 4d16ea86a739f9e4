import { expect, test } from 'bun:test'
import { cpuMsOf } from '../../support/cpu.ts'
import { dump, layoutOf, p, renderingOf, wordDocument } from './word.ts'

const run = (content: string) => `<w:r>${content}</w:r>`
const field = (instruction: string, data = '', result = '') =>
  run(`<w:fldChar w:fldCharType="begin">${data}</w:fldChar>`) +
  run(`<w:instrText xml:space="preserve">${instruction}</w:instrText>`) +
  (result === '' ? '' : run('<w:fldChar w:fldCharType="separate"/>') + run(`<w:t>${result}</w:t>`)) +
  run('<w:fldChar w:fldCharType="end"/>')
const shown = (...fields: string[]) =>
  dump(layoutOf(wordDocument(fields.map((content) => `<w:p>${content}</w:p>`).join(''))).pages[0]!).map((line) =>
    line.replace(/^\S+ /, ''),
  )

test('a list in a form shows the chosen entry, else its default, else the first', () => {
  const entries = ['red', 'green', 'blue'].map((name) => `<w:listEntry w:val="${name}"/>`).join('')
  const list = (state: string) =>
    field(' FORMDROPDOWN ', `<w:ffData><w:ddList>${state}${entries}</w:ddList></w:ffData>`)
  expect(shown(list('<w:result w:val="2"/><w:default w:val="1"/>'), list('<w:default w:val="1"/>'), list(''))).toEqual([
    'blue',
    'green',
    'red',
  ])
  expect(shown(list('<w:result w:val="7"/>'), run('<w:t>next</w:t>'))).toEqual(['next'])
})

test('a button shows its text or the text stored for it, and nothing if it has neither', () => {
  const buttons = [
    field(' MACROBUTTON  NoMacro [Click here and  type a "name"] '),
    field(' GOTOBUTTON "a place" there '),
    field(' MACROBUTTON NoMacro typed', '', 'stored'),
    field(' MACROBUTTON NoMacro '),
  ]
  expect(shown(...buttons)).toEqual(['[Click here and  type a "name"]', 'there', 'stored'])
})

test('a simple field leads where the complex one of the same words does', () => {
  const marked = `<w:bookmarkStart w:id="1" w:name="end"/>${run('<w:t>end</w:t>')}<w:bookmarkEnd w:id="1"/>`
  const stored = run('<w:t>there</w:t>')
  const linksOf = (content: string) =>
    layoutOf(wordDocument(`<w:p>${content}</w:p><w:p>${marked}</w:p>${p('')}`)).pages[0]!.frames.flatMap((frame) =>
      frame.kind === 'link' ? [frame.link] : [],
    )
  for (const words of ['HYPERLINK "https://example.com/a"', 'HYPERLINK \\l "end"', 'PAGEREF end \\h', 'PAGEREF end'])
    expect([words, linksOf(`<w:fldSimple w:instr=' ${words} '>${stored}</w:fldSimple>`)]).toEqual([
      words,
      linksOf(field(` ${words} `, '', 'there')),
    ])
  expect(linksOf(`<w:fldSimple w:instr='HYPERLINK "https://example.com/a"'>${stored}</w:fldSimple>`)).toEqual([
    { kind: 'uri', uri: 'https://example.com/a' },
  ])
})

test('a field that never ends is none: all text behind its beginning is shown, in its order, with a remark', () => {
  const [begin, separate, end] = ['begin', 'separate', 'end'].map((type) => run(`<w:fldChar w:fldCharType="${type}"/>`))
  const code = (text: string) => run(`<w:instrText>${text}</w:instrText>`)
  const text = (words: string) => run(`<w:t xml:space="preserve">${words}</w:t>`)
  const open = `${begin}${code(' PAGE ')}`
  const remarks = (...paragraphs: string[]) =>
    renderingOf(wordDocument(paragraphs.map((content) => `<w:p>${content}</w:p>`).join(''))).report.flatMap(
      ({ code, path }) => (code.startsWith('render.font') ? [] : `${code} ${path}`),
    )
  for (const start of [open, `${open}${separate}`, `${begin}${code(' TOC ')}`]) {
    const paragraphs = [
      `${text('one ')}${start}${text('two ')}${field(' PAGE ', '', '9')}${text(' three')}`,
      text('four'),
    ]
    expect(shown(...paragraphs)).toEqual(['one two 1 three', 'four'])
    expect(remarks(...paragraphs)).toEqual(['render.field_open word/document.xml#w:fldChar'])
  }
  // Two of them, and one inside of a cell whose text ends before.
  expect(shown(`${text('a ')}${open}${text('b ')}${open}${separate}${text('c')}`, text('d'))).toEqual(['a b c', 'd'])
  const cell = `<w:tbl><w:tr><w:tc><w:p>${open}${text('in')}</w:p></w:tc></w:tr></w:tbl>`
  expect(dump(layoutOf(wordDocument(`${cell}${p('out')}`)).pages[0]!).map((line) => line.replace(/^\S+ /, ''))).toEqual(
    [...['in', 'out']],
  )
  // A paragraph that a tracked deletion joined to the next one.
  const joined = `<w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>${open}${text('a ')}`
  expect(shown(joined, `${text('b ')}${text('c')}`)).toEqual(['a b c'])
  const guided =
    '<w:r><w:ruby><w:rt/><w:rubyBase><w:r><w:t xml:space="preserve">g </w:t></w:r></w:rubyBase></w:ruby></w:r>'
  expect(shown(joined, `${text('b ')}${guided}${text('c')}`).join('|')).toBe('a b|g|c')
  // Marks without a field show nothing and hide nothing, and a field that ends is as before.
  expect(shown(`${end}${separate}${text('x')}`, `${open}${text('no')}${separate}${text('9')}${end}`)).toEqual([
    'x',
    '1',
  ])
  expect(remarks(`${open}${separate}${text('9')}${end}`)).toEqual([])
})

test('what is inside of an instruction is not shown, whatever kind it is of', () => {
  const [begin, separate, end] = ['begin', 'separate', 'end'].map((type) => run(`<w:fldChar w:fldCharType="${type}"/>`))
  const simple = `<w:fldSimple w:instr=" PAGE ">${run('<w:t>7</w:t>')}</w:fldSimple>`
  const equation = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>'
  const inside = `${begin}${simple}${equation}${run('<w:footnoteReference w:id="1"/>')}${separate}${run('<w:t>result</w:t>')}${end}`
  expect(shown(inside)).toEqual(['result'])
})

test('fields nested beyond those that are looked at end where they end, and hide nothing behind them', () => {
  const deep = 70
  const begins = run('<w:fldChar w:fldCharType="begin"/>').repeat(deep)
  const ends = Array.from(
    { length: deep },
    (_, at) =>
      `${run('<w:fldChar w:fldCharType="separate"/>')}${run(`<w:t>r${at} </w:t>`)}${run('<w:fldChar w:fldCharType="end"/>')}`,
  )
  expect(shown(`${begins}${ends.join('')}${run('<w:t>after</w:t>')}`)).toEqual(['r69after'])
})

test('a long row of paragraphs whose marks were deleted is read in time that grows with its length', () => {
  const count = 40_000
  const joined = (at: number) =>
    `<w:p><w:pPr><w:rPr><w:del w:id="${at}"/></w:rPr></w:pPr>${run(`<w:t xml:space="preserve">x${at} </w:t>`)}</w:p>`
  const docx = wordDocument(Array.from({ length: count }, (_, at) => joined(at)).join('') + p('end'))
  let texts = 0
  const ms = cpuMsOf(() => {
    texts = layoutOf(docx).pages.flatMap(dump).join(' ').split(/ x\d/).length - 1
  })
  expect(texts).toBe(count)
  // Some 1,000 ms; it was 10 s when each paragraph moved all that was before it.
  expect(ms).toBeLessThan(5_000)
})
