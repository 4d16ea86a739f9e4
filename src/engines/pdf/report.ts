import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { FontMatch } from './font/library.ts'
import { recipeFor, scriptOf } from './font/scripts.ts'

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
  private readonly missingScripts = new Set<string>()
  private readonly characters = new Map<Finding, number>()

  /** `path` is the package part, with `#` and the element where it is known. */
  add(code: string, message: string, path?: string, hint?: string): void {
    const key = keyOf(code, message, path)
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

  /** Drops all findings of a code, or those in one package part, so that they can be made again. */
  forget(code: string, part?: string): void {
    for (let at = this.findings.length - 1; at >= 0; at--) {
      const finding = this.findings[at]
      if (finding?.code !== code || (part !== undefined && finding.path?.startsWith(`${part}#`) !== true)) continue
      this.findings.splice(at, 1)
      this.seen.delete(keyOf(code, finding.message, finding.path))
    }
  }

  /** Reports a script that no font has: one finding, whatever fonts its text names. `code` is any character of the script. */
  missingScript(code: number, { script, family }: { script: string; family: string }): void {
    if (this.missingScripts.has(script)) return
    this.missingScripts.add(script)
    const before = this.findings.length
    const message = `No font has ${script}; empty boxes take its place.`
    this.add('render.glyph_missing', message, `font#${family}`, recipeFor(scriptOf(code)))
    this.knowCharacter(before, code)
  }

  /** The first character that a finding is about, where it is about characters. */
  characterOf(finding: Finding): number | undefined {
    return this.characters.get(finding)
  }

  private knowCharacter(before: number, code: number): void {
    const finding = this.findings[before]
    if (finding) this.characters.set(finding, code)
  }

  /** Adds the words that were being read to all findings from the index `before` on. */
  readNear(before: number, words: () => string): void {
    if (this.findings.length <= before) return
    for (const finding of this.findings.slice(before)) {
      if (finding.near !== undefined || this.characters.has(finding)) continue
      const told = words()
      if (told !== '') finding.near = { words: told }
    }
  }

  /** Reports characters that no font has: one finding per script and replacement, which names the first characters. */
  missingGlyph(code: number, { shown, family }: { shown: string; family: string }): void {
    const script = scriptOf(code)
    const key = `${shown} ${script?.name ?? ''}`
    const kind = this.missing.get(key) ?? { codes: new Set(), shown, what: script?.characters, finding: undefined }
    if (kind.codes.has(code) || kind.codes.size > limits.renderRemarks) return
    kind.codes.add(code)
    const message = missingMessage(kind)
    if (this.missing.has(key)) {
      if (kind.finding) kind.finding.message = message
      return
    }
    const before = this.findings.length
    this.add('render.glyph_missing', message, `font#${family}`, recipeFor(script))
    this.missing.set(key, { ...kind, finding: this.findings[before] })
    this.knowCharacter(before, code)
  }

  /** Adds the place on the pages to all findings from the index `before` on. */
  madeAt(before: number, { words, page }: { words: string; page: number }): void {
    for (const finding of this.findings.slice(before)) finding.near ??= { ...(words === '' ? {} : { words }), page }
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

function keyOf(code: string, message: string, path: string | undefined): string {
  return `${code}\n${message}\n${path}`
}

interface MissingGlyphs {
  readonly codes: Set<number>
  readonly shown: string
  /** What the characters are, where that is known. */
  readonly what: string | undefined
  /** Undefined when the report was full. */
  readonly finding: Finding | undefined
}

const NAMED_CHARACTERS = 5

function missingMessage({ codes, shown, what = 'characters' }: MissingGlyphs): string {
  const names = [...codes].map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
  const nouns = names.length === 1 ? what.replace(/characters$/, 'character') : what
  const more = names.length - NAMED_CHARACTERS
  const named = names.slice(0, NAMED_CHARACTERS).join(', ')
  const instead = names.length === 1 ? 'replaces it' : 'replaces each'
  return `No font has the ${nouns} ${named}${more > 0 ? ` and ${more} more` : ''}; ${shown} ${instead}.`
}
