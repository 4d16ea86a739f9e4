import { limits } from '../../../../core/limits.ts'
import { BLANK_GLYPH } from '../../font/face.ts'
import { embeddingLevels, mirrored } from '../../text/bidi.ts'
import { isCombining, isComplex, isTextControl, isUnspaced, sampleOf } from '../../text/script.ts'
import { type ShapedGlyph, shapeWord } from '../../text/shaper.ts'
import { syllableBreaks } from '../../text/syllables.ts'
import { type Cluster, Kind, type Plan } from './plan.ts'
import type { Piece } from './visual.ts'

/** Letters join at most with their neighbours; marks between them are skipped. */
const CONTEXT = 4

/**
 * Prepares a flattened paragraph for complex scripts: sets embedding levels where text reads from right to left,
 * replaces single glyphs by shaped words, and finds breaks in scripts without spaces.
 */
export function shapePlan(plan: Plan): void {
  if (plan.rightToLeft || plan.bidi) {
    plan.levels = embeddingLevels(plan.codes, plan.bidi ? 'rtl' : 'ltr', (at) => plan.style(at).rtl)
    mirrorBrackets(plan, plan.levels)
  }
  if (plan.complex) shapeWords(plan)
}

function mirrorBrackets(plan: Plan, levels: Uint8Array): void {
  for (const [at, level] of levels.entries()) {
    const shown = plan.code(at)
    if (level % 2 === 0 || isComplex(shown)) continue
    const code = mirrored(shown)
    if (code === shown) continue
    const style = plan.style(at)
    const { face } = style.look.font
    const glyph = face.glyph(code)
    if (glyph === 0) continue
    plan.replaceGlyph(at, glyph)
    plan.advances[at] = face.advance(glyph) * style.look.size * style.look.scale + style.spacing
  }
}

function shapeWords(plan: Plan): void {
  const { spanOf } = plan
  const count = plan.length
  const sampleAt = (at: number) => (isComplex(plan.code(at)) ? sampleOf(plan.code(at)) : 0)
  let at = 0
  while (at < count) {
    if (!needsShaping(plan, at)) {
      at++
      continue
    }
    const level = plan.level(at)
    const sample = sampleAt(at)
    const entries: number[] = []
    let to = at
    for (; entries.length < limits.renderWordChars; to++) {
      if (plan.kind(to) === Kind.mark) {
        if (isTextControl(plan.code(to))) entries.push(to)
        continue
      }
      if (!needsShaping(plan, to) || spanOf[to] !== spanOf[at] || plan.level(to) !== level) break
      if (!isCombining(plan.code(to)) && sampleAt(to) !== sample) break
      entries.push(to)
    }
    const end = entries.findLastIndex((entry) => plan.kind(entry) !== Kind.mark) + 1
    const [first, ...others] = entries.slice(0, end)
    if (first !== undefined) shapeEntries(plan, [first, ...others])
    at = Math.max(to, at + 1)
  }
}

function needsShaping(plan: Plan, at: number): boolean {
  if (plan.kind(at) !== Kind.text) return false
  const code = plan.code(at)
  if (isComplex(code) || isCombining(code)) return true
  // A letter belongs to the mark that follows it.
  return plan.kind(at + 1) === Kind.text && isCombining(plan.code(at + 1))
}

/** The entries of a word, which read one way and have one look. */
type Word = readonly [number, ...number[]]

function shapeEntries(plan: Plan, entries: Word): void {
  const [first] = entries
  const style = plan.style(first)
  const { font, size, scale } = style.look
  let text = ''
  const entryAt: number[] = []
  for (const [index, entry] of entries.entries()) {
    const character = plan.character(entry)
    for (let unit = 0; unit < character.length; unit++) entryAt.push(index)
    text += character
  }
  const joins = !isUnspaced(plan.code(first))
  if (!joins) {
    plan.breaks ??= new Set()
    for (const offset of syllableBreaks(text)) {
      const entry = entries[entryAt[offset] ?? 0]
      if (entry !== undefined) plan.breaks.add(entry)
    }
  }
  // Shaping fails if the face lacks a character; each character then keeps the face found for it.
  const glyphs = shapeWord(font.face, text, {
    rightToLeft: plan.level(first) % 2 === 1,
    kern: style.kern,
    before: joins ? neighbours(plan, first, -1) : '',
    after: joins ? neighbours(plan, entries.at(-1) ?? first, 1) : '',
    language: style.look.language,
  })
  if (!glyphs) return
  placeClusters(plan, entries, entryAt, glyphs, (size * scale) / font.face.unitsPerEm)
  if (style.spacing !== 0) {
    for (const entry of entries) if (plan.clusters?.has(entry)) plan.widen(entry, style.spacing)
  }
}

/** The letters of other runs next to a word; without them its first or last letter would take its isolated form. */
function neighbours(plan: Plan, from: number, step: 1 | -1): string {
  let text = ''
  for (let at = from + step; at >= 0 && at < plan.length && text.length < CONTEXT; at += step) {
    const code = plan.code(at)
    if (plan.kind(at) === Kind.mark && !isTextControl(code)) continue
    if (!isComplex(code) && !isTextControl(code)) break
    const character = plan.character(at)
    text = step === 1 ? text + character : character + text
  }
  return text
}

