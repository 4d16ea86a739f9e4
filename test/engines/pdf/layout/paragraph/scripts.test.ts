import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import devanagari from '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf' with {
  type: 'file',
}
import { embeddedSources } from '../../../../../src/engines/pdf/font/embedded.ts'
import { BLANK_GLYPH } from '../../../../../src/engines/pdf/font/face.ts'
import { createFontLibrary, fontSourcesOf } from '../../../../../src/engines/pdf/font/library.ts'
import { glyphsOf, type Page, type TextFrame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { shapePlan } from '../../../../../src/engines/pdf/layout/paragraph/shaping.ts'
import { layoutDocx, renderPdf } from '../../../../../src/engines/pdf/pdf.ts'
import { embeddingLevels, visualRuns } from '../../../../../src/engines/pdf/text/bidi.ts'
import { needs, qpdfCheck, save, textOf } from '../../tools.ts'
import { p, picture, textFrames, wordDocument } from '../../word.ts'
import { planOf } from './plans.ts'

const fonts = createFontLibrary([
  ...embeddedSources(),
  ...fontSourcesOf(readFileSync(naskh)),
  ...fontSourcesOf(readFileSync(devanagari)),
])
const poppler = needs('pdftotext')
const qpdf = needs('qpdf')

function pageOf(body: string): Page {
  const outcome = layoutDocx(wordDocument(body), { fonts })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value.pages[0]!
}

function pdfOf(body: string): Uint8Array {
  const outcome = renderPdf(wordDocument(body), { fonts })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value.pdf
}

const arabic = '<w:rFonts w:cs="Noto Naskh Arabic"/><w:szCs w:val="24"/><w:rtl/>'
const hindi = '<w:rFonts w:cs="Noto Sans Devanagari"/><w:szCs w:val="24"/>'

/** The frames of a page from left to right, as the text of each. */
function leftToRight(page: Page): string[] {
  return [...textFrames(page)].sort((a, b) => a.x - b.x).map((frame) => frame.text.trim())
}

function rightEdge(frame: TextFrame): number {
  return frame.x + frame.width
}

describe('right-to-left paragraphs', () => {
  test('start at the right edge', () => {
    const [frame] = textFrames(pageOf(p('שלום', '<w:bidi/>', '<w:rtl/>')))
    expect(rightEdge(frame!)).toBeCloseTo(250, 1)
    expect(frame!.x).toBeGreaterThan(200)
  })

  test('measure their indents from the right, including hanging ones', () => {
    const lines = textFrames(
      pageOf(p(`${'שלום '.repeat(14)}`, '<w:bidi/><w:ind w:left="400" w:hanging="200"/>', '<w:rtl/>')),
    )
    expect(lines.length).toBeGreaterThan(1)
    expect(rightEdge(lines[0]!)).toBeCloseTo(240, 1)
    expect(rightEdge(lines[1]!)).toBeCloseTo(230, 1)
  })

  test('swap alignment: left is where the line starts, right is where it ends', () => {
    const [left] = textFrames(pageOf(p('שלום', '<w:bidi/><w:jc w:val="left"/>', '<w:rtl/>')))
    const [right] = textFrames(pageOf(p('שלום', '<w:bidi/><w:jc w:val="right"/>', '<w:rtl/>')))
    expect(rightEdge(left!)).toBeCloseTo(250, 1)
    expect(right!.x).toBeCloseTo(50, 1)
  })

  test('measure their tabs from the right', () => {
    const page = pageOf(
      `<w:p><w:pPr><w:bidi/><w:tabs><w:tab w:val="left" w:pos="2000"/></w:tabs></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>אב</w:t><w:tab/><w:t>גד</w:t></w:r></w:p>`,
    )
    expect(leftToRight(page)).toEqual(['גד', 'אב'])
    const [second, first] = [...textFrames(page)].sort((a, b) => a.x - b.x)
    expect(rightEdge(first!)).toBeCloseTo(250, 1)
    expect(rightEdge(second!)).toBeCloseTo(150, 1)
  })

  test('justify to both edges except in the last line', () => {
    const lines = textFrames(pageOf(p('שלום עולם '.repeat(10), '<w:bidi/><w:jc w:val="both"/>', '<w:rtl/>')))
    const byLine = new Map<number, TextFrame[]>()
    for (const frame of lines) byLine.set(frame.y, [...(byLine.get(frame.y) ?? []), frame])
    const [first, ...rest] = [...byLine.values()]
    expect(rest.length).toBeGreaterThan(0)
    expect(Math.min(...first!.map((frame) => frame.x))).toBeCloseTo(50, 0)
    expect(Math.max(...first!.map(rightEdge))).toBeCloseTo(250, 0)
  })
})

describe('mixed directions', () => {
  test('Hebrew inside a Latin line reads from right to left, and the line from left to right', () => {
    const page = pageOf(
      `<w:p><w:r><w:t xml:space="preserve">one </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>אב גד</w:t></w:r><w:r><w:t xml:space="preserve"> two</w:t></w:r></w:p>`,
    )
    const frames = leftToRight(page)
    expect(frames[0]).toBe('one')
    expect(frames.at(-1)).toBe('two')
    const hebrew = textFrames(page).filter((frame) => /[א-ת]/.test(frame.text))
    expect(hebrew.flatMap((frame) => frame.units ?? []).join('')).toBe('דג בא')
  })

  test.each([
    ['<w:bdo w:val="rtl">', 'bcd 12', 'a 21 dcb e'],
    ['<w:bdo w:val="ltr">', 'אבג 12', 'a אבג 12 e'],
    ['<w:dir w:val="rtl">', 'bcd! אב', 'a בא !bcd e'],
    ['<w:dir w:val="ltr">', 'bcd! אב', 'a bcd! בא e'],
  ])('text within %s reads in that direction', (open, text, shown) => {
    const run = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
    const close = open.replace(/<(\S+) .*/, '</$1>')
    const frames = textFrames(pageOf(`<w:p>${run('a ')}${open}${run(text)}${close}${run(' e')}</w:p>`))
    const inOrder = frames.toSorted((a, b) => a.x - b.x)
    expect(inOrder.map((frame) => (frame.units ?? [...frame.text]).join('')).join('')).toBe(shown)
  })

  const shownIn = (content: string) =>
    textFrames(pageOf(`<w:p>${content}</w:p>`))
      .toSorted((a, b) => a.x - b.x)
      .map((frame) => (frame.units ?? [...frame.text]).join(''))
      .join('')
  const word = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
  const turned = (content: string) => `<w:dir w:val="rtl">${content}</w:dir>`
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const instruction = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`
  const [begin, separate, end] = ['begin', 'separate', 'end'].map(mark)
  test.each([
    [
      'a field that begins in it',
      `${word('a ')}${turned(begin + instruction('PAGE'))}${separate}${word('9')}${end}${word(' b!')}`,
      'a 1 b!',
    ],
    [
      'a field that ends in it',
      `${begin}${instruction('REF x')}${separate}${word('a')}${turned(end + word(' b!'))}${word(' c!')}`,
      'a!b  c!',
    ],
    [
      'a field whose result is not shown',
      `${begin}${instruction('PAGE')}${separate}${turned(word('9') + end + word('b!'))}${word(' c!')}`,
      '!1b c!',
    ],
    [
      'a field that never ends',
      `${turned(begin + instruction('PAGE') + separate + word('b!'))}${word(' c!')}`,
      '!b c!',
    ],
  ])('a direction ends with its element, also around %s', (_, content, shown) => {
    expect(shownIn(content)).toBe(shown)
  })

  test('numbers in right-to-left text keep their own direction, and brackets face the other way', () => {
    const page = pageOf(p('אב (12) גד', '<w:bidi/>', '<w:rtl/>'))
    const shown = [...textFrames(page)]
      .sort((a, b) => a.x - b.x)
      .map((frame) => (frame.units ?? [...frame.text]).join(''))
      .join('')
      .trim()
    expect(shown).toBe('דג )12( בא')
    const bracket = textFrames(page).find((frame) => frame.units?.includes('('))!
    const { face } = bracket.look.font
    expect(glyphsOf(bracket)[bracket.units!.indexOf('(')]).toBe(face.glyph(0x29))
  })

  test('a bracket is as wide as the one that it is shown as, in its scale and with its spacing', () => {
    const look = textFrames(pageOf(p('a')))[0]!.look
    // A narrow ( and a wide ); it has [ alone.
    const glyphs: Record<string, number> = { '(': 1, ')': 2, '[': 3 }
    const face = {
      glyph: (code: number) => glyphs[String.fromCodePoint(code)] ?? 0,
      advance: (glyph: number) => glyph / 4,
    }
    const font = { ...look.font, face: face as unknown as typeof look.font.face }
    const style = { look: { ...look, font, size: 10, scale: 2 }, spacing: 1, rtl: true }
    const plan = planOf([['א()[', style]], true)
    shapePlan(plan)
    expect([plan.glyph(1), plan.glyph(2), plan.glyph(3)]).toEqual([2, 1, 3])
    expect(plan.advances).toEqual([6, 11, 6, 6])
  })

  test('a separator never splits a number, not even in a run marked right-to-left', () => {
    const inOrder = (text: string) => {
      const codes = [...text].map((character) => character.codePointAt(0)!)
      const levels = embeddingLevels(codes, 'rtl', () => true)
      return visualRuns(levels, 0)
        .flatMap(({ from, to, level }) => (level % 2 === 1 ? codes.slice(from, to).reverse() : codes.slice(from, to)))
        .map((code) => String.fromCodePoint(code))
        .join('')
    }
    expect(inOrder('أ 2.21 ب')).toBe('ب 2.21 أ')
    expect(inOrder('أ 2002/2003 ب')).toBe('ب 2002/2003 أ')
    // A hyphen separates numbers among Hebrew letters, and parts them among Arabic ones (W4, W6).
    expect(inOrder('א 5-6 ב')).toBe('ב 5-6 א')
    expect(inOrder('أ 5-6 ب')).toBe('ب 6-5 أ')
    expect(inOrder('א 12. ב')).toBe('ב .12 א')
  })

  test('punctuation of a right-to-left run at the end of a Latin line is to the left of its word', () => {
    const page = pageOf('<w:p><w:r><w:rPr><w:rtl/></w:rPr><w:t>אב.</w:t></w:r></w:p>')
    expect(
      textFrames(page)
        .flatMap((frame) => frame.units ?? [])
        .join(''),
    ).toBe('.בא')
  })

  test('blanks at the end of a line take the direction of the paragraph (UAX 9, L1 and L2)', () => {
    const codes = [...'ab אב 12'].map((character) => character.codePointAt(0)!)
    const levels = embeddingLevels(codes, 'ltr', () => false)
    expect([...levels]).toEqual([0, 0, 0, 1, 1, 1, 2, 2])
    expect(visualRuns(levels, 0).map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [6, 8],
      [3, 6],
    ])
  })
})

describe('shaping', () => {
  test('Arabic letters join: a word is narrower than its separate letters and has other glyphs', () => {
    const joined = textFrames(pageOf(p('سلام', '<w:bidi/>', arabic)))
    const apart = textFrames(pageOf(p('س ل ا م', '<w:bidi/>', arabic)))
    const glyphs = (frames: TextFrame[]) => frames.flatMap((frame) => glyphsOf(frame))
    const letters = [...'سلام'].map((letter) => joined[0]!.look.font.face.glyph(letter.codePointAt(0)!))
    expect(glyphs(joined).some((glyph) => !letters.includes(glyph))).toBe(true)
    expect(glyphs(joined)).not.toEqual(glyphs(apart).filter((glyph) => glyphs(joined).includes(glyph)))
  })

  test('a word whose last letter has separate dots keeps to its own room, in right-to-left paragraphs too', () => {
    for (const properties of ['<w:bidi/>', '']) {
      const [frame] = textFrames(pageOf(p('ليت', properties, arabic)))
      const { face } = frame!.look.font
      const glyphs = glyphsOf(frame!)
      // The dots come first, and say where they are relative to the letter, whose left edge is the word's.
      const letter = glyphs.findIndex((glyph) => face.advance(glyph) > 0)
      expect(letter).toBeGreaterThan(0)
      let x = frame!.x
      for (let index = 0; index < letter; index++) {
        x += face.advance(glyphs[index]!) * frame!.look.size + frame!.shifts![index]!
      }
      expect(x).toBeCloseTo(properties === '' ? 50 : 250 - frame!.width, 2)
    }
  })

  test('spacing widens and narrows joined letters as it does others', () => {
    const widthOf = (spacing: number) => {
      const [frame] = textFrames(pageOf(p('محمد', '<w:bidi/>', `${arabic}<w:spacing w:val="${spacing}"/>`)))
      return frame!.width
    }
    expect(widthOf(20) - widthOf(0)).toBeCloseTo(4, 2)
    expect(widthOf(-4) - widthOf(0)).toBeCloseTo(-0.8, 2)
  })

  test('joined letters are drawn over the width that they take, whatever their scale and spacing', () => {
    const drawn = (look: string) => {
      const [frame] = textFrames(pageOf(p('محمد', '<w:bidi/>', `${arabic}${look}`)))
      const { font, size, scale } = frame!.look
      const reach = glyphsOf(frame!).reduce(
        (sum, glyph, at) => sum + font.face.advance(glyph) * size * scale + frame!.shifts![at]!,
        0,
      )
      expect([look, reach.toFixed(3)]).toEqual([look, frame!.width.toFixed(3)])
      return frame!.width
    }
    const width = drawn('')
    expect(drawn('<w:w w:val="150"/>')).toBeCloseTo(1.5 * width, 2)
    expect(drawn('<w:w w:val="50"/><w:spacing w:val="20"/>')).toBeCloseTo(0.5 * width + 4, 2)
  })

  test('letters join across the border of two runs in one font', () => {
    const run = (text: string, color: string) =>
      `<w:r><w:rPr>${arabic}<w:color w:val="${color}"/></w:rPr><w:t>${text}</w:t></w:r>`
    const parted = textFrames(pageOf(`<w:p><w:pPr><w:bidi/></w:pPr>${run('بي', 'FF0000')}${run('وت', '0000FF')}</w:p>`))
    const whole = textFrames(pageOf(p('بيوت', '<w:bidi/>', arabic)))
    const sorted = (frames: TextFrame[]) => frames.flatMap((frame) => glyphsOf(frame)).sort((a, b) => a - b)
    expect(parted.length).toBe(2)
    expect(sorted(parted)).toEqual(sorted(whole))
  })

  test('letters join across a bookmark among them', () => {
    const run = (text: string) => `<w:r><w:rPr>${arabic}</w:rPr><w:t>${text}</w:t></w:r>`
    const bookmark = '<w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/>'
    const glyphsIn = (...parts: string[]) =>
      textFrames(pageOf(`<w:p><w:pPr><w:bidi/></w:pPr>${parts.join('')}</w:p>`))
        .sort((a, b) => a.x - b.x)
        .flatMap((frame) => glyphsOf(frame))
        .filter((glyph) => glyph !== BLANK_GLYPH)
    const whole = glyphsIn(run('سلام'))
    expect(glyphsIn(run('سل'), bookmark, run('ام'))).toEqual(whole)
    expect(glyphsIn(run('س'), bookmark, run('لام'))).toEqual(whole)
    expect(glyphsIn(bookmark, run('سلام'), bookmark)).toEqual(whole)
  })

  test('letters are kept apart by the sign that says so, and joined by the other one', () => {
    const glyphs = (text: string) =>
      textFrames(pageOf(p(text, '<w:bidi/>', arabic)))
        .flatMap((frame) => glyphsOf(frame))
        .filter((glyph) => glyph !== BLANK_GLYPH)
        .sort((a, b) => a - b)
    const joined = glyphs('بب')
    expect(glyphs('ب\u200cب')).not.toEqual(expect.arrayContaining(joined))
    expect(glyphs('ب\u200dب')).toEqual(expect.arrayContaining(joined))
  })

  test('signs that join letters or keep them apart are no part of what is read', () => {
    const read = (text: string, properties: string) =>
      textFrames(pageOf(p(text, '', properties)))
        .flatMap((frame) => frame.units ?? [])
        .join('')
    expect(read('क्\u200dष', hindi)).toBe('क्ष')
    expect([...read('ب\u200dبت', arabic)].toSorted()).toEqual([...'ببت'].toSorted())
  })

  test('a bookmark is where its text is, measured from the right too', () => {
    const places = (properties: string) => {
      const run = (text: string) => `<w:r><w:rPr><w:rtl/></w:rPr><w:t>${text}</w:t></w:r>`
      const bookmark = '<w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/>'
      const page = pageOf(`<w:p><w:pPr>${properties}</w:pPr>${run('אב')}${bookmark}${run('גד')}</w:p>`)
      const [first] = textFrames(page).sort((a, b) => b.x - a.x)
      const place = page.frames.find((frame) => frame.kind === 'destination')
      return [place?.kind === 'destination' && place.x, first!.x]
    }
    const [place, edge] = places('<w:bidi/>')
    expect(place).toBeCloseTo(Number(edge), 1)
  })

  test('joined letters leave a picture beside them as wide as it is', () => {
    const placed = (width: number) => {
      const body = `<w:p><w:r><w:rPr>${arabic}</w:rPr><w:t>سلام</w:t></w:r><w:r>${picture('dot', width, 10)}</w:r><w:r><w:t>x</w:t></w:r></w:p>`
      const frames = textFrames(pageOf(body))
      const [letters, behind] = [frames[0]!, frames.find(({ text }) => text === 'x')!]
      return { x: behind.x, below: behind.y - letters.y }
    }
    expect(placed(90).x - placed(40).x).toBeCloseTo(50, 3)
    expect(placed(150).below).toBe(0)
    // 190 of 200 pt leave no room to the letters.
    expect(placed(190).below).toBeGreaterThan(5)
  })

  test('runs that differ only in invisible properties are one stretch of text', () => {
    const run = (text: string, more: string) => `<w:r><w:rPr>${arabic}${more}</w:rPr><w:t>${text}</w:t></w:r>`
    const hinted = arabic.replace('<w:rFonts', '<w:rFonts w:hint="cs"')
    const frames = textFrames(
      pageOf(
        `<w:p><w:pPr><w:bidi/></w:pPr>${run('بي', '')}<w:r><w:rPr>${hinted}</w:rPr><w:t>وت</w:t></w:r>${run('نا', '<w:noProof/>')}</w:p>`,
      ),
    )
    expect(frames.map((frame) => frame.text)).toEqual(['بيوتنا'])
  })

  test('Devanagari forms conjuncts: fewer glyphs than characters, with all of its text kept', () => {
    const [frame] = textFrames(pageOf(p('क्षत्रिय', '', hindi)))
    expect(glyphsOf(frame!).length).toBeLessThan([...'क्षत्रिय'].length)
    expect(frame!.text).toBe('क्षत्रिय')
  })

  test('a combining mark is above its letter and takes no room', () => {
    const [marked] = textFrames(pageOf(p('x\u0302x')))
    const [plain] = textFrames(pageOf(p('xx')))
    expect(marked!.width).toBeCloseTo(plain!.width, 2)
    expect(marked!.units?.join('')).toBe('x\u0302x')
  })

  test('two marks on one letter keep apart: each has its own height, and the letter is not moved', () => {
    const [frame] = textFrames(pageOf(p('x\u0323\u0301y')))
    expect(frame!.text).toBe('x\u0323\u0301y')
    const [letter, below, above, next] = frame!.rises ?? []
    expect([letter, below, next]).toEqual([0, 0, 0])
    // Arimo's acute accent is made for capitals; over a small letter it is lowered.
    expect(above).toBeLessThan(-1)
    expect(frame!.width).toBeCloseTo(textFrames(pageOf(p('xy')))[0]!.width, 3)
    expect(textFrames(pageOf(p('a\u0301')))[0]!.rises).toBeUndefined()
  })

  test('a word in two sizes has each part in its own', () => {
    const parts = (second: number) => {
      const run = (text: string, size: number) =>
        `<w:r><w:rPr><w:rFonts w:cs="Noto Naskh Arabic"/><w:szCs w:val="${size}"/><w:rtl/></w:rPr><w:t>${text}</w:t></w:r>`
      const body = `<w:p><w:pPr><w:bidi/></w:pPr>${run('بت', 24)}${run('ثب', second)}</w:p>`
      return textFrames(pageOf(body)).toSorted((a, b) => b.x - a.x)
    }
    const [[whole], [first, second]] = [parts(24), parts(48)]
    expect(first!.width + second!.width / 2).toBeCloseTo(whole!.width, 3)
  })

  test('complex-script text takes its size and weight from szCs and bCs, not from sz and b', () => {
    const properties = '<w:b/><w:sz w:val="60"/><w:szCs w:val="24"/><w:rtl/>'
    const [frame] = textFrames(pageOf(p('שלום', '<w:bidi/>', properties)))
    expect(frame!.look.size).toBe(12)
    expect(frame!.look.font.face.bold).toBe(false)
    const [bold] = textFrames(pageOf(p('שלום', '<w:bidi/>', '<w:bCs/><w:szCs w:val="24"/><w:rtl/>')))
    expect(bold!.look.font.face.bold).toBe(true)
  })

  test('digits and blanks of Arabic text use a font of its script if the named font is missing', () => {
    const familiesOf = (language: string) => {
      const properties = `<w:rFonts w:cs="Nowhere Naskh"/><w:szCs w:val="24"/><w:rtl/><w:lang w:bidi="${language}"/>`
      return new Set(textFrames(pageOf(p('سنة 2004', '<w:bidi/>', properties))).map((frame) => frame.look.font.id))
    }
    const [sentence, ...others] = textFrames(
      pageOf(p('أ ب.', '<w:bidi/>', '<w:rFonts w:cs="Nowhere Naskh"/><w:rtl/><w:lang w:bidi="ar-SA"/>')),
    )
    expect([sentence!.text, others]).toEqual(['أ ب.', []])
    expect([...familiesOf('ar-SA')]).toEqual(['Noto Naskh Arabic'])
    // Nothing says which script digits in a run of French belong to.
    expect(familiesOf('fr-FR').size).toBe(2)
  })

  test('a run of Latin letters is not shaped at all', () => {
    const [frame] = textFrames(pageOf(p('plain text')))
    expect(frame!.units).toBeUndefined()
  })
})

describe.skipIf(!poppler)('text of shaped glyphs', () => {
  test('is read in logical order, with vowel marks after their letters', () => {
    const text = textOf('arabic.pdf', pdfOf(p('السَّلامُ عليكم', '<w:bidi/>', arabic)))
    expect(text.trim()).toBe('السَّلامُ عليكم'.normalize())
  })

  test('is read word by word, and separate dots of letters neither split nor join words', () => {
    const sentence = 'تقديم إرشادات إلى الدول بشأن التشريعات والسياسات'
    const file = save('dots.pdf', pdfOf(p(sentence, '<w:bidi/>', arabic.replace('24', '14'))))
    const html = Bun.spawnSync(['pdftotext', '-bbox', file, '-'], { stdout: 'pipe' }).stdout.toString()
    const words = [...html.matchAll(/<word[^>]*>([^<]*)/g)].map(([, word]) => [...word!].reverse().join(''))
    expect(words.reverse().join(' ').normalize()).toBe(sentence)
    expect(textOf('dots.pdf', readFileSync(file)).trim().normalize()).toBe(sentence)
  })

  test.skipIf(!qpdf)('has its marks after its letters, in one piece that has no text', () => {
    const content = Bun.spawnSync(
      ['qpdf', '--qdf', '--object-streams=disable', save('marks.pdf', pdfOf(p('بيت شيب', '<w:bidi/>', arabic))), '-'],
      { stdout: 'pipe' },
    ).stdout.toString('latin1')
    expect(content.match(/ActualText ?\(\)/g)).toHaveLength(1)
    expect(content.match(/\bTs\b/)).toBeNull()
  })

  test('is read in logical order if glyphs are reordered', () => {
    const text = textOf('hindi.pdf', pdfOf(p('हिन्दी कर्ता', '', hindi)))
    expect(text.trim()).toBe('हिन्दी कर्ता')
  })

  test('keeps Hebrew points with their letters', () => {
    const text = textOf('hebrew.pdf', pdfOf(p('שָׁלוֹם', '<w:bidi/>', '<w:rtl/>')))
    expect(text.trim().normalize('NFD')).toBe('שָׁלוֹם'.normalize('NFD'))
  })

  test.skipIf(!qpdf)('makes a file in which qpdf finds no fault', () => {
    expect(qpdfCheck('mixed.pdf', pdfOf(p('السَّلامُ (12) abc', '<w:bidi/>', arabic) + p('क्षत्रिय', '', hindi)))).toBe(0)
  })
})

describe('scripts without spaces', () => {
  test('Thai lines end between syllables, on every machine the same', () => {
    const thai = 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอนหรือวรรณยุกต์เช่นเดียวกับภาษาจีน'
    const frames = textFrames(pageOf(p(thai)))
    const lines = new Map<number, string>()
    for (const frame of frames) lines.set(frame.y, (lines.get(frame.y) ?? '') + frame.text)
    expect([...lines.values()].join('')).toBe(thai)
    expect(lines.size).toBeGreaterThan(1)
    for (const line of [...lines.values()].slice(1)) expect(line).not.toMatch(/^[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/)
  })
})

describe('right-to-left tables', () => {
  const cell = (text: string) => `<w:tc><w:tcPr><w:tcW w:w="1000" w:type="dxa"/></w:tcPr>${p(text)}</w:tc>`
  const table = (properties: string) =>
    `<w:tbl><w:tblPr>${properties}<w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="1000"/><w:gridCol w:w="1000"/></w:tblGrid><w:tr>${cell('first')}${cell('second')}</w:tr></w:tbl>${p('')}`

  test('have their first column at the right, and are aligned to the right margin', () => {
    const left = textFrames(pageOf(table('')))
    const right = textFrames(pageOf(table('<w:bidiVisual/>')))
    const xOf = (frames: TextFrame[], text: string) => frames.find((frame) => frame.text === text)!.x
    expect(xOf(left, 'first')).toBeLessThan(xOf(left, 'second'))
    expect(xOf(right, 'first')).toBeCloseTo(xOf(right, 'second') + 50, 1)
    expect(xOf(right, 'first')).toBeGreaterThan(200)
  })

  test('keep their cells in the order of the document', () => {
    expect(textFrames(pageOf(table('<w:bidiVisual/>'))).map((frame) => frame.text)).toEqual(['first', 'second'])
  })
})
