import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { FontMatch } from './font/library.ts'

/** How a font was found for a family that a document names; `borrowed` only lends characters that others lack. */
export type FontUse = FontMatch['by'] | 'borrowed'

/** A font that text was drawn with: the family that the document names, and that of the face. */
export interface DrawnFont {
  family: string
  drawnWith: string
  use: FontUse
}

/** Collects findings about content that is not rendered as written, once per kind and place. */
export class Report {
  readonly findings: Finding[] = []
  private readonly seen = new Set<string>()
  private readonly drawn = new Map<string, DrawnFont>()
  private readonly missing = new Map<string, MissingGlyphs>()

  /** `path` is the package part, with `#` and the element where it is known. */
  add(code: string, message: string, path?: string, hint?: string): void {
    const key = `${code}\n${message}\n${path}`
    if (this.seen.has(key) || this.findings.length >= limits.renderRemarks) return
    this.seen.add(key)
    this.findings.push({
      code,
      severity: 'warning',
      message,
      ...(path === undefined ? {} : { path }),
      ...(hint === undefined ? {} : { hint }),
    })
  }

  /** Characters that no font has: one finding for each kind, which names the first of them. */
  missingGlyph(code: number, { shown, family }: { shown: string; family: string }): void {
    const kind = this.missing.get(shown)
    if (!kind) {
      const before = this.findings.length
      const hint = 'Embed a font that has it in the document, or add one to the folders of QUIRE_FONTS.'
      this.add('render.glyph_missing', missingMessage(new Set([code]), shown), `font#${family}`, hint)
      this.missing.set(shown, { codes: new Set([code]), finding: this.findings[before] })
    } else if (!kind.codes.has(code) && kind.codes.size <= limits.renderRemarks) {
      kind.codes.add(code)
      if (kind.finding) kind.finding.message = missingMessage(kind.codes, shown)
    }
  }

  drawnWith(font: DrawnFont): void {
    if (this.drawn.size < limits.renderRemarks) this.drawn.set(`${font.family}\n${font.drawnWith}`, font)
  }

  /** The fonts of the text, in the order of their families. */
  get fonts(): DrawnFont[] {
    const key = ({ family, drawnWith }: DrawnFont) => `${family}\n${drawnWith}`
    return [...this.drawn.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  unsupported(part: string, element: string, shown: string): void {
    this.add('render.unsupported', `${element} is not supported; ${shown}.`, `${part}#${element}`)
  }
}

interface MissingGlyphs {
  readonly codes: Set<number>
  /** Undefined when the report was full. */
  readonly finding: Finding | undefined
}

const NAMED_CHARACTERS = 5

function missingMessage(codes: ReadonlySet<number>, shown: string): string {
  const names = [...codes].map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
  if (names.length === 1) return `No font has the character ${names[0]}; ${shown} replaces it.`
  const more = names.length - NAMED_CHARACTERS
  const named = names.slice(0, NAMED_CHARACTERS).join(', ')
  return `No font has the characters ${named}${more > 0 ? ` and ${more} more` : ''}; ${shown} replaces each.`
}
