import { describe, expect, test } from 'bun:test'
import { formatNumber } from '../../../src/engines/ooxml/numerals.ts'

const row = (format: string, ...values: number[]) => values.map((value) => formatNumber(value, format)).join(' ')

/** Every value of ST_NumberFormat but `bullet`, `none` and `custom`, with what it makes of some numbers. */
const examples: readonly [format: string, values: number[], signs: string][] = [
  ['decimal', [0, 1, 12, 123], '0 1 12 123'],
  ['decimalZero', [1, 9, 10], '01 09 10'],
  ['upperRoman', [1, 4, 1994], 'I IV MCMXCIV'],
  ['lowerRoman', [9, 40, 90], 'ix xl xc'],
  ['upperLetter', [1, 26, 27, 53], 'A Z AA AAA'],
  ['lowerLetter', [2, 28], 'b bb'],
  ['ordinal', [1, 2, 3, 4, 11, 22, 113], '1st 2nd 3rd 4th 11th 22nd 113th'],
  ['cardinalText', [1, 21], 'One Twenty-one'],
  ['ordinalText', [1, 2, 12, 20, 25], 'First Second Twelfth Twentieth Twenty-fifth'],
  ['hex', [9, 10, 255], '9 A FF'],
  ['chicago', [1, 2, 3, 4, 5, 9], '* † ‡ § ** ***'],
  ['ideographDigital', [1, 10, 205], '一 一〇 二〇五'],
  ['japaneseCounting', [1, 10, 21, 110, 10_000], '一 十 二十一 百十 一万'],
  ['japaneseLegal', [1, 12, 110], '壱 壱拾弐 壱百壱拾'],
  ['japaneseDigitalTenThousand', [10, 12], '一〇 一二'],
  ['aiueo', [1, 46, 47], 'ｱ ﾝ ｱ'],
  ['aiueoFullWidth', [1, 6, 45], 'ア カ ヲ'],
  ['iroha', [1, 2], 'ｲ ﾛ'],
  ['irohaFullWidth', [1, 25, 48], 'イ ヰ ン'],
  ['decimalFullWidth', [12], '１２'],
  ['decimalFullWidth2', [90], '９０'],
  ['decimalHalfWidth', [12], '12'],
  ['decimalEnclosedCircle', [1, 20, 21], '① ⑳ 21'],
  ['decimalEnclosedCircleChinese', [3], '③'],
  ['decimalEnclosedFullstop', [2, 20], '⒉ ⒛'],
  ['decimalEnclosedParen', [2, 20], '⑵ ⒇'],
  ['ideographEnclosedCircle', [1, 10, 11], '㊀ ㊉ 11'],
  ['ideographTraditional', [1, 10, 11], '甲 癸 11'],
  ['ideographZodiac', [1, 12, 13], '子 亥 13'],
  ['ideographZodiacTraditional', [1, 11, 60, 61], '甲子 甲戌 癸亥 甲子'],
  ['ganada', [1, 14, 15], '가 하 가'],
  ['chosung', [1, 14], 'ㄱ ㅎ'],
  ['taiwaneseCounting', [10, 21, 105], '十 二十一 一○五'],
  ['taiwaneseCountingThousand', [21, 105, 1_010], '二十一 一百○五 一千○一十'],
  ['taiwaneseDigital', [10], '一○'],
  ['chineseCounting', [10, 21, 105], '十 二十一 一○五'],
  ['chineseCountingThousand', [11, 105, 110], '十一 一百〇五 一百一十'],
  ['chineseLegalSimplified', [1, 10, 105], '壹 壹拾 壹佰零伍'],
  ['ideographLegalTraditional', [3, 16, 1_000], '參 壹拾陸 壹仟'],
  ['koreanDigital', [10], '일영'],
  ['koreanDigital2', [10], '一零'],
  ['koreanCounting', [1, 11, 20, 111], '일 십일 이십 백십일'],
  ['koreanLegal', [1, 11, 20, 99], '하나 열하나 스물 아흔아홉'],
  ['vietnameseCounting', [5, 10, 15, 21, 30], 'năm mười mười lăm hai mươi mốt ba mươi'],
  ['russianLower', [1, 29, 30], 'а я аа'],
  ['russianUpper', [7], 'Ж'],
  ['hebrew1', [1, 15, 16, 27, 115, 500], 'א טו טז כז קטו תק'],
  ['hebrew2', [1, 22, 23], 'א ת אא'],
  ['arabicAlpha', [1, 28, 29], 'أ ي أأ'],
  ['arabicAbjad', [1, 4], 'أ د'],
  ['hindiVowels', [1, 33], 'क ह'],
  ['hindiConsonants', [1, 13], 'अ अं'],
  ['hindiNumbers', [10], '१०'],
  ['hindiCounting', [2], '२'],
  ['thaiLetters', [1, 41], 'ก ฮ'],
  ['thaiNumbers', [10], '๑๐'],
  ['thaiCounting', [1, 10, 11, 21, 101], 'หนึ่ง สิบ สิบเอ็ด ยี่สิบเอ็ด หนึ่งร้อยเอ็ด'],
  ['bahtText', [2], 'สองบาทถ้วน'],
  ['dollarText', [3], 'Three and 00/100'],
  ['numberInDash', [1], '- 1 -'],
]

