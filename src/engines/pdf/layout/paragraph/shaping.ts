import { limits } from '../../../../core/limits.ts'
import { BLANK_GLYPH } from '../../font/face.ts'
import { embeddingLevels, mirrored } from '../../text/bidi.ts'
import { isCombining, isComplex, isTextControl, isUnspaced, sampleOf } from '../../text/script.ts'
import { type ShapedGlyph, shapeWord } from '../../text/shaper.ts'
import { syllableBreaks } from '../../text/syllables.ts'
import { type Cluster, glyphAt, Kind, type Plan, replaceGlyph } from './plan.ts'

/** Letters join at most with their neighbours; marks between them are skipped. */
const CONTEXT = 4

/**
 * Gives a flattened paragraph what complex scripts need: levels where text reads from right to left, shaped words in
 * place of single glyphs, and breaks in scripts without spaces.
 */
export function shapePlan(plan: Plan): void {
  if (plan.rightToLeft || plan.bidi) {
    plan.levels = embeddingLevels(plan.codes, plan.bidi, (at) => plan.spans[plan.spanOf[at]!]!.style.rtl)
    mirrorBrackets(plan)
  }
  if (plan.complex) shapeWords(plan)
}

function mirrorBrackets(plan: Plan): void {
  const levels = plan.levels!
  for (let at = 0; at < levels.length; at++) {
    if (levels[at]! % 2 === 0 || plan.kinds[at] !== Kind.text || isComplex(plan.codes[at]!)) continue
    const code = mirrored(plan.codes[at]!)
    if (code === plan.codes[at]) continue
    const { style } = plan.spans[plan.spanOf[at]!]!
    const { face } = style.look.font
    const glyph = face.glyph(code)
    if (glyph === 0) continue
    replaceGlyph(plan, at, glyph)
    plan.advances[at] = face.advance(glyph) * style.look.size * style.look.scale + style.spacing
  }
}

function shapeWords(plan: Plan): void {
  const { kinds, codes, spanOf } = plan
  const count = kinds.length
  let at = 0
  while (at < count) {
    if (!needsShaping(plan, at)) {
      at++
      continue
    }
    const span = spanOf[at]!
    const level = plan.levels?.[at] ?? 0
    const sample = isComplex(codes[at]!) ? sampleOf(codes[at]!) : 0
    const entries: number[] = []
    let to = at
    for (; to < count && entries.length < limits.renderWordChars; to++) {
      if (kinds[to] === Kind.mark) {
        if (isTextControl(codes[to]!)) entries.push(to)
        continue
      }
      if (!needsShaping(plan, to) || spanOf[to] !== span || (plan.levels?.[to] ?? 0) !== level) break
      if (!isCombining(codes[to]!) && (isComplex(codes[to]!) ? sampleOf(codes[to]!) : 0) !== sample) break
      entries.push(to)
    }
    while (entries.length > 0 && kinds[entries.at(-1)!] === Kind.mark) entries.pop()
    shapeEntries(plan, entries, level % 2 === 1)
    at = Math.max(to, at + 1)
  }
}

function needsShaping(plan: Plan, at: number): boolean {
  if (plan.kinds[at] !== Kind.text) return false
  const code = plan.codes[at]!
  if (isComplex(code) || isCombining(code)) return true
  // A letter belongs to the mark that follows it.
  return at + 1 < plan.kinds.length && plan.kinds[at + 1] === Kind.text && isCombining(plan.codes[at + 1]!)
}

function shapeEntries(plan: Plan, entries: readonly number[], rightToLeft: boolean): void {
  const first = entries[0]!
  const { style } = plan.spans[plan.spanOf[first]!]!
  const { font, size, scale } = style.look
  let text = ''
  const entryAt: number[] = []
  for (const [index, entry] of entries.entries()) {
    const character = String.fromCodePoint(plan.codes[entry]!)
    for (let unit = 0; unit < character.length; unit++) entryAt.push(index)
    text += character
  }
  const joins = !isUnspaced(plan.codes[first]!)
  if (isUnspaced(plan.codes[first]!)) {
    plan.breaks ??= new Set()
    for (const offset of syllableBreaks(text)) {
      const entry = entries[entryAt[offset] ?? 0]
      if (entry !== undefined) plan.breaks.add(entry)
    }
  }
  // A character that the face lacks would be a box in the shaped word as well; then each keeps the face found for it.
  const glyphs = shapeWord(font.face, text, {
    rightToLeft,
    kern: style.kern,
    before: joins ? neighbours(plan, first, -1) : '',
    after: joins ? neighbours(plan, entries.at(-1)!, 1) : '',
    language: style.look.language,
  })
  if (!glyphs) return
  placeClusters(plan, entries, entryAt, glyphs, (size * scale) / font.face.unitsPerEm)
  if (style.spacing !== 0) {
    for (const entry of entries) if (plan.clusters?.has(entry)) plan.advances[entry]! += style.spacing
  }
}

