import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { verticalBounds } from '../../../src/engines/pdf/font/bounds.ts'
import { createFontLibrary } from '../../../src/engines/pdf/font/library.ts'
import type { Frame, TextFrame } from '../../../src/engines/pdf/frame/frame.ts'
import {
  accented,
  between,
  displayed,
  fraction,
  matrix,
  nary,
  root,
  run,
  subscript,
  superscript,
} from './gallery/equations.ts'
import { needs, textOf } from './tools.ts'
import { layoutOf, p, renderingOf, textFrames, wordDocument } from './word.ts'

const size = '<w:sz w:val="40"/>'
/** An equation of 20 points on its own line. */
const large = (content: string) => wordDocument(displayed(content.replaceAll('<m:t', `<w:rPr>${size}</w:rPr><m:t`)))
const EM = 20

function framesOf(docx: Uint8Array): readonly Frame[] {
  return layoutOf(docx).pages[0]?.frames ?? expect.unreachable()
}

function textsOf(docx: Uint8Array): TextFrame[] {
  return textFrames(layoutOf(docx).pages[0] ?? expect.unreachable())
}

/** The frame of a text, letters in their alphabets folded to plain ones. */
function find(frames: readonly TextFrame[], text: string): TextFrame {
  return frames.find((frame) => frame.text.normalize('NFKC') === text) ?? expect.unreachable(`no frame of ${text}`)
}

/** How far the ink of a frame of one letter reaches from its baseline, in points upwards. */
function inkOf({ text, glyphs, look }: TextFrame): readonly [bottom: number, top: number] {
  const { face } = look.font
  const [bottom, top] = verticalBounds(face, glyphs?.[0] ?? face.glyph(text.codePointAt(0) ?? 0))
  return [bottom * look.size, top * look.size]
}

