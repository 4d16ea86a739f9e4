import { formatNumber } from '../../../ooxml/numerals.ts'
import type { FieldKind } from '../../model/document.ts'
import type { FieldValues } from '../context.ts'
import type { OpenPage } from './open-page.ts'

/** Results of an earlier pass, for fields that look ahead. */
export interface Known {
  total: number
  sectionPages: number[]
  bookmarks: Map<string, string>
  /** Index of the page that each footnote begins on. */
  notePages: ReadonlyMap<string, number>
  /** For numbers in words. */
  language: string
}

/** The facts of finished pages; `notes` says on which of them each footnote begins. */
export function knownOf(
  pages: readonly OpenPage[],
  bookmarks: Map<string, string>,
  notes: ReadonlyMap<string, OpenPage>,
  language: string,
): Known {
  const sectionPages: number[] = []
  for (const { sectionIndex } of pages) sectionPages[sectionIndex] = (sectionPages[sectionIndex] ?? 0) + 1
  const notePages = new Map([...notes].map(([id, page]) => [id, page.index]))
  return { total: pages.length, sectionPages, bookmarks, notePages, language }
}

/** The value that a field asks for, and its section. */
export interface AskedField {
  kind: FieldKind
  argument: string
  section: number
  format: string
}

/** The value of a field by the facts of the pages; undefined if there are none. */
export function valueFrom(known: Known, { kind, argument, section, format }: AskedField): string | undefined {
  const shown = format === '' ? 'decimal' : format
  if (kind === 'NUMPAGES') return formatNumber(known.total, shown, known.language)
  if (kind === 'SECTIONPAGES') return formatNumber(known.sectionPages[section] ?? 1, shown, known.language)
  return known.bookmarks.get(argument)
}

/** Where fields take their values from, other than the page's own number. */
export interface FieldSources {
  /** Quotes a paragraph for `STYLEREF`. */
  readonly quote?: (style: string, switches: string) => string | undefined
  /** Values that depend on all pages. */
  readonly ahead: (asked: AskedField) => string | undefined
}

/** What fields show on the page that `at` returns when they are laid out. */
export function fieldsOn(at: () => OpenPage, language: string, sources: FieldSources): FieldValues {
  return {
    valueOf({ field, argument, format }) {
      const page = at()
      if (field === 'PAGE') {
        return formatNumber(page.number, format === '' ? page.section.pageNumberFormat : format, language)
      }
      if (field === 'STYLEREF') return sources.quote?.(argument, format)
      return sources.ahead({ kind: field, argument, section: page.sectionIndex, format })
    },
  }
}

/** Values given to fields before all pages exist, to be checked against the finished pages. */
export class FieldGuesses {
  /** A running head was quoted from the pages laid out so far; only finished pages can confirm it. */
  isQuoting = false
  private readonly given = new Map<string, AskedField & { value: string | undefined }>()

  constructor(private readonly known: Known | undefined) {}

  value(asked: AskedField): string | undefined {
    const value = this.known && valueFrom(this.known, asked)
    this.given.set(`${asked.kind} ${asked.argument} ${asked.section} ${asked.format}`, { ...asked, value })
    return value
  }

  /** @param facts what the finished pages tell */
  wereWrong(facts: Known): boolean {
    for (const guess of this.given.values()) if (guess.value !== valueFrom(facts, guess)) return true
    return false
  }
}