/** The letters next to a word in another run, without which its first or last letter would take its isolated form. */
function neighbours(plan: Plan, from: number, step: 1 | -1): string {
  let text = ''
  for (let at = from + step; at >= 0 && at < plan.kinds.length && text.length < CONTEXT; at += step) {
    if (plan.kinds[at] === Kind.mark && !isTextControl(plan.codes[at]!)) continue
    const code = plan.codes[at]!
    if (!isComplex(code) && !isTextControl(code)) break
    const character = String.fromCodePoint(code)
    text = step === 1 ? text + character : character + text
  }
  return text
}

/** The glyph of a cluster that takes width when no other does; -1 where several do. */
function carrierOf(cluster: Cluster): number {
  let carrier = -1
  for (const [index, advance] of cluster.advances.entries()) {
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
 * @returns with `lead`, how far right of the piece's edge the first glyph stands
 */
export function placeGlyphs(
  plan: Plan,
  from: number,
  to: number,
  reversed: boolean,
  widthOf: (entry: number) => number,
): PlacedGlyphs & { lead: number } {
  const { style } = plan.spans[plan.spanOf[from]!]!
  const { face } = style.look.font
  const unit = style.look.size * style.look.scale
  const glyphs: number[] = []
  const units: (string | undefined)[] = []
  const rises: number[] = []
  const starts: number[] = []
  let pen = 0
  const set = (entry: number) => {
    const cluster = plan.clusters?.get(entry)
    if (!cluster) {
      glyphs.push(glyphAt(plan, entry))
      units.push(String.fromCodePoint(plan.codes[entry]!))
      rises.push(0)
      starts.push(pen)
      pen += widthOf(entry)
      return
    }
    let text = ''
    for (let at = entry; at < entry + cluster.length; at++) {
      if (plan.codes[at] !== 0 && plan.kinds[at] !== Kind.mark) text += String.fromCodePoint(plan.codes[at]!)
    }
    let x = pen
    const carrier = carrierOf(cluster)
    if (reversed && carrier >= 0) {
      // Readers turn right-to-left text round character by character: what a glyph cannot say by one character, blanks
      // in front of it say.
      const [first, ...rest] = [...text]
      for (const character of rest.reverse()) {
        glyphs.push(BLANK_GLYPH)
        units.push(character)
        rises.push(0)
        starts.push(pen)
      }
      text = first ?? ''
    }
    for (const [index, glyph] of cluster.glyphs.entries()) {
      glyphs.push(glyph)
      units.push(carrier < 0 ? (index === 0 ? text : '') : index === carrier ? text : undefined)
      rises.push(cluster.dy[index]!)
      starts.push(x + cluster.dx[index]!)
      x += cluster.advances[index]!
    }
    pen += widthOf(entry)
  }
  const isSet = (entry: number) => !plan.glued?.has(entry) || plan.clusters?.has(entry)
  if (reversed) {
    for (let entry = to - 1; entry >= from; entry--) if (isSet(entry)) set(entry)
  } else for (let entry = from; entry < to; entry++) if (isSet(entry)) set(entry)
  const shifts = glyphs.map((glyph, index) => {
    const next = index + 1 < starts.length ? starts[index + 1]! : pen
    return next - starts[index]! - face.advance(glyph) * unit
  })
  const lead = starts[0] ?? 0
  return { glyphs, shifts, units, lead, ...(rises.some((rise) => rise !== 0) ? { rises } : {}) }
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
      cluster = { glyphs: [], advances: [], dx: [], dy: [], length: 1 }
      clusters.set(index, cluster)
    }
    cluster.glyphs.push(shaped.glyph)
    cluster.advances.push(shaped.advance * unit)
    cluster.dx.push(shaped.dx * unit)
    cluster.dy.push(shaped.dy * unit)
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
      plan.advances[entry] = cluster.advances.reduce((sum, advance) => sum + advance, 0)
      if (isCombining(plan.codes[entry]!) || plan.advances[entry] === 0) plan.glued.add(entry)
      continue
    }
    plan.advances[entry] = 0
    plan.glued.add(entry)
    current!.cluster.length = entry - current!.entry + 1
  }
}
