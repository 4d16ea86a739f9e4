import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type { Inline } from '../../../../src/engines/pdf/model/document.ts'
import type { RunProps } from '../../../../src/engines/pdf/model/properties.ts'
import { FieldReader, linkOf, simpleField, splitInstruction } from '../../../../src/engines/pdf/read/fields.ts'
import { readChoice } from '../../../../src/engines/pdf/read/form.ts'
import { element } from './elements.ts'

const [outer, inner] = [{ size: 9 }, { size: 12 }]
/** True if a reader keeps a text from being shown. */
function swallows(reader: FieldReader, text: string, props: RunProps): boolean {
  const content: Inline[] = []
  reader.show(content, { kind: 'text', text, props })
  return content.length === 0
}

/** The inline that a whole field becomes; without a result it ends inside its instruction. */
function field(instruction: string, result?: string, choice?: string) {
  const reader = new FieldReader()
  reader.begin(outer, choice)
  reader.instruction(instruction)
  if (result !== undefined) {
    reader.separate()
    swallows(reader, result, inner)
  }
  return reader.end()
}
const format = (name: string) => {
  const found = field(`PAGE \\* ${name}`)
  return found?.kind === 'field' ? found.format : undefined
}

describe('An instruction', () => {
  test('is split into words, of which quoted ones keep their blanks', () => {
    expect(splitInstruction(' HYPERLINK  "a b" \\l "c" "" ')).toEqual(['HYPERLINK', 'a b', '\\l', 'c', ''])
    expect(splitInstruction('')).toEqual([])
    expect(splitInstruction('x'.repeat(2_001))[0]?.length).toBe(2_000)
  })

  test('links to an address or to a bookmark', () => {
    const link = (text: string) => linkOf(splitInstruction(text))
    expect(link('hyperlink "http://a.b"')).toEqual({ kind: 'uri', uri: 'http://a.b' })
    expect(link('HYPERLINK "x" \\l "mark"')).toEqual({ kind: 'internal', bookmark: 'mark' })
    expect(link('HYPERLINK \\l mark')).toEqual({ kind: 'internal', bookmark: 'mark' })
    for (const none of ['HYPERLINK', 'HYPERLINK \\o "tip"', 'HYPERLINK \\l', 'PAGEREF x', ''])
      expect([none, link(none)]).toEqual([none, undefined])
    expect(link('HYPERLINK "x" \\l')).toEqual({ kind: 'uri', uri: 'x' })
  })
})