describe('number formats', () => {
  test.each(examples)('%s', (format, values, signs) => {
    expect(row(format, ...values)).toBe(signs)
  })

  test('of a custom pattern keep its leading zeros', () => {
    expect(row('001', 1, 45, 1_234)).toBe('001 045 1234')
  })

  test('use decimals if signs run out, before the first of them, and if they are unknown', () => {
    expect(row('upperRoman', 0, 10_000)).toBe('0 10000')
    expect(row('lowerLetter', 0, -3, 26 * 30, 26 * 30 + 1)).toBe(`0 -3 ${'z'.repeat(30)} 781`)
    expect(row('thaiCounting', 1_000_000)).toBe('1000000')
    expect(row('unheard of', 7)).toBe('7')
    for (const [format] of examples) {
      for (const value of [-1, 0, 99_999_999, 2 ** 31]) expect(formatNumber(value, format).length).toBeWithin(1, 200)
    }
  })

  test('have a sign for every digit and power', () => {
    const ones = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    expect(row('thaiCounting', ...ones, 100_000, 10_000, 1_000)).toBe(
      'หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า หนึ่งแสน หนึ่งหมื่น หนึ่งพัน',
    )
    expect(row('vietnameseCounting', ...ones, 0, 11, 99)).toBe(
      'một hai ba bốn năm sáu bảy tám chín không mười một chín mươi chín',
    )
    expect(row('koreanLegal', ...ones)).toBe('하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉')
    expect(row('koreanLegal', 10, 20, 30, 40, 50, 60, 70, 80, 90)).toBe('열 스물 서른 마흔 쉰 예순 일흔 여든 아흔')
    expect(row('upperRoman', 9_999, 400, 40, 4, 500, 50, 5, 10, 100, 900)).toBe(
      `${'M'.repeat(9)}CMXCIX CD XL IV D L V X C CM`,
    )
    expect(row('chineseLegalSimplified', 98_765_432)).toBe('玖仟捌佰柒拾陆萬伍仟肆佰叁拾贰')
  })

  test('end with their last word', () => {
    expect(row('vietnameseCounting', 99, 100, -1)).toBe('chín mươi chín 100 -1')
    expect(row('thaiCounting', 999_999, 1_000_000)).toMatch(/^เก้าแสน.* 1000000$/)
    expect(row('japaneseCounting', 99_999_999, 100_000_000)).toMatch(/^九千.* 100000000$/)
    expect(row('koreanLegal', 99, 100)).toBe('아흔아홉 100')
  })

  test('named like an object’s member use decimals', () => {
    for (const format of ['constructor', 'toString', '__proto__', 'valueOf']) {
      expect([format, formatNumber(7, format)]).toEqual([format, '7'])
    }
  })

  test('in words follow the language', () => {
    expect(formatNumber(21, 'cardinalText', 'de-DE')).toBe('Einundzwanzig')
    expect(formatNumber(21, 'cardText', 'en-GB')).toBe('twenty-one')
    expect(formatNumber(2, 'ordText', 'en-US')).toBe('second')
    expect([1, 2].map((value) => formatNumber(value, 'ordinal', 'fr-FR'))).toEqual(['1er', '2e'])
    expect(formatNumber(3, 'ordinalText', 'de-DE')).toBe('3.')
    expect(formatNumber(3, 'ordinal', 'es-ES')).toBe('3º')
  })
})
