import { describe, expect, test } from 'bun:test'
import { formatTest } from '../../../src/engines/schema/format.ts'

const isHostname = (text: string) => formatTest('hostname')?.(text)
const isIdn = (text: string) => formatTest('idn-hostname')?.(text)

/** A name and its A-label, by the platform's URL parser. */
const names: [unicode: string, ascii: string][] = [
  ['bücher', 'xn--bcher-kva'],
  ['münchen', 'xn--mnchen-3ya'],
  ['ñandú', 'xn--and-6ma2c'],
  ['pâté', 'xn--pt-pia3a'],
  ['ab-ü', 'xn--ab--joa'],
  ['ü', 'xn--tda'],
  ['faß', 'xn--fa-hia'],
  ['ελλάδα', 'xn--hxakic4aa'],
  ['россия', 'xn--h1alffa9f'],
  ['例え', 'xn--r8jz45g'],
  ['中国', 'xn--fiqs8s'],
  ['한국', 'xn--3e0b707e'],
  ['𠮷', 'xn--7l3i'],
  ['भारत', 'xn--h2brj9c'],
  ['ไทย', 'xn--o3cw4h'],
  ['ایران', 'xn--mgba3a4f16a'],
  ['דוגמה', 'xn--6dbbec0c'],
  ['l·l', 'xn--ll-0ea'],
  ['א1', 'xn--1-zhc'],
  ['א-1', 'xn---1-uld'],
  ['ー・ア', 'xn--cckyjc'],
  ['ά͵β', 'xn--wva3ita'],
  ['א׳', 'xn--4db4e'],
  ['श्रीलंका', 'xn--i1b2b8dis6ck6h'],
  ['ශ්\u200dරී', 'xn--10cl1a0b660p'],
  ['نامه\u200cای', 'xn--mgba3gch31f060k'],
  ['ب\u064e\u200c\u0650ب', 'xn--ngba7ii3504a'],
  ['क्\u200dष', 'xn--11b2ezcw70k'],
  ['日本語\u3002日本', 'xn--wgv71a119e.xn--wgv71a'],
  ['ü'.repeat(40), `xn--td${'a'.repeat(40)}`],
]

describe('a name beyond ASCII', () => {
  test.each(names)('%s is taken, and so is its A-label %s', (unicode, ascii) => {
    expect(new URL(`http://${unicode}`).hostname).toBe(ascii)
    expect(isIdn(unicode)).toBe(true)
    expect(isIdn(ascii)).toBe(true)
    expect(isHostname(ascii)).toBe(true)
  })

  test('is refused where its A-label is not the one of what it decodes to', () => {
    // A-labels of plain ASCII, of what is not normalised, and of nothing.
    for (const label of ['xn--a', 'xn--abc-', 'xn--', 'xn--999999999', 'xn--a-ecp', 'xn---tda'])
      expect([label, isHostname(label)]).toEqual([label, false])
  })

  test('is refused if a character or a hyphen is in a forbidden place', () => {
    for (const label of [
      'a·l',
      'l·a',
      '・',
      '͵a',
      'a͵',
      '׳א',
      'a׳',
      'İ',
      'e\u0301',
      '\u0301e',
      '-ü',
      'ü-',
      'ab--ü',
      '٠۶',
      'a\u200db',
      'a\u200cb',
      'ا\u200ca',
      'د\u200cا',
      'ب\u200cء',
      'ب\u200c\u064eء',
      'ء\u200cب',
      'ـü',
      'ᄀü',
      'ü⃐',
      'Ü',
      'ａü',
      'ü ü',
    ])
      expect([label, isIdn(label)]).toEqual([label, false])
  })

  test('keeps to one direction in every label as soon as one is written from right to left', () => {
    for (const name of ['aא', '1א', 'אa', '٠٦', 'א.1a-', 'א٠1']) expect([name, isIdn(name)]).toEqual([name, false])
    for (const name of ['א', 'א1', 'אב٠', 'א.a', 'א.a1', 'אָ']) expect([name, isIdn(name)]).toEqual([name, true])
  })

  test('has labels of at most 63 octets and at most 253 in all', () => {
    expect(isIdn(`${'a'.repeat(63)}.b`)).toBe(true)
    expect(isIdn(`${'a'.repeat(64)}.b`)).toBe(false)
    expect(isIdn('ü'.repeat(57))).toBe(true)
    expect(isIdn('ü'.repeat(58))).toBe(false)
    const labels = (last: number) => [...Array(3).fill('a'.repeat(63)), 'a'.repeat(last)].join('.')
    expect(isIdn(labels(61))).toBe(true)
    expect(isIdn(labels(62))).toBe(false)
    // A label beyond ASCII counts in its A-form: 57 times ü has 63 octets.
    const encoded = (last: number) => [...Array(3).fill('ü'.repeat(57)), 'a'.repeat(last)].join('.')
    expect(isIdn(encoded(61))).toBe(true)
    expect(isIdn(encoded(62))).toBe(false)
  })
})