describe('A field', () => {
  test('that is computed takes the look of its result, or its own', () => {
    expect(field('PAGE', '7')).toEqual({
      ...{ kind: 'field', field: 'PAGE', argument: '', stored: '7', format: '', props: inner },
    })
    expect(field(' page ')).toEqual({
      ...{ kind: 'field', field: 'PAGE', argument: '', stored: '', format: '', props: outer },
    })
    expect(['NUMPAGES', 'SECTIONPAGES'].map((name) => field(name, '1')?.kind)).toEqual(['field', 'field'])
    expect([field('DATE', '1'), field('', '1'), field('PAGES', '1')]).toEqual([undefined, undefined, undefined])
    expect(field('PAGE', '1'.repeat(64))).toMatchObject({ stored: '1'.repeat(64) })
  })

  test('has an argument if it refers to something, and switches', () => {
    expect(field('PAGEREF mark \\p', '7')).toMatchObject({ field: 'PAGEREF', argument: 'mark' })
    expect(field('PAGEREF', '7')).toMatchObject({ argument: '' })
    expect(field('PAGE mark', '7')).toMatchObject({ argument: '' })
    expect(field('STYLEREF "Heading 1" \\N \\l \\xy', '7')).toMatchObject({
      ...{ field: 'STYLEREF', argument: 'Heading 1', format: 'nl' },
    })
  })

  test('has its number in the format of its switch', () => {
    const formats =
      'roman:lowerRoman ROMAN:upperRoman Roman:upperRoman alphabetic:lowerLetter ALPHABETIC:upperLetter Arabic:decimal ArabicDash:numberInDash ' +
      'AIUEO:aiueo ARABICABJAD:arabicAbjad ARABICALPHA:arabicAlpha BAHTTEXT:bahtText CardText:cardText CHINESENUM1:chineseCounting ' +
      'CHINESENUM2:chineseLegalSimplified CHINESENUM3:chineseCountingThousand CHOSUNG:chosung CIRCLENUM:decimalEnclosedCircle ' +
      'DBCHAR:decimalFullWidth DBNUM1:ideographDigital DBNUM2:koreanDigital2 DBNUM3:japaneseLegal DBNUM4:japaneseDigitalTenThousand ' +
      'DollarText:dollarText GANADA:ganada GB1:decimalEnclosedFullstop GB2:decimalEnclosedParen GB3:decimalEnclosedCircleChinese ' +
      'GB4:ideographEnclosedCircle HEBREW1:hebrew1 HEBREW2:hebrew2 Hex:hex HINDIARABIC:hindiNumbers HINDICARDTEXT:hindiCounting ' +
      'HINDILETTER1:hindiVowels HINDILETTER2:hindiConsonants IROHA:iroha KANJINUM1:ideographDigital KANJINUM2:chineseCountingThousand ' +
      'KANJINUM3:japaneseLegal Ordinal:ordinal OrdText:ordText SBCHAR:decimalHalfWidth THAIARABIC:thaiNumbers THAICARDTEXT:thaiCounting ' +
      'THAILETTER:thaiLetters VIETCARDTEXT:vietnameseCounting ZODIAC1:ideographTraditional ZODIAC2:ideographZodiac ' +
      'ZODIAC3:ideographZodiacTraditional MERGEFORMAT:'
    for (const [name = '', expected = ''] of formats.split(' ').map((pair) => pair.split(':')))
      expect([name, format(name)]).toEqual([name, expected])
    expect(format('')).toBe('')
  })

  test('of a page leads to its bookmark if asked, or where the link around it leads', () => {
    expect(field('PAGEREF mark \\h', '7')).toMatchObject({ link: { kind: 'internal', bookmark: 'mark' } })
    expect(field('PAGEREF mark', '7')).not.toHaveProperty('link')
    expect(field('PAGE mark \\h', '7')).not.toHaveProperty('link')
    const reader = new FieldReader()
    reader.begin(outer)
    reader.instruction('HYPERLINK "x"')
    expect(reader.link()).toBeUndefined()
    reader.separate()
    expect(reader.link()).toEqual({ kind: 'uri', uri: 'x' })
    reader.begin(outer)
    reader.instruction('PAGE')
    expect(reader.end()).toMatchObject({ link: { kind: 'uri', uri: 'x' } })
    expect(reader.end()).toBeUndefined()
    expect(reader.link()).toBeUndefined()
  })

  test('swallows its instruction, and its result if it is computed', () => {
    const reader = new FieldReader()
    expect(swallows(reader, 'x', outer)).toBe(false)
    reader.begin(outer)
    expect(swallows(reader, 'x', outer)).toBe(true)
    reader.instruction('DATE')
    reader.separate()
    reader.instruction('PAGE')
    expect(swallows(reader, 'x', outer)).toBe(false)
    reader.begin(outer)
    reader.instruction('PAGE')
    reader.separate()
    expect([swallows(reader, '1', inner), swallows(reader, '2', outer)]).toEqual([true, true])
    expect(reader.end()).toMatchObject({ stored: '12', props: inner })
    expect(swallows(reader, 'x', outer)).toBe(false)
  })

  test('counts where fields start and end, and knows whether it is in a table of contents', () => {
    const reader = new FieldReader()
    expect([reader.marks, reader.inContents(), reader.end()]).toEqual([0, false, undefined])
    reader.separate()
    reader.begin(outer)
    reader.instruction('toc \\o')
    expect([reader.marks, reader.inContents()]).toEqual([2, false])
    reader.separate()
    reader.begin(outer)
    expect([reader.marks, reader.inContents()]).toEqual([3, true])
    reader.end()
    reader.end()
    expect([reader.marks, reader.inContents()]).toEqual([5, false])
  })

  test('is nested up to the limit', () => {
    const reader = new FieldReader()
    for (let depth = 0; depth < limits.fieldDepth; depth++) reader.begin(outer)
    reader.instruction('PAGE')
    reader.begin(inner)
    // Its marks and instruction are its own, though nobody looks at it.
    reader.instruction(' DATE')
    reader.separate()
    expect(reader.end()).toBeUndefined()
    expect(reader.end()).toMatchObject({ field: 'PAGE', props: outer })
  })

  test('stops reading an instruction that has no end', () => {
    const reader = new FieldReader()
    reader.begin(outer)
    reader.instruction('x'.repeat(4_000))
    reader.instruction(' y')
    expect(reader.end()).toBeUndefined()
  })
})

