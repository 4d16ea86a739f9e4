/** Tags that change the table cell they are in. */
import { readColor } from '../../../core/color.ts'
import { type Expression, parseExpression, readPath, wordName } from './expression.ts'
import { quotedAt } from './quotes.ts'
import { badPointer, type Merge, pointerHint, type TagResult } from './syntax.ts'

/** `shade /colour` and `shade /colour row`. */
export function parseShadeTag(rest: string): TagResult {
  const value = valueAt(rest, 0)
  if (value === undefined || value.value.kind === 'meta') return badPointer(rest.slice(0, 80))
  const more = rest.slice(value.end).trim()
  if (more !== '' && more !== 'row')
    return badOption('shade', more, 'Write {{shade /colour}} or {{shade /colour row}}.')
  const of = more === 'row' ? 'row' : 'cell'
  const { value: written } = value
  if (written.kind !== 'literal') return { ok: true, tag: { kind: 'shade', color: written, of } }
  const color = readColor(written.value)
  if (color !== undefined) return { ok: true, tag: { kind: 'shade', color: written, of } }
  return { ok: false, code: 'docx.bad_color', message: `“${written.value}” is not a colour.`, hint: colorHint }
}

export const colorHint =
  'Give #RRGGBB, such as #FFE699, or a colour of the theme: accent1 to accent6, text1, text2, background1, background2.'

/** `merge down same /a /b`, `merge across count /n`. */
export function parseMergeTag(rest: string): TagResult {
  const [head, direction, kind] = /^(down|across)\s+(same|count)(?=\s)/.exec(rest) ?? []
  const forms = 'Write {{merge down same ./name}} for equal values, or {{merge across count 2}} for a number of cells.'
  if (head === undefined) return badOption('merge', rest, forms)
  const values: Expression[] = []
  for (let at = head.length; rest.slice(at).trim() !== ''; ) {
    const from = at + (/^\s+/.exec(rest.slice(at))?.[0].length ?? 0)
    const value = from === at ? undefined : valueAt(rest, from)
    if (value === undefined) {
      return {
        ok: false,
        code: 'docx.bad_pointer',
        message: `“${rest.slice(from, from + 80)}” is neither a pointer nor a value.`,
        hint: pointerHint,
      }
    }
    values.push(value.value)
    at = value.end
  }
  const [first, ...more] = values
  const way = direction === 'down' ? 'down' : 'across'
  if (first === undefined || (kind === 'count' && more.length > 0)) return badOption('merge', rest, forms)
  const by: Merge = kind === 'count' ? { kind: 'count', count: first } : { kind: 'same', values }
  return { ok: true, tag: { kind: 'merge', way, by } }
}

/** A pointer, a text in quotes, a number or a word of the loop. */
function valueAt(source: string, at: number): { value: Expression; end: number } | undefined {
  if (/[/.]/.test(source.charAt(at))) return readPath(source, at, wordName)
  const end = quotedAt(source, at)?.end ?? at + (/^\S+/.exec(source.slice(at))?.[0].length ?? 0)
  const value = parseExpression(source.slice(at, end))
  return value === undefined ? undefined : { value, end }
}

function badOption(kind: string, written: string, hint: string): TagResult {
  return { ok: false, code: 'docx.bad_option', message: `“${written.slice(0, 80)}” is not an option of ${kind}.`, hint }
}
