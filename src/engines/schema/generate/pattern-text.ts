/**
 * Texts that match a pattern. The input is not the author's pattern but its translation for RE2, whose grammar is small:
 * `\A \z \b \B \x{…} […] (?:…) |` and the counters. The generated text is a proposal; the pattern itself judges it.
 */
import { limits } from '../../../core/limits.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { isPropertyName } from '../../../core/pattern/sets.ts'
import type { Random } from './random.ts'

type Range = readonly [from: number, to: number]

type Tree =
  | { kind: 'set'; ranges: readonly Range[] }
  | { kind: 'sequence'; parts: readonly Tree[] }
  | { kind: 'choice'; options: readonly Tree[] }
  | { kind: 'repeat'; part: Tree; least: number; most: number }
  | { kind: 'start' }
  | { kind: 'end' }
  | { kind: 'nothing' }

const lastPoint = 0x10ffff
/** Characters beyond this are written only where the pattern allows no others. */
const lastPlainPoint = 0x7e

/** Samples of Unicode properties: some characters of each script and kind that people use. */
const propertySamples: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2c6, 0x2dd],
  [0x300, 0x310],
  [0x391, 0x3c9],
  [0x410, 0x44f],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x660, 0x669],
  [0x905, 0x939],
  [0xe01, 0xe2e],
  [0x1f88, 0x1f8f],
  [0x2010, 0x2044],
  [0x20a0, 0x20b0],
  [0x2160, 0x2170],
  [0x2190, 0x2210],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x4e40],
  [0xac00, 0xac40],
  [0x1f600, 0x1f640],
]

const trees = new WeakMap<CompiledPattern, Tree>()

function treeOf(pattern: CompiledPattern): Tree {
  let tree = trees.get(pattern)
  if (tree === undefined) {
    tree = new Re2Reader(pattern.re2).read()
    trees.set(pattern, tree)
  }
  return tree
}

/** How many characters the shortest and the longest match have. */
interface Extent {
  least: number
  most: number
}

/**
 * A text that should match.
 * @param length the wanted number of characters; the text comes as close as the pattern allows
 */
export function textMatching(pattern: CompiledPattern, random: Random, length: number): string {
  const tree = treeOf(pattern)
  const writer = new PatternWriter(random)
  const core = writer.write(tree, length)
  let text = core
  const isOpenAtEnd = !endsFixed(tree)
  const isOpenAtStart = !startsFixed(tree)
  // A pattern without an anchor matches anywhere in the text, so the rest is free.
  const missing = Math.min(length - Array.from(text).length, limits.casePatternChars)
  // A blank keeps the word boundary that the pattern may ask for.
  const joint = missing > 0 && pattern.re2.includes('\\b') ? ' ' : ''
  if (missing > 0 && isOpenAtEnd) text += joint + filler(text, missing - joint.length)
  else if (missing > 0 && isOpenAtStart) text = filler(text, missing - joint.length) + joint + text
  return text
}

/**
 * A text that may match several patterns: the concatenation of a match for each, patterns anchored at the start first
 * and those anchored at the end last.
 */
export function textMatchingAll(patterns: readonly CompiledPattern[], random: Random, length: number): string {
  const rank = (pattern: CompiledPattern) => {
    const tree = treeOf(pattern)
    return startsFixed(tree) ? 0 : endsFixed(tree) ? 2 : 1
  }
  const ordered = patterns
    .map((pattern, index) => ({ pattern, index, rank: rank(pattern) }))
    .sort((left, right) => left.rank - right.rank || left.index - right.index)
  const texts = ordered.map(({ pattern }) => new PatternWriter(random).write(treeOf(pattern), extentOf(pattern).least))
  const missing = length - texts.reduce((sum, text) => sum + Array.from(text).length, 0)
  const first = texts.shift() ?? ''
  return first + (missing > 0 ? filler(first, Math.min(missing, limits.casePatternChars)) : '') + texts.join('')
}

/** How short and how long a match can be. */
export function extentOf(pattern: CompiledPattern): Extent {
  const tree = treeOf(pattern)
  const { least, most } = measure(tree)
  return { least, most: startsFixed(tree) && endsFixed(tree) ? most : Number.POSITIVE_INFINITY }
}

function filler(text: string, count: number): string {
  const last = text.charAt(text.length - 1)
  return (/[0-9]/.test(last) ? '0' : 'a').repeat(count)
}

