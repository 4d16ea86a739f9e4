import { describe, expect, test } from 'bun:test'
import { type Choice, mergedText, mergeTexts } from '../../src/console/merge.ts'
import { cpuMsOf } from '../support/cpu.ts'

const lines = (...texts: string[]) => texts.join('\n')

/** What a merge makes of three texts, each collision decided the same way. */
function merged(base: string, theirs: string, mine: string, choice?: Choice): string | undefined {
  const regions = mergeTexts(base, theirs, mine)
  const collisions = regions.filter(({ verdict }) => verdict === 'collision')
  return mergedText(regions, new Map(choice === undefined ? [] : collisions.map((region) => [region, choice])))
}

/** Random but repeatable. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function changed(text: readonly string[], pick: (below: number) => number): string[] {
  const made = [...text]
  for (let times = pick(4); times > 0; times--)
    made.splice(pick(made.length + 1), pick(3), ...['}', 'new', ''].slice(pick(4)))
  return made
}

describe('merging two changed texts of one origin', () => {
  test('takes what only one side changed, and what both changed alike', () => {
    const base = lines('a', 'b', 'c', 'd', 'e', 'f', 'g')
    expect(merged(base, lines('A', 'b', 'c', 'd', 'E', 'f', 'g'), lines('a', 'b', 'C', 'd', 'E', 'f'))).toBe(
      lines('A', 'b', 'C', 'd', 'E', 'f'),
    )
    expect(mergeTexts(base, base.replace('e', 'E'), base.replace('e', 'E')).map(({ verdict }) => verdict)).toEqual([
      'same',
      'alike',
      'same',
    ])
  })

  test('asks about lines that both changed differently, and answers nothing until all are decided', () => {
    const [base, theirs, mine] = ['a\nb\nc', 'a\ntheirs\nc', 'a\nmine\nc']
    expect(merged(base, theirs, mine)).toBeUndefined()
    expect(merged(base, theirs, mine, 'theirs')).toBe(theirs)
    expect(merged(base, theirs, mine, 'mine')).toBe(mine)
    expect(merged(base, theirs, mine, 'both')).toBe('a\ntheirs\nmine\nc')
  })

  test('asks about changes that touch, since a comma may belong to either', () => {
    expect(merged('a\nb\nc', 'A\nb\nc', 'a\nB\nc')).toBeUndefined()
    expect(merged('a\nc', 'a\ntheirs\nc', 'a\nmine\nc')).toBeUndefined()
    expect(merged('a\nb\nc', 'a\nc', 'a\nb\nmine\nc')).toBeUndefined()
  })

  test('says on which line each part begins in each text', () => {
    const regions = mergeTexts('a\nb\nc\nd', 'new\na\nb\nc\nd', 'a\nb\nc\nD')
    expect(regions.map(({ verdict, base, theirs, mine }) => [verdict, base.line, theirs.line, mine.line])).toEqual([
      ['theirs', 1, 1, 1],
      ['same', 1, 2, 1],
      ['mine', 4, 5, 4],
    ])
  })

  test('an empty origin collides as a whole, unless both are alike', () => {
    expect(merged('', 'theirs', 'mine')).toBeUndefined()
    expect(merged('', 'alike', 'alike')).toBe('alike')
  })

  test('nothing that a side wrote is lost: each side’s text comes back when it is chosen, whatever was changed', () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const pick = numbers(seed)
      const base = Array.from({ length: pick(12) }, () => ['{', '}', 'x', 'y', 'z'][pick(5)] ?? '')
      const [theirs, mine] = [changed(base, pick).join('\n'), changed(base, pick).join('\n')]
      const regions = mergeTexts(base.join('\n'), theirs, mine)
      expect(regions.flatMap((region) => region.base.texts).join('\n')).toBe(base.join('\n'))
      expect(regions.flatMap((region) => region.theirs.texts).join('\n')).toBe(theirs)
      expect(regions.flatMap((region) => region.mine.texts).join('\n')).toBe(mine)
      for (const { verdict, base: old, theirs: left, mine: right } of regions) {
        if (verdict === 'theirs') expect(right.texts).toEqual(old.texts)
        if (verdict === 'mine') expect(left.texts).toEqual(old.texts)
        if (verdict === 'same') expect([left.texts, right.texts]).toEqual([old.texts, old.texts])
      }
    }
  })

  test('a contract of 16,000 lines is merged before anybody notices', () => {
    const base = ['{']
    for (let index = 0; index < 4_000; index++) {
      base.push(`  "p${index}": {`, '    "type": "string",', '    "maxLength": 10', '  },')
    }
    const theirs = base.toSpliced(15_000, 1).with(50, 'theirs')
    const mine = base.toSpliced(100, 2, 'x').with(9_000, 'mine')
    let text: string | undefined
    const ms = cpuMsOf(() => {
      text = merged(base.join('\n'), theirs.join('\n'), mine.join('\n'))
    })
    expect(ms).toBeLessThan(1_000)
    expect(text?.split('\n').filter((line) => ['theirs', 'x', 'mine'].includes(line))).toEqual(['theirs', 'x', 'mine'])
    expect(text?.split('\n')).toHaveLength(base.length - 2)
  })

  test('lines that are all repeated stay as far as they are in the same order', () => {
    const sides = (base: string, theirs: string) =>
      mergeTexts(base.split(' ').join('\n'), theirs.split(' ').join('\n'), base.split(' ').join('\n')).map(
        ({ verdict, base: old, theirs: now }) => `${verdict} ${old.texts.join('')}>${now.texts.join('')}`,
      )
    expect(sides('a b a b a b', 'b a b a')).toEqual(['theirs a>', 'same baba>baba', 'theirs b>'])
    expect(sides('a a b b', 'b b a a')).toEqual(['theirs aa>', 'same bb>bb', 'theirs >aa'])
  })

  test('lines that each text has once stay, and what is between them is compared by itself', () => {
    const sides = (base: string, theirs: string) =>
      mergeTexts([...base].join('\n'), [...theirs].join('\n'), [...base].join('\n')).map(
        ({ verdict, base: old, theirs: now }) => `${verdict} ${old.texts.join('')}>${now.texts.join('')}`,
      )
    expect(sides('pxxqyyr', 'sxxtyyu')).toEqual(['theirs p>s', 'same xx>xx', 'theirs q>t', 'same yy>yy', 'theirs r>u'])
    expect(sides('1a2b3c4', '5a6b7c8')).toEqual([
      ...['theirs 1>5', 'same a>a', 'theirs 2>6', 'same b>b', 'theirs 3>7', 'same c>c', 'theirs 4>8'],
    ])
    // Two lines have changed places: one of them has moved.
    expect(sides('1ab2', '3ba4').filter((side) => side.startsWith('same'))).toHaveLength(1)
  })

  test('as many lines stay as are in the same order, wherever the others went', () => {
    const kept = (before: string, after: string) =>
      mergeTexts(before.replaceAll(' ', '\n'), after.replaceAll(' ', '\n'), before.replaceAll(' ', '\n'))
        .filter(({ verdict }) => verdict === 'same')
        .flatMap(({ base }) => base.texts)
        .join(' ')
    // Lines that each text has once.
    expect(kept('0 a b c d e 9', '0 e a b c d 9')).toBe('0 a b c d 9')
    expect(kept('0 a b c d e f 9', '0 b a d c f e 9').split(' ')).toHaveLength(5)
    expect(kept('0 a b c d e 9', '0 c d e a b 9')).toBe('0 c d e 9')
    // Lines that are there more than once.
    expect(kept('0 x y x y x 9', '0 y x y x y 9')).toBe('0 y x y x 9')
    expect(kept('0 x x y y z z 9', '0 z z x x y y 9')).toBe('0 x x y y 9')
    expect(kept('0 x y x y 9', '0 x x y y 9').split(' ')).toHaveLength(5)
  })
})
