import { readEmbedded } from '../../../core/embedded-file.ts'
import type { Face } from './face.ts'
import widthsFile from './measured-widths.tsv' with { type: 'file' }

/** What is known of one style of a font that cannot travel with Quire. */
export interface MeasuredStyle extends Pick<Face, 'bold' | 'italic'> {
  /** hhea ascent, descent and gap as fractions of the em, where the font's file was seen. */
  readonly metrics: readonly [ascent: number, descent: number, gap: number] | undefined
  /** Advance widths by code point, as fractions of the em. */
  readonly widths: ReadonlyMap<number, number>
}

let lines: ReadonlyMap<string, readonly string[]> | undefined
const styles = new Map<string, readonly MeasuredStyle[]>()

/** The measured styles of a family, by its name in any case; none if nobody measured it. */
export function measuredStyles(family: string): readonly MeasuredStyle[] {
  const name = family.toLowerCase()
  const known = styles.get(name)
  if (known) return known
  lines ??= readLines()
  const found = lines.get(name)
  if (!found) return []
  const read = found.map(readStyle)
  styles.set(name, read)
  return read
}

function readLines(): Map<string, string[]> {
  const families = new Map<string, string[]>()
  for (const line of new TextDecoder().decode(readEmbedded(widthsFile)).split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = line.slice(0, line.indexOf('\t')).toLowerCase()
    const list = families.get(name)
    if (list) list.push(line)
    else families.set(name, [line])
  }
  return families
}

function readStyle(line: string): MeasuredStyle {
  const [, style = '', metrics = '-', ...groups] = line.split('\t')
  const [ascent, descent, gap] = metrics.split(' ').map((value) => Number(value) / 1000)
  const widths = new Map<number, number>()
  for (const group of groups) {
    const blank = group.indexOf(' ')
    const width = Number(group.slice(0, blank)) / 1000
    for (const character of group.slice(blank + 1)) widths.set(character.codePointAt(0) ?? 0, width)
  }
  return {
    bold: style.includes('bold'),
    italic: style.includes('italic'),
    metrics: ascent === undefined || descent === undefined || gap === undefined ? undefined : [ascent, descent, gap],
    widths,
  }
}