describe('An equation', () => {
  test('has its letters in italics of their own alphabet, and everything else upright', () => {
    const texts = textsOf(
      large(run('h+αΓ2') + run('sin', '<m:sty m:val="p"/>') + run('R', '<m:scr m:val="double-struck"/>')),
    )
    expect(texts.map(({ text }) => text).join('')).toBe('ℎ+𝛼𝛤2sinℝ')
    expect(new Set(texts.map(({ look }) => look.font.face.family))).toEqual(new Set(['STIX Two Math']))
  })

  test('keeps ordinary text in the font of its run', () => {
    const texts = textsOf(
      wordDocument(
        displayed(
          '<m:r><m:rPr><m:nor/></m:rPr><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/></w:rPr><m:t>if so</m:t></m:r>',
        ),
      ),
    )
    expect(texts.map(({ text, look }) => [text, look.font.face.family])).toEqual([['if so', 'Arimo']])
  })

  test('puts room around relations and operations, none around signs and in scripts', () => {
    const gapBefore = (content: string, text: string) => {
      const texts = textsOf(large(content))
      const frame = find(texts, text)
      const before = texts[texts.indexOf(frame) - 1]
      return before ? (frame.x - before.x - before.width) / EM : 0
    }
    expect(gapBefore(run('a=b'), '=')).toBeCloseTo(5 / 18, 3)
    expect(gapBefore(run('a+b'), '+')).toBeCloseTo(4 / 18, 3)
    expect(gapBefore(run('a=') + nary('∫', [run(''), run('')], run('x')), '∫')).toBeCloseTo(5 / 18, 3)
    expect(gapBefore(run('a') + nary('∫', [run(''), run('')], run('x')), '∫')).toBeCloseTo(3 / 18, 3)
    expect(textsOf(large(run('-b'))).map(({ text }) => text)).toEqual(['−𝑏'])
    expect(textsOf(large(superscript(run('x'), run('a+b')))).map(({ text }) => text)).toEqual(['𝑥', '𝑎+𝑏'])
  })

  test('has fractions with a bar on the axis between numerator and denominator, both centred', () => {
    const docx = large(fraction(run('a'), run('b+c')))
    const texts = textsOf(docx)
    const bar = framesOf(docx).find((frame) => frame.kind === 'line')
    if (bar?.kind !== 'line') throw new Error('no bar')
    const over = find(texts, 'a')
    const under = texts.filter(({ y }) => y > bar.y1)
    // Word's own distances, in ems of the formula.
    expect((bar.y1 - over.y) / EM).toBeCloseTo(0.4774, 2)
    expect(((under[0]?.y ?? 0) - bar.y1) / EM).toBeCloseTo(0.9566, 2)
    expect(over.x + over.width / 2).toBeCloseTo((bar.x1 + bar.x2) / 2, 3)
    expect(bar.width).toBeCloseTo(0.065 * EM, 3)
  })

  test('sets scripts smaller, raised and lowered, and those of scripts smaller again', () => {
    const texts = textsOf(large(superscript(run('x'), superscript(run('y'), run('2')))))
    const [x, y, two] = [find(texts, 'x'), find(texts, 'y'), find(texts, '2')]
    expect([x, y, two].map(({ look }) => look.size / EM)).toEqual([1, 0.73, 0.6])
    expect((x.y - y.y) / EM).toBeCloseTo(0.3636, 3)
    expect(two.y).toBeLessThan(y.y)
    const lowered = textsOf(large(subscript(run('x'), run('i'))))
    expect((find(lowered, 'i').y - find(lowered, 'x').y) / EM).toBeCloseTo(0.2046, 3)
  })

  test('has bounds above and below a sum, and beside an integral', () => {
    const sum = textsOf(large(nary('∑', [run('i=1'), run('n')], run('x'))))
    const [sign, above, below] = [find(sum, '∑'), find(sum, 'n'), find(sum, 'i=1')]
    const middle = ({ x, width }: TextFrame) => x + width / 2
    const [bottom, top] = inkOf(sign)
    expect((top - bottom) / EM).toBeCloseTo(1.907, 2)
    expect(sign.y - (top + bottom) / 2).toBeCloseTo(find(sum, 'x').y - 0.2856 * EM, 1)
    expect(above.y).toBeLessThan(find(sum, 'x').y - EM)
    expect(below.y).toBeGreaterThan(find(sum, 'x').y + EM)
    expect(middle(above)).toBeCloseTo(middle(sign), 2)
    const integral = textsOf(large(nary('∫', [run('0'), run('1')], run('x'))))
    expect(find(integral, '1').x).toBeGreaterThan(find(integral, '∫').x + find(integral, '∫').width - 0.01)
    expect(find(integral, '0').y).toBeGreaterThan(find(integral, '1').y + EM)
  })

  test('has a sum in the look of the letter behind it, drawn next to each other, so that readers find one word', () => {
    const sum = textsOf(large(nary('∑', [run('i=1'), run('n')], nary('∏', [run('j'), run('m')], run('x')))))
    expect(sum.map(({ text }) => text.normalize('NFKC')).join(' ')).toBe('∑ ∏ x n i=1 m j')
    const [sign, product, x] = sum
    expect(sign?.look).toEqual(x?.look ?? expect.unreachable())
    // Word's own widths: a sum takes 1.326 ems and a sixth of one behind it.
    expect(((product?.x ?? 0) - (sign?.x ?? 0)) / EM).toBeCloseTo(1.326 + 1 / 6, 2)
    expect(sign?.y).toBeCloseTo(x?.y ?? 0, 1)
    if (!needs('pdftotext')) return
    const { pdf } = renderingOf(large(nary('∑', [run('i=1'), run('n')], run('x'))))
    expect(textOf('sum.pdf', pdf)).toContain('∑𝑥')
  })

  test('has signs among text as small as letters, and those of a font without large ones in a larger size', async () => {
    const inline = textsOf(
      wordDocument(
        `<w:p><w:r><w:t>so </w:t></w:r><m:oMath>${nary('∑', [run('i'), run('n')], run('x'))}</m:oMath></w:p>`,
      ),
    )
    const [bottom, top] = inkOf(find(inline, '∑'))
    expect((top - bottom) / find(inline, 'x').look.size).toBeLessThan(1.1)
    const path = '../../../node_modules/@expo-google-fonts/stix-two-math/400Regular/STIXTwoMath_400Regular.ttf'
    const bytes = await Bun.file(new URL(path, import.meta.url)).bytes()
    const own = { family: 'Cambria Math', bold: false, italic: false, read: () => bytes }
    const docx = large(nary('∑', [run('i'), run('n')], run('x')))
    const { pages } = layoutOf(docx, createFontLibrary([own]))
    const sign = find(textFrames(pages[0] ?? expect.unreachable()), '∑')
    const [foot, head] = inkOf(sign)
    expect(sign.look.size).toBeGreaterThan(1.5 * EM)
    expect((head - foot) / EM).toBeCloseTo(1.907, 2)
  })

  test('stretches brackets and roots over what they enclose, and leaves small ones as they are', () => {
    const groups = (content: string) =>
      framesOf(large(content)).flatMap((frame) => (frame.kind === 'group' ? [frame.matrix[3]] : []))
    expect(groups(between('(', run('x'), ')'))).toEqual([])
    const [left = 0, right] = groups(between('(', fraction(run('x'), run('y')), ')'))
    expect(left).toBeGreaterThan(1.3)
    expect(right).toBe(left)
    expect(groups(root(run('x')))).toEqual([])
    expect(groups(root(fraction(run('x'), run('y'))))[0]).toBeGreaterThan(1.3)
  })

  test('hangs the sign of a root from its rule, in the look of the letters, so that readers find one word', () => {
    const docx = large(root(run('x')))
    const [sign, x] = ['√', 'x'].map((text) => find(textsOf(docx), text))
    const rule = framesOf(docx).find((frame) => frame.kind === 'line')
    if (!sign || !x || rule?.kind !== 'line') throw new Error('no root')
    expect(sign.look).toEqual(x.look)
    const [, top] = verticalBounds(sign.look.font.face, sign.look.font.face.glyph(0x221a))
    expect(sign.y - top * EM).toBeCloseTo(rule.y1 - rule.width / 2, 3)
    expect(rule.x1).toBeCloseTo(sign.x + sign.width, 3)
    // What it is too high for the letter is above and below it in equal parts.
    const { face } = x.look.font
    const [bottom, height] = verticalBounds(face, face.glyph(0x1d465))
    const [foot] = verticalBounds(face, face.glyph(0x221a))
    const above = x.y - height * EM - (rule.y1 + rule.width / 2)
    expect(sign.y - foot * EM - (x.y - bottom * EM)).toBeCloseTo(above - 0.16 * EM, 3)
    // The leading of every formula, and the room that a root keeps above its rule; lines begin at whole twips.
    expect(Math.abs(rule.y1 - rule.width / 2 - 50 - (0.1465 + 0.107) * EM)).toBeLessThan(0.05)
  })

  test('aligns the columns of a matrix and the marks of a stack', () => {
    const texts = textsOf(large(matrix([run('a'), run('b')], [run('c'), run('dd')])))
    const [a, b, c, d] = ['a', 'b', 'c', 'dd'].map((text) => find(texts, text))
    if (!a || !b || !c || !d) throw new Error('no cells')
    expect([a.y, c.y]).toEqual([b.y, d.y])
    expect(b.x + b.width / 2).toBeCloseTo(d.x + d.width / 2, 3)
    const row = (text: string) => `<m:e>${run(text)}</m:e>`
    const stacked = textsOf(large(`<m:eqArr>${row('x&amp;=1')}${row('xyz&amp;=2')}</m:eqArr>`))
    const signs = stacked.filter(({ text }) => text === '=')
    expect(signs).toHaveLength(2)
    expect(signs[0]?.x).toBeCloseTo(signs[1]?.x ?? 0, 3)
  })

  test('puts accents over their letters', () => {
    const texts = textsOf(large(accented(run('x'), '\u0302')))
    const [x, hat] = [find(texts, 'x'), texts.find(({ text }) => text === 'ˆ')]
    expect(hat?.x).toBeGreaterThan(x.x - 3)
    expect(hat?.x).toBeLessThan(x.x + x.width)
  })

  test('is centred on a line of its own, or where it says, and breaks its line among text', () => {
    const [only] = textsOf(large(run('x')))
    expect((only?.x ?? 0) + (only?.width ?? 0) / 2).toBeCloseTo((layoutOf(large(run('x'))).pages[0]?.width ?? 0) / 2, 1)
    const left = displayed(run('x')).replace(
      '<m:oMath>',
      '<m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath>',
    )
    expect(textsOf(wordDocument(left))[0]?.x).toBeLessThan(only?.x ?? 0)
    const long = `<w:p><m:oMath>${run('aaaaaaaaaa'.repeat(2) + '+bbbbbbbbbb'.repeat(8))}</m:oMath></w:p>`
    const lines = new Set(textsOf(wordDocument(long)).map(({ y }) => y))
    expect(lines.size).toBeGreaterThan(1)
    const apart = `<w:p><m:oMathPara><m:oMath>${run('x')}</m:oMath><m:oMath>${run('y')}</m:oMath></m:oMathPara></w:p>`
    const [x, y] = textsOf(wordDocument(apart))
    expect(y?.y).toBeGreaterThan((x?.y ?? 0) + 5)
  })

  test('makes its line as high as it is', () => {
    const below = (content: string) => {
      const texts = textsOf(wordDocument(displayed(content) + p('below')))
      return texts.find(({ text }) => text === 'below')?.y ?? 0
    }
    expect(below(fraction(fraction(run('a'), run('b')), run('c')))).toBeGreaterThan(below(run('a')) + 12)
  })

  test('has its text in one line for readers that can not see it', () => {
    const content = fraction(run('a+b'), run('2')) + run('=') + superscript(run('x'), run('i+1'))
    const { structure } = layoutOf(wordDocument(displayed(content)))
    expect(structure.filter(({ type }) => type === 'Formula').map(({ alt }) => alt)).toEqual(['(a+b)/2=x^(i+1)'])
    const linear = (math: string) =>
      layoutOf(wordDocument(displayed(math))).structure.find(({ type }) => type === 'Formula')?.alt
    expect(linear(root(run('x')))).toBe('√(x)')
    expect(linear(root(run('x'), run('n')))).toBe('n√(x)')
    expect(linear(between('[', run('x'), ']'))).toBe('[x]')
    expect(linear(nary('∑', [run('i=1'), run('n')], run('i')))).toBe('∑_(i=1)^n i')
    expect(linear(matrix([run('1'), run('0')], [run('0'), run('1')]))).toBe('[1, 0; 0, 1]')
  })

  test('is linear text where it is nested too deeply or too long, and the report says so', () => {
    const deep = (levels: number): string => (levels === 0 ? run('x') : root(deep(levels - 1)))
    const messages = (math: string) => renderingOf(wordDocument(displayed(math))).report.map(({ message }) => message)
    const told = 'm:oMath is not supported; the equation is too long or too deep and shown as linear text.'
    expect(messages(deep(10))).not.toContain(told)
    expect(messages(deep(limits.renderMathDepth + 2))).toContain(told)
    expect(messages(run('x'.repeat(limits.renderMathChars + 1)))).toContain(told)
  })
})
