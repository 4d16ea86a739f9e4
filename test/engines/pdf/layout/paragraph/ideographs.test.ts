import { describe, expect, test } from 'bun:test'
import type { Page, TextFrame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { layoutOf, p, textFrames, type WordParts, wordDocument } from '../../word.ts'

// No font of the executable has ideographs: their boxes are as wide as the font's `.notdef`, which is all that counts here.
const size = '<w:sz w:val="20"/>'

function pageOf(body: string, parts: WordParts = {}): Page {
  return layoutOf(wordDocument(body, parts)).pages[0]!
}

/** In a document whose punctuation gives way at the end of a line. */
const compressed = {
  settings: '<w:characterSpacingControl w:val="compressPunctuation"/>',
}

function linesOf(body: string, parts?: WordParts): string[] {
  const lines = new Map<number, string>()
  for (const frame of textFrames(pageOf(body, parts))) lines.set(frame.y, (lines.get(frame.y) ?? '') + frame.text)
  return [...lines.values()]
}

function rightEdge(frames: readonly TextFrame[]): number {
  return Math.max(...frames.map((frame) => frame.x + frame.width))
}

/** How many ideographs fit the 200 points of a line. */
const perLine = linesOf(p('国'.repeat(80), '', size))[0]!.length

describe('lines of ideographs', () => {
  test('can end between any two of them', () => {
    expect(perLine).toBeGreaterThan(10)
    expect(linesOf(p('国'.repeat(perLine + 3), '', size)).map((line) => line.length)).toEqual([perLine, 3])
  })

  test('never begin with a closing bracket and never end with an opening one', () => {
    const closing = linesOf(p(`${'国'.repeat(perLine)}」国`, '<w:overflowPunct w:val="0"/>', size), compressed)
    expect(closing).toEqual(['国'.repeat(perLine - 1), '国」国'])
    const opening = linesOf(p(`${'国'.repeat(perLine - 1)}「国国`, '', size))
    expect(opening).toEqual(['国'.repeat(perLine - 1), '「国国'])
  })

  test('can begin with a closing bracket if the document turns the rules off', () => {
    const text = `${'国'.repeat(perLine)}」国`
    const lines = linesOf(p(text, '<w:kinsoku w:val="0"/><w:overflowPunct w:val="0"/>', size))
    expect(lines).toEqual(['国'.repeat(perLine), '」国'])
    // They end between any two, not only where a blank is.
    const [first] = linesOf(p(`i ${'国'.repeat(perLine)}`, '<w:kinsoku w:val="0"/>', size))
    expect([...first!].filter((character) => character === '国').length).toBeGreaterThan(perLine - 2)
  })

  test('are stretched at blanks alone where they are of Hangul', () => {
    const line = (word: string) => {
      const frames = textFrames(pageOf(p(`${word} `.repeat(12), '<w:jc w:val="both"/>', size)))
      return frames
        .filter((frame) => frame.y === frames[0]!.y)
        .flatMap(({ text, shifts }) => (text === word ? shifts : []))
    }
    expect(new Set(line('가나다라'))).toEqual(new Set([0]))
    expect(line('国国国国').some((shift) => shift !== 0)).toBe(true)
  })

  test('let one punctuation mark hang outside the right edge', () => {
    const text = p(`${'国'.repeat(perLine)}。国`, '', size)
    const frames = textFrames(pageOf(text, compressed))
    const first = frames.filter((frame) => frame.y === frames[0]!.y)
    expect(first.map((frame) => frame.text).join('')).toBe(`${'国'.repeat(perLine)}。`)
    expect(rightEdge(first)).toBeGreaterThan(250)
    // Not where punctuation keeps its width, as it does in documents that say nothing.
    const kept = ['国'.repeat(perLine - 1), '国。国']
    expect(linesOf(text)).toEqual(kept)
    expect(linesOf(text, { settings: compressed.settings.replace('compressPunctuation', 'doNotCompress') })).toEqual(
      kept,
    )
  })

  test('let no punctuation hang after Latin letters, or if the next character belongs to the line', () => {
    for (let letters = 1; letters < 9; letters++) {
      const text = `${'国'.repeat(perLine - 2)}${'i'.repeat(letters)}。国国国`
      expect(rightEdge(textFrames(pageOf(p(text, '', size), compressed)))).toBeLessThan(250.1)
    }
    const behind = linesOf(p(`${'国'.repeat(perLine)}。」国`, '', size), compressed)
    expect(behind).toEqual(['国'.repeat(perLine - 1), '国。」国'])
  })

  test('need no room for the space between scripts at the end of a line', () => {
    const width = rightEdge(textFrames(pageOf(p('国'.repeat(perLine), '', size)))) - 50
    const indent = `<w:ind w:right="${Math.floor((200 - width) * 20)}"/>`
    expect(linesOf(p(`${'国'.repeat(perLine)}a`, indent, size))).toEqual(['国'.repeat(perLine), 'a'])
    expect(linesOf(p(`${'国'.repeat(perLine - 1)}a`, indent, size))).toEqual([`${'国'.repeat(perLine - 1)}a`])
  })

  test('let fewer marks hang in Japanese than in Chinese', () => {
    const text = `${'国'.repeat(perLine)}！国`
    const lines = (language: string) => linesOf(p(text, '', `${size}<w:lang w:eastAsia="${language}"/>`), compressed)
    expect(lines('zh-CN')).toEqual([`${'国'.repeat(perLine)}！`, '国'])
    expect(lines('ja-JP')).toEqual(['国'.repeat(perLine - 1), '国！国'])
  })

  test('stretch between the ideographs to the edge when justified', () => {
    const frames = textFrames(pageOf(p('国'.repeat(perLine + 5), '<w:jc w:val="both"/>', size)))
    const first = frames.filter((frame) => frame.y === frames[0]!.y)
    const last = frames.filter((frame) => frame.y !== frames[0]!.y)
    expect(rightEdge(first)).toBeCloseTo(250, 1)
    expect(rightEdge(last)).toBeLessThan(249)
  })

  test('keep Latin words whole, with a quarter of the font size between the scripts', () => {
    const [with_, without] = ['', '<w:autoSpaceDE w:val="0"/>'].map((spacing) =>
      rightEdge(textFrames(pageOf(p('国abc国', spacing, size)))),
    )
    expect(with_! - without!).toBeCloseTo(5, 2)
    const [digits, none] = ['', '<w:autoSpaceDN w:val="0"/>'].map((spacing) =>
      rightEdge(textFrames(pageOf(p('国12国', spacing, size)))),
    )
    expect(digits! - none!).toBeCloseTo(5, 2)
  })

  test('have no space between scripts without a style, where the document has styles but none for that', () => {
    const named = '<w:style w:type="paragraph" w:styleId="Named"><w:name w:val="Named"/></w:style>'
    const defaults = '<w:docDefaults><w:rPrDefault/></w:docDefaults>'
    const edge = (properties: string, parts: WordParts) =>
      rightEdge(textFrames(layoutOf(wordDocument(p('国abc国', properties, size), parts)).pages[0]!))
    const plain = edge('', { defaults, styles: named })
    expect(edge('<w:pStyle w:val="Named"/>', { defaults, styles: named }) - plain).toBeCloseTo(5, 2)
    expect(edge('', { defaults }) - plain).toBeCloseTo(5, 2)
    expect(edge('<w:autoSpaceDE/>', { defaults, styles: named }) - plain).toBeCloseTo(5, 2)
  })
})

describe('the East Asian font', () => {
  /** How far apart the lines of two paragraphs are, in twips. */
  const pitch = (text: string, family: string, language = 'ja-JP') => {
    const run = `<w:rFonts w:eastAsia="${family}"/><w:lang w:eastAsia="${language}"/>${size}`
    const [first, second] = textFrames(pageOf(p(text, '', run) + p(text, '', run)))
    return Math.round((second!.y - first!.y) * 20)
  }

  test('that has no Japanese has lines as high as those of MS Mincho, which Word takes for it', () => {
    // 83/64 of 10 pt; Arial's lines are 11.5 pt high.
    for (const family of ['MS Mincho', 'Arial', 'Calibri', 'Roboto', 'Century Gothic'])
      expect([family, pitch('あ', family), pitch('国', family)]).toEqual([family, 259, 259])
    expect([pitch('a', 'Roboto'), pitch('国', 'Arial', 'zh-CN')]).toEqual([230, 230])
    // Fonts that have it keep their own.
    for (const family of ['Meiryo', 'メイリオ']) expect(pitch('あ', family)).toBe(389)
    for (const family of ['Noto Sans JP', 'Yu Gothic UI', 'Hiragino Sans', '游ゴシック体'])
      expect([family, pitch('あ', family)]).not.toEqual([family, 259])
  })

  const fonts = '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="Courier New"/>'

  test('draws ideographs and their punctuation, but not the Latin letters beside them', () => {
    const frames = textFrames(pageOf(p('abc、国', '', fonts)))
    expect(frames.map((frame) => [frame.text, frame.look.font.face.family])).toEqual([
      ['abc', 'Arimo'],
      ['、国', 'Cousine'],
    ])
  })

  test('draws quotation marks only if the run has the East Asian hint', () => {
    const hinted = fonts.replace('<w:rFonts', '<w:rFonts w:hint="eastAsia"')
    const familyOf = (properties: string) => textFrames(pageOf(p('“', '', properties)))[0]!.look.font.face.family
    expect(familyOf(hinted)).toBe('Cousine')
    expect(familyOf(fonts)).toBe('Arimo')
  })

  test('is not used for letters of the hAnsi slot, which have their own font', () => {
    const frames = textFrames(pageOf(p('aé', '', '<w:rFonts w:ascii="Arial" w:hAnsi="Courier New"/>')))
    expect(frames.map((frame) => [frame.text, frame.look.font.face.family])).toEqual([
      ['a', 'Arimo'],
      ['é', 'Cousine'],
    ])
  })
})