function startsFixed(tree: Tree): boolean {
  if (tree.kind === 'start') return true
  if (tree.kind === 'sequence') return tree.parts.some(startsFixed)
  if (tree.kind === 'choice') return tree.options.every(startsFixed)
  return tree.kind === 'repeat' && tree.least > 0 && startsFixed(tree.part)
}

function endsFixed(tree: Tree): boolean {
  if (tree.kind === 'end') return true
  if (tree.kind === 'sequence') return tree.parts.some(endsFixed)
  if (tree.kind === 'choice') return tree.options.every(endsFixed)
  return tree.kind === 'repeat' && tree.least > 0 && endsFixed(tree.part)
}

const extents = new WeakMap<Tree, Extent>()

function measure(tree: Tree): Extent {
  const known = extents.get(tree)
  if (known !== undefined) return known
  let extent: Extent = { least: 0, most: 0 }
  if (tree.kind === 'set') extent = { least: 1, most: 1 }
  else if (tree.kind === 'sequence') {
    for (const part of tree.parts) {
      const { least, most } = measure(part)
      extent = { least: extent.least + least, most: extent.most + most }
    }
  } else if (tree.kind === 'choice') {
    const all = tree.options.map(measure)
    extent = { least: Math.min(...all.map(({ least }) => least)), most: Math.max(...all.map(({ most }) => most)) }
  } else if (tree.kind === 'repeat') {
    const { least, most } = measure(tree.part)
    extent = { least: least * tree.least, most: most === 0 ? 0 : most * tree.most }
  }
  extents.set(tree, extent)
  return extent
}

class PatternWriter {
  private written = 0

  constructor(private readonly random: Random) {}

  /** @param wanted characters this part should have */
  write(tree: Tree, wanted: number): string {
    if (this.written > limits.casePatternChars) return ''
    switch (tree.kind) {
      case 'set':
        this.written++
        return this.character(tree.ranges)
      case 'sequence':
        return this.sequence(tree.parts, wanted)
      case 'choice':
        return this.write(this.option(tree.options, wanted), wanted)
      case 'repeat':
        return this.repeat(tree, wanted)
      default:
        return ''
    }
  }

  private option(options: readonly Tree[], wanted: number): Tree {
    const fitting = options.filter((option) => {
      const { least, most } = measure(option)
      return least <= wanted && (most >= wanted || wanted <= 16)
    })
    return this.random.pick(fitting.length > 0 ? fitting : options)
  }

  /** Each part gets its minimum, and the rest goes to the parts that can take more. */
  private sequence(parts: readonly Tree[], wanted: number): string {
    let spare = wanted
    for (const part of parts) spare -= measure(part).least
    let growing = parts.filter((part) => measure(part).most > measure(part).least).length
    let text = ''
    for (const part of parts) {
      const { least, most } = measure(part)
      let share = 0
      if (most > least && spare > 0) {
        share = Math.min(most - least, Math.ceil(spare / growing))
        growing--
        spare -= share
      }
      text += this.write(part, least + share)
    }
    return text
  }

  private repeat({ part, least, most }: { part: Tree; least: number; most: number }, wanted: number): string {
    const each = Math.max(1, measure(part).least)
    const fitting = Math.floor(wanted / each)
    const count = Math.max(least, Math.min(most, fitting))
    let text = ''
    for (let index = 0; index < count && this.written <= limits.casePatternChars; index++) {
      text += this.write(part, Math.max(measure(part).least, Math.floor(wanted / Math.max(1, count))))
    }
    return text
  }

