import { expect, test } from 'bun:test'
import { dump, layoutOf, p, wordDocument } from './word.ts'

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
