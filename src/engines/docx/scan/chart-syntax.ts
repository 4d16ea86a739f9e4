/** The tag of a chart whose data comes from a list. */
import { type Expression, parseExpression, readPath, wordName } from './expression.ts'
import { badPointer, pointerHint, type TagResult } from './syntax.ts'

const form =
  'Write {{chart /months by ./name show ./sales ./costs}}: the list, the category, and a value for each series.'

/** `chart /months by ./name show ./sales ./costs`. */
export function parseChartTag(rest: string): TagResult {
  const [listed, shown, ...more] = rest.split(/\s+show\s+/)
  const [written = '', by, ...others] = (listed ?? '').split(/\s+by\s+/)
  if (shown === undefined || by === undefined || more.length > 0 || others.length > 0) {
    return {
      ok: false,
      code: 'docx.bad_option',
      message: `“${rest.slice(0, 80)}” does not say what a chart shows.`,
      hint: form,
    }
  }
  const list = readPath(written, 0, wordName)
  if (list === undefined || list.end !== written.length || !/^[/.]/.test(written)) {
    return {
      ok: false,
      code: 'docx.bad_pointer',
      message: `“${written.slice(0, 80)}” does not point to a list.`,
      hint: pointerHint,
    }
  }
  const category = parseExpression(by)
  if (category === undefined) return badPointer(by.slice(0, 80))
  const values: Expression[] = []
  for (const word of shown.trim().split(/\s+/)) {
    const value = parseExpression(word)
    if (value === undefined) return badPointer(word.slice(0, 80))
    values.push(value)
  }
  return { ok: true, tag: { kind: 'chart', list: list.value, category, values } }
}
