import { hardBlanks } from '../../../core/plain-text.ts'
import { parseBlockTag } from './block-syntax.ts'
import { isOptionKind, parseOptionTag, parseTextTag, type TagResult } from './syntax.ts'

/** Reads the text between `{{` and `}}`. Word's typographic quotes and hard spaces count as what their author typed. */
export function parseTag(inner: string): TagResult {
  const source = inner.replace(hardBlanks, ' ').trim()
  if (source.startsWith('#')) return parseBlockTag(source)
  if (source === 'pagebreak') return { ok: true, tag: { kind: 'pagebreak' } }
  const [, kind, rest = ''] = /^(image|qr|barcode|rich)\s+(.*)$/s.exec(source) ?? []
  return isOptionKind(kind) ? parseOptionTag(kind, rest) : parseTextTag(source)
}