/** The glyph of a cluster that takes width when no other does; -1 if several do. */
function carrierOf(cluster: Cluster): number {
  let carrier = -1
  for (const [index, { advance }] of cluster.glyphs.entries()) {
    if (advance === 0) continue
    if (carrier >= 0) return -1
    carrier = index
  }
  return Math.max(carrier, 0)
}

/** The glyphs of one piece of a line, as a text frame takes them. */
interface PlacedGlyphs {
  glyphs: number[]
  shifts: number[]
  units: (string | undefined)[]
  rises?: number[]
}

/**
 * Sets the entries of a piece from left to right: shaped clusters, and single glyphs between them.
 *
 * @param widthOf the width that an entry takes on this line
 * @returns the glyphs; `lead` is how far right of the piece's edge the first one begins
 */
export function placeGlyphs(
  plan: Plan,
  { from, to, reversed }: Piece,
  widthOf: (entry: number) => number,
): PlacedGlyphs & { lead: number } {
  const { look } = plan.style(from)
  const set: SetGlyph[] = []
  let pen = 0
  const setEntry = (entry: number) => {
    const cluster = plan.clusters?.get(entry)
    if (cluster) set.push(...glyphsOfCluster(plan, { entry, cluster, reversed }, pen))
    else if (plan.glued?.has(entry)) return
    else set.push({ glyph: plan.glyph(entry), unit: plan.character(entry), rise: 0, x: pen })
    pen += widthOf(entry)
  }
  if (reversed) for (let entry = to - 1; entry >= from; entry--) setEntry(entry)
  else for (let entry = from; entry < to; entry++) setEntry(entry)
  const points = look.size * look.scale
  const shifts = set.map(({ glyph, x }, index) => {
    const next = set[index + 1]?.x ?? pen
    return next - x - look.font.face.advance(glyph) * points
  })
  const rises = set.map(({ rise }) => rise)
  return {
    glyphs: set.map(({ glyph }) => glyph),
    shifts,
    units: set.map(({ unit }) => unit),
    lead: set[0]?.x ?? 0,
    ...(rises.some((rise) => rise !== 0) ? { rises } : {}),
  }
}

/** A glyph on its line, and the characters that it is read as. */
interface SetGlyph {
  glyph: number
  unit: string | undefined
  rise: number
  x: number
}

interface PlacedCluster {
  entry: number
  cluster: Cluster
  reversed: boolean
}

function glyphsOfCluster(plan: Plan, { entry, cluster, reversed }: PlacedCluster, pen: number): SetGlyph[] {
  let text = ''
  for (let at = entry; at < entry + cluster.length; at++) {
    if (plan.kind(at) !== Kind.mark) text += plan.character(at)
  }
  const set: SetGlyph[] = []
  const carrier = carrierOf(cluster)
  if (reversed && carrier >= 0) {
    // PDF readers reverse right-to-left text character by character, so a glyph for several characters gets blanks in
    // front that carry the others.
    const [first, ...rest] = [...text]
    for (const unit of rest.reverse()) set.push({ glyph: BLANK_GLYPH, unit, rise: 0, x: pen })
    text = first ?? ''
  }
  let x = pen
  for (const [index, { glyph, advance, dx, dy }] of cluster.glyphs.entries()) {
    const unit = carrier < 0 ? (index === 0 ? text : '') : index === carrier ? text : undefined
    set.push({ glyph, unit, rise: dy, x: x + dx })
    x += advance
  }
  return set
}

function placeClusters(
  plan: Plan,
  entries: readonly number[],
  entryAt: readonly number[],
  glyphs: readonly ShapedGlyph[],
  unit: number,
): void {
  const clusters = new Map<number, Cluster>()
  for (const shaped of glyphs) {
    const index = entryAt[shaped.cluster] ?? 0
    let cluster = clusters.get(index)
    if (!cluster) {
      cluster = { glyphs: [], length: 1 }
      clusters.set(index, cluster)
    }
    const { glyph, advance, dx, dy } = shaped
    cluster.glyphs.push({ glyph, advance: advance * unit, dx: dx * unit, dy: dy * unit })
  }
  if (!clusters.has(0)) return
  plan.clusters ??= new Map()
  plan.glued ??= new Set()
  let current: { entry: number; cluster: Cluster } | undefined
  for (const [index, entry] of entries.entries()) {
    const cluster = clusters.get(index)
    if (cluster) {
      current = { entry, cluster }
      plan.clusters.set(entry, cluster)
      plan.advances[entry] = cluster.glyphs.reduce((sum, { advance }) => sum + advance, 0)
      if (isCombining(plan.code(entry)) || plan.advances[entry] === 0) plan.glued.add(entry)
      continue
    }
    plan.advances[entry] = 0
    plan.glued.add(entry)
    if (current) current.cluster.length = entry - current.entry + 1
  }
}
