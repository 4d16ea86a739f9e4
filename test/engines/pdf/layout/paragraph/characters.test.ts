import { describe, expect, test } from 'bun:test'
import { glyphsOf, type TextFrame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { dump, layoutOf, p, renderingOf, smallSection, textFrames, type WordParts, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across; Courier New 10 pt has 6 pt a character. */
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
const framesOf = (body: string, parts: WordParts = {}) => textFrames(layoutOf(wordDocument(body, parts)).pages[0]!)
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
/** How far so many glyphs of a text reach, each with what it is moved by. */
const reachOf = (frame: TextFrame, count: number) => {
  const { face } = frame.look.font
  const unit = frame.look.size * frame.look.scale
  const glyphs = glyphsOf(frame).slice(0, count)
  return glyphs.reduce((sum, glyph, at) => sum + face.advance(glyph) * unit + (frame.shifts?.[at] ?? 0), 0)
}

describe('the characters of a text', () => {
  test('are drawn over the width that it takes, whatever moves them', () => {
    const grid = `${smallSection}<w:docGrid w:type="linesAndChars" w:linePitch="300" w:charSpace="8192"/>`
    const eastAsian = framesOf(p('国国 ab 国国'), { section: grid })
    const spaced = framesOf(p('AVAVA', '', '<w:spacing w:val="40"/>'))
    const kerned = framesOf(p('AVAVA', '', '<w:kern w:val="2"/>'))
    const [justified] = framesOf(p('aaa bbb ccc ddd '.repeat(6), '<w:jc w:val="both"/>'))
    for (const frame of [...eastAsian, ...spaced, ...kerned]) {
      const reach = reachOf(frame, glyphsOf(frame).length)
      expect([frame.text, reach.toFixed(2)]).toEqual([frame.text, frame.width.toFixed(2)])
    }
    // The blank behind the last word of a line is there for readers only.
    expect(reachOf(justified!, justified!.text.trimEnd().length)).toBeCloseTo(200, 2)
    const [plain] = framesOf(p('AVAVA'))
    expect(spaced[0]!.width - plain!.width).toBeCloseTo(10, 1)
    expect(kerned[0]!.width).toBeLessThan(plain!.width - 1)
  })

  test('are as wide as their scale says, and drawn over that width', () => {
    const looks = ['', '<w:kern w:val="2"/>', '<w:smallCaps/>', '<w:caps/>', '<w:vertAlign w:val="superscript"/>', mono]
    // A pair that is kerned, a letter that another font has, an ideograph that none has, signs that look alike.
    for (const text of ['AVaTo', 'a❏❐b', '国国', 'a\u2011b\u2009c', '(a)']) {
      for (const look of looks) {
        const widthAt = (percent: number) => {
          const frames = framesOf(p(text, '', `${look}<w:w w:val="${percent}"/>`))
          for (const frame of frames) {
            const reach = reachOf(frame, glyphsOf(frame).length)
            expect([text, look, percent, reach.toFixed(3)]).toEqual([text, look, percent, frame.width.toFixed(3)])
          }
          return frames.reduce((sum, { width }) => sum + width, 0)
        }
        const ratios = [50, 150].map((percent) => (widthAt(percent) / widthAt(100)).toFixed(3))
        expect([text, look, ...ratios]).toEqual([text, look, '0.500', '1.500'])
      }
    }
  })

  test('that are invisible draw nothing, and are missed by no font', () => {
    const codes = [0x7f, 0x200c, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0xfeff, 0xfe00, 0xfe0f]
    const body = codes.map((code) => p(`a&#x${code.toString(16)};b`, '', mono)).join('')
    const docx = wordDocument(body)
    expect(renderingOf(docx).report.map(({ code }) => code)).not.toContain('render.glyph_missing')
    const lines = new Map<number, TextFrame[]>()
    for (const frame of textFrames(layoutOf(docx).pages[0]!)) lines.set(frame.y, [...(lines.get(frame.y) ?? []), frame])
    expect(lines.size).toBe(codes.length)
    for (const frames of lines.values()) {
      expect(
        frames
          .map(({ text }) => text)
          .join('')
          .replace(/[^ab]/g, ''),
      ).toBe('ab')
      const ends = frames.map(({ x, width }) => x + width)
      expect(Math.max(...ends)).toBeCloseTo(62, 1)
    }
  })

  test('are one each where they take two units, the first and the last of a text too', () => {
    for (const text of ['\u{10000}b\u{1f600}', '\u{1f600}', 'a\u{1d49e}', '\u{10ffff}']) {
      const frames = framesOf(p(text, '', mono))
      expect(frames.map((frame) => frame.text).join('')).toBe(text)
      expect(frames.flatMap((frame) => glyphsOf(frame))).toHaveLength([...text].length)
    }
  })

  test('name their font in the report only where there are any', () => {
    const reported = (text: string) =>
      renderingOf(wordDocument(p('a') + p(text, '', mono))).report.some(({ path }) => path === 'font#Courier New')
    expect([reported('b'), reported('')]).toEqual([true, false])
  })

  test('of a run from right to left face the other way, even if the run has no letters', () => {
    const glyphs = (mark: string) => {
      const { look, ...frame } = framesOf(`<w:p>${run('ab')}${run('(', mark)}</w:p>`).at(-1)!
      return [glyphsOf({ look, ...frame }).at(-1), look.font.face.glyph(0x28), look.font.face.glyph(0x29)]
    }
    const [plain, open] = glyphs('')
    expect(plain).toBe(open!)
    const [turned, , close] = glyphs('<w:rtl/>')
    expect(turned).toBe(close!)
  })

  test('of a field are its value, or its stored result where it has none', () => {
    const field = (code: string) =>
      `<w:p><w:fldSimple w:instr="${code}"><w:r><w:t>stored</w:t></w:r></w:fldSimple></w:p>`
    expect(framesOf(field('PAGE') + field('PAGEREF nowhere')).map(({ text }) => text)).toEqual(['1', 'stored'])
  })
})

describe('characters that their font lacks', () => {
  const reportOf = (body: string) =>
    renderingOf(wordDocument(body)).report.filter(({ code }) => code === 'render.glyph_missing')

  test('are drawn together in another font that has them, in the size of their text', () => {
    const frames = framesOf(p('a❏❐b', '', '<w:sz w:val="40"/>'))
    expect(frames.map(({ text }) => text)).toEqual(['a', '❏❐', 'b'])
    expect(frames.map(({ look }) => look.size)).toEqual([20, 20, 20])
    expect(frames.every((frame) => glyphsOf(frame).every((glyph) => glyph > 0))).toBe(true)
    for (const [at, frame] of frames.slice(1).entries())
      expect(frame.x).toBeCloseTo(frames[at]!.x + frames[at]!.width, 1)
    expect(reportOf(p('a❏❐b'))).toEqual([])
  })

  test('are drawn as one of their own font that looks alike, where there is one', () => {
    // Blanks of fixed widths, hyphens and a bullet.
    const drawn = (text: string, font = 'Courier New') => {
      const frames = framesOf(p(text, '', `<w:rFonts w:ascii="${font}" w:hAnsi="${font}"/>`))
      const [frame] = frames
      const { face } = frame!.look.font
      const glyphs = [...'- \u2022'].map((sign) => face.glyph(sign.codePointAt(0)!))
      return [
        frames.length,
        glyphsOf(frame!)
          .map((glyph) => '- •'[glyphs.indexOf(glyph)] ?? '?')
          .join(''),
      ].join(' ')
    }
    expect(drawn('a\u2011b\u2010c')).toBe('1 ?-?-?')
    expect(drawn('a\u202fb\u2007c\u2009d')).toBe('1 ? ? ? ?')
    expect(drawn('a\u25bab', 'Calibri')).toBe('1 ?•?')
    // What the font has itself is drawn as it is.
    expect(drawn('a\u2014b')).toBe('1 ???')
  })

  test('are boxes where no font has them, which the report tells once by script or by character', () => {
    const [frame] = framesOf(p('กข', '', mono))
    expect(glyphsOf(frame!)).toEqual([0, 0])
    const thai = reportOf(p('กข') + p('ค'))
    expect(thai).toHaveLength(1)
    expect(thai[0]!.message).toContain('Thai')
    const privately = reportOf(p('a\ue123b'))
    expect(privately).toHaveLength(1)
    expect(privately[0]!.message).toContain('U+E123')
  })

  test('are as wide as high in their box if they are ideographs', () => {
    const width = (text: string) =>
      framesOf(p(text, '', '<w:sz w:val="40"/>')).reduce((sum, frame) => sum + frame.width, 0)
    expect([width('国'), width('国国')]).toEqual([20, 40])
    expect(width('ｱ')).toBeLessThan(19)
  })
})

describe('a link', () => {
  const parts = {
    extraRelationships:
      '<Relationship Id="away" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com" TargetMode="External"/>',
  }
  const link = (...runs: string[]) => `<w:hyperlink r:id="away">${runs.join('')}</w:hyperlink>`

  test('is one node of the paragraph for all of its runs, and each link has its own', () => {
    const body = `<w:p>${run('a')}${link(run('b'), run('c', '<w:b/>'))}${run('d')}${link(run('e'))}</w:p>`
    const layout = layoutOf(wordDocument(body, parts))
    expect(layout.structure.map(({ type, parent }) => [type, parent])).toEqual([
      ['P', -1],
      ['Link', 0],
      ['Link', 0],
    ])
    const nodes = textFrames(layout.pages[0]!).map(({ text, node }) => `${text}${node}`)
    expect(nodes).toEqual(['a0', 'b1', 'c1', 'd0', 'e2'])
  })

  test('is none for the number of a note in it, which leads to the note', () => {
    const footnotes = `<w:footnote w:id="2">${p('note')}</w:footnote>`
    const body = `<w:p>${link(run('b'), '<w:r><w:footnoteReference w:id="2"/></w:r>')}</w:p>`
    const { frames } = layoutOf(wordDocument(body, { ...parts, footnotes })).pages[0]!
    const areas = frames.flatMap((frame) => (frame.kind === 'link' ? [frame.text] : []))
    expect(areas).toEqual(['b'])
  })
})

describe('the label of an item', () => {
  const item = (suffix: string) => {
    const numbering =
      `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${suffix}<w:lvlText w:val="%1."/><w:rPr>${mono}</w:rPr></w:lvl></w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return dump(
      layoutOf(
        wordDocument(p('text', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>', mono), { numbering }),
      ).pages[0]!,
    )
      .map((line) => line.replace(/,\S+/, ''))
      .join('|')
  }

  test('is followed by a tab, a blank or nothing', () => {
    // Two characters of 6 pt, and the next stop at half an inch.
    expect(item('')).toBe('50.0 1.|86.0 text')
    expect(item('<w:suff w:val="tab"/>')).toBe('50.0 1.|86.0 text')
    expect(item('<w:suff w:val="space"/>')).toBe('50.0 1.|68.0 text')
    expect(item('<w:suff w:val="nothing"/>')).toBe('50.0 1.|62.0 text')
  })

  test('looks like the paragraph’s mark, except for its underline, and as its level says', () => {
    const labelOf = (level: string) => {
      const numbering =
        `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:rPr>${level}</w:rPr></w:lvl></w:abstractNum>` +
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
      const mark = '<w:rPr><w:color w:val="FF0000"/><w:sz w:val="40"/><w:u w:val="single"/></w:rPr>'
      const body = p('text', `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>${mark}`)
      const { frames } = layoutOf(wordDocument(body, { numbering })).pages[0]!
      const label = frames.find((frame) => frame.kind === 'text')
      return [label?.look.color, label?.look.size, frames.filter(({ kind }) => kind === 'box').length]
    }
    expect(labelOf('')).toEqual(['FF0000', 20, 0])
    expect(labelOf('<w:color w:val="00FF00"/>')).toEqual(['00FF00', 20, 0])
    expect(labelOf('<w:sz w:val="16"/><w:u w:val="single"/>')).toEqual(['FF0000', 8, 1])
  })
})