  private character(ranges: readonly Range[]): string {
    const plain = clipped(ranges, 0x61, 0x7a)
    const digits = clipped(ranges, 0x30, 0x39)
    const upper = clipped(ranges, 0x41, 0x5a)
    // People expect letters and digits; use other characters only if the class has none of these.
    const preferred = [...plain, ...digits, ...upper]
    const printable = preferred.length > 0 ? preferred : clipped(ranges, 0x21, lastPlainPoint)
    const chosen = printable.length > 0 ? printable : clipped(ranges, 0x20, 0x20)
    const point = this.pointIn(chosen.length > 0 ? chosen : ranges)
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  private pointIn(ranges: readonly Range[]): number | undefined {
    const safe = ranges.flatMap(safeParts)
    let total = 0
    for (const [from, to] of safe) total += to - from + 1
    if (total === 0) return undefined
    let index = this.random.below(total)
    for (const [from, to] of safe) {
      if (index <= to - from) return from + index
      index -= to - from + 1
    }
    return undefined
  }
}

function clipped(ranges: readonly Range[], least: number, most: number): Range[] {
  const made: Range[] = []
  for (const [from, to] of ranges) {
    if (to >= least && from <= most) made.push([Math.max(from, least), Math.min(to, most)])
  }
  return made
}

/** Without what I-JSON refuses: NUL, surrogates and noncharacters. */
function safeParts(range: Range): Range[] {
  const parts: Range[] = []
  for (const [from, to] of [
    [0x01, 0xd7ff],
    [0xe000, 0xfdcf],
    [0xfdf0, 0xfffd],
    [0x10000, 0x1fffd],
    [0x20000, 0x2fffd],
  ] as const) {
    parts.push(...clipped([range], from, to))
  }
  return parts
}

/** The one member of a list that has only one. */
function single<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

/** Reads what `compilePattern` wrote, so nothing here can be malformed. */
class Re2Reader {
  private at = 0

  constructor(private readonly text: string) {}

  read(): Tree {
    const options = [this.sequence()]
    while (this.take('|')) options.push(this.sequence())
    return single(options) ?? { kind: 'choice', options }
  }

  private sequence(): Tree {
    const parts: Tree[] = []
    while (this.at < this.text.length && this.text[this.at] !== '|' && this.text[this.at] !== ')') {
      parts.push(this.counted(this.atom()))
    }
    return single(parts) ?? { kind: 'sequence', parts }
  }

  private counted(part: Tree): Tree {
    if (this.take('*')) return { kind: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY }
    if (this.take('+')) return { kind: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY }
    if (this.take('?')) return { kind: 'repeat', part, least: 0, most: 1 }
    const counts = /^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at, this.at + 16))
    if (counts === null) return part
    this.at += counts[0].length
    const least = Number(counts[1])
    const most = counts[2] === '' ? least : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3])
    return { kind: 'repeat', part, least, most }
  }

  private atom(): Tree {
    if (this.take('(?:')) {
      const inner = this.read()
      this.take(')')
      return inner
    }
    if (this.take('\\A')) return { kind: 'start' }
    if (this.take('\\z')) return { kind: 'end' }
    if (this.take('\\b') || this.take('\\B')) return { kind: 'nothing' }
    if (this.take('[')) return { kind: 'set', ranges: this.set() }
    return { kind: 'set', ranges: this.member() }
  }

  private set(): Range[] {
    const isNegated = this.take('^')
    const ranges: Range[] = []
    while (this.at < this.text.length && !this.take(']')) ranges.push(...this.member())
    return isNegated ? complement(ranges) : ranges
  }

  private member(): Range[] {
    const property = /^\\([pP])\{([^}]*)\}/.exec(this.text.slice(this.at, this.at + 80))
    if (property !== null) {
      this.at += property[0].length
      return propertyRanges(property[2] ?? '', property[1] === 'P')
    }
    const from = this.point()
    return [[from, this.take('-') ? this.point() : from]]
  }

  private point(): number {
    const end = this.text.indexOf('}', this.at)
    if (!this.text.startsWith('\\x{', this.at) || end === -1) {
      // Anything else would make the loops above endless.
      this.at = this.text.length
      return 0x61
    }
    const value = Number.parseInt(this.text.slice(this.at + 3, end), 16)
    this.at = end + 1
    return value
  }

  private take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }
}

function complement(ranges: readonly Range[]): Range[] {
  const made: Range[] = []
  let next = 0
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    if (from > next) made.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= lastPoint) made.push([next, lastPoint])
  return made
}

/** The native engine gets one character and one property here, which always takes linear time. */
function propertyRanges(name: string, isNegated: boolean): Range[] {
  // RE2 names a script alone, and ECMA-262 only with its kind.
  const property = isPropertyName(name) ? name : `Script=${name}`
  const test = new RegExp(`^\\${isNegated ? 'P' : 'p'}{${property}}$`, 'u')
  const ranges: Range[] = []
  for (const [from, to] of propertySamples) {
    for (let point = from; point <= to; point++) {
      if (!test.test(String.fromCodePoint(point))) continue
      const last = ranges[ranges.length - 1]
      if (last !== undefined && last[1] === point - 1) ranges[ranges.length - 1] = [last[0], point]
      else ranges.push([point, point])
    }
  }
  return ranges
}