describe('A field without a stored result', () => {
  const shown = (instruction: string, choice?: string) => {
    const found = field(instruction, undefined, choice)
    return found?.kind === 'text' ? found : undefined
  }

  test('shows what is chosen of a list', () => {
    expect(shown('FORMDROPDOWN', 'B')).toEqual({ kind: 'text', text: 'B', props: outer })
    expect([shown('formdropdown', '')?.text, shown('FORMDROPDOWN'), shown('FORMTEXT', 'B')]).toEqual([
      ...['', undefined, undefined],
    ])
    const choice = (content: string) =>
      readChoice(
        element(
          `<w:fldChar><w:ffData><w:ddList>${content}<w:listEntry w:val="A"/><w:listEntry w:val="B"/><w:listEntry w:val="C"/></w:ddList></w:ffData></w:fldChar>`,
        ),
      )
    expect(
      ['', '<w:default w:val="1"/>', '<w:default w:val="1"/><w:result w:val="2"/>', '<w:result w:val="3"/>'].map(
        choice,
      ),
    ).toEqual([...['A', 'B', 'C', undefined]])
    expect(readChoice(element('<w:fldChar/>'))).toBeUndefined()
  })

  test('shows the text of a button as it is written', () => {
    expect(shown(' MACROBUTTON Name click  here ')?.text).toBe('click  here')
    expect(shown('GotoButton "a b" go')?.text).toBe('go')
    expect([shown('MACROBUTTON Name'), shown('MACROBUTTON'), shown('OTHER Name text')]).toEqual([
      ...[undefined, undefined, undefined],
    ])
    expect(field('MACROBUTTON Name text', 'x')).toBeUndefined()
  })

  test('shows a symbol in its font and size', () => {
    expect(shown('symbol 65 \\f "Wingdings" \\s 24')).toEqual({
      ...{ kind: 'text', text: 'A', props: { fonts: { ascii: 'Wingdings', highAnsi: 'Wingdings' }, size: 24 } },
    })
    expect(shown('SYMBOL 65')).toEqual({ kind: 'text', text: 'A', props: outer })
    expect(['32', '0xFFFF', '31', '65536', 'x', '65.5', ''].map((code) => shown(`SYMBOL ${code}`)?.text)).toEqual([
      ...[' ', '\uffff', undefined, undefined, undefined, undefined, undefined],
    ])
    expect(['1', '1638', '0.5', '1639', 'x'].map((size) => shown(`SYMBOL 65 \\s ${size}`)?.props.size)).toEqual([
      ...[1, 1_638, 9, 9, 9],
    ])
    expect(shown('SYMBOL 65 \\f')?.props).toEqual(outer)
  })
})

test('A simple field is one that is computed, with its stored text, or nothing', () => {
  expect(simpleField(' PAGE \\* roman', '7', outer)).toEqual({
    ...{ kind: 'field', field: 'PAGE', argument: '\\*', stored: '7', format: 'lowerRoman', props: outer },
  })
  expect(simpleField('styleref "A b" \\n', 'x', outer)).toMatchObject({ argument: 'A b', format: 'n' })
  expect(simpleField('NUMPAGES', '7', outer)).toMatchObject({ argument: '', format: '' })
  expect([simpleField('DATE', '7', outer), simpleField('', '7', outer)]).toEqual([undefined, undefined])
})
