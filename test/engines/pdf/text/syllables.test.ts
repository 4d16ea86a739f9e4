import { describe, expect, test } from 'bun:test'
import { hyphenPoints } from '../../../../src/engines/pdf/text/hyphenation.ts'
import { syllableBreaks } from '../../../../src/engines/pdf/text/syllables.ts'

/** The text with a bar wherever a line may begin. */
function parted(text: string): string {
  const breaks = syllableBreaks(text)
  return [...text].map((letter, at) => (breaks.includes(at) ? `|${letter}` : letter)).join('')
}

describe('Lines of a script without spaces', () => {
  test('begin at the syllables of Thai, and where Thai begins or ends', () => {
    for (const word of ['ภาษาไทย', 'การเงินการคลัง']) {
      expect(syllableBreaks(word)).toEqual([...hyphenPoints(word, 'th')])
      expect(syllableBreaks(word).length).toBeGreaterThan(1)
    }
    expect(parted('กa')).toBe('ก|a')
    expect(parted('aก')).toBe('a|ก')
    expect(parted('\u0e01\u0e5b')).toBe('\u0e01\u0e5b')
    expect(parted('\u0e00\u0e01')).toBe('\u0e00|\u0e01')
    expect(parted('\u0e5b\u0e5c')).toBe('\u0e5b|\u0e5c')
  })

  test('begin at the same syllables however long the text is', () => {
    const word = 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน'
    const syllables = syllableBreaks(word)
    for (const copies of [2, 3, 7]) {
      const found = syllableBreaks(word.repeat(copies))
      expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b))
      for (let copy = 0; copy < copies; copy++) {
        const inside = found.map((at) => at - copy * word.length).filter((at) => at > 3 && at < word.length - 3)
        expect(inside).toEqual(syllables.filter((at) => at > 3 && at < word.length - 3))
      }
    }
  })

  test('begin before the consonants of Khmer, Lao and Myanmar, with their signs and vowels', () => {
    expect(syllableBreaks('កខគ')).toEqual([1, 2])
    expect(parted('\u1780\u17b6\u1781')).toBe('\u1780\u17b6|\u1781')
    // A subscript belongs to the consonant above it.
    expect(parted('\u1780\u17d2\u1781\u1782')).toBe('\u1780\u17d2\u1781|\u1782')
    expect(parted('\u1000\u1039\u1001\u1002')).toBe('\u1000\u1039\u1001|\u1002')
    // A final consonant carries the sign that kills its vowel, or the stacker.
    expect(parted('\u1000\u1001\u103a\u1002')).toBe('\u1000\u1001\u103a|\u1002')
    expect(parted('\u1000\u1001\u1039\u1002')).toBe('\u1000\u1001\u1039\u1002')
    // Lao vowels that are written first begin a syllable and keep their consonant.
    expect(parted('\u0e81\u0ec0\u0e81\u0e82')).toBe('\u0e81|\u0ec0\u0e81|\u0e82')
    expect(parted('\u0e81\u0ec4\u0e81')).toBe('\u0e81|\u0ec4\u0e81')
    expect(parted('\u0e81\u0ec5\u0e81')).toBe('\u0e81\u0ec5|\u0e81')
  })

  test('begin with no other character than these consonants', () => {
    const begins = (code: number) => syllableBreaks(`x${String.fromCharCode(code)}`).length > 0
    const starts = [0x0e80, 0x0e81, 0x0eae, 0x0eaf, 0x0ebf, 0x0ec0, 0x0ec4, 0x0ec5, 0x0fff, 0x1000, 0x102a, 0x102b]
    expect(starts.map(begins)).toEqual([false, true, true, false, false, true, true, false, false, true, true, false])
    expect([0x177f, 0x1780, 0x17b3, 0x17b4].map(begins)).toEqual([false, true, true, false])
  })
})
