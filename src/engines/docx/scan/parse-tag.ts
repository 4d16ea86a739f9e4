import { hardBlanks } from '../../../core/plain-text.ts'
import { newestReading, type Reading } from '../../../core/reading.ts'
import { parseBlockTag } from './block-syntax.ts'
import { parseChartTag } from './chart-syntax.ts'
import { parseCondition } from './condition.ts'
import { includedSlug } from './included-slug.ts'
import { isOptionKind, parseOptionTag, parseTextTag, type TagResult, unknownTag } from './syntax.ts'
import { parseMergeTag, parseShadeTag } from './table-syntax.ts'

/** Reads the text between `{{` and `}}`. Word's typographic quotes and hard spaces count as what their author typed. */
export function parseTag(inner: string, reading: Reading = newestReading): TagResult {
  const source = inner.replace(hardBlanks, ' ').trim()
  if (source.startsWith('#')) return parseBlockTag(source)
  if (source.startsWith('>')) return badInclude(source)
  if (source === 'pagebreak') return { ok: true, tag: { kind: 'pagebreak' } }
  const [, checked] = /^check\s+(.+)$/s.exec(source) ?? []
  if (checked !== undefined) return parseCheckTag(checked)
  const [, charted] = /^chart\s+(.+)$/s.exec(source) ?? []
  if (charted !== undefined) return parseChartTag(charted)
  const [, word, change = ''] = /^(shade|merge)\s+(.+)$/s.exec(source) ?? []
  if (word !== undefined) return word === 'shade' ? parseShadeTag(change) : parseMergeTag(change)
  const [, kind, rest = ''] = /^(image|qr|barcode|rich)\s+(.*)$/s.exec(source) ?? []
  return isOptionKind(kind) ? parseOptionTag(kind, rest) : parseTextTag(source, reading)
}

function parseCheckTag(source: string): TagResult {
  const parsed = parseCondition(source)
  return parsed.ok ? { ok: true, tag: { kind: 'check', condition: parsed.condition } } : parsed
}

/** Tags that include a template are taken out before; one that is still there can't be followed. */
function badInclude(source: string): TagResult {
  const slug = includedSlug(source)
  if (slug === undefined) return unknownTag(source)
  return {
    ok: false,
    code: 'docx.misplaced',
    message: `{{> ${slug}}} includes a template, and can't do so here.`,
    hint: 'Put it alone into a paragraph of the body, a table cell, a header or a footer; not into text boxes and notes.',
  }
}
