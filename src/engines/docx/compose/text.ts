/** Writes text values as XML. */
import type { JsonValue } from '../../../core/json.ts'
import { escapeAttribute, escapeText, hasIllegalCharacter } from '../../ooxml/xml-write.ts'
import type { StepOf, ValueForm } from '../program/ops.ts'
import type { Filter } from '../scan/syntax.ts'
import { encodeWhole, isSafeAddress, linkHint, unsafeLink } from './addresses.ts'
import { reportMissing, type StepContext } from './step-context.ts'
import { describeExpression, evaluate, formatScalar, isMissing, pointerOf } from './values.ts'

/** The XML that the step writes; undefined (and usually reported) if there is none. */
export function textXml(op: StepOf<'text'>, context: StepContext): string | undefined {
  const { composition } = context
  const text = textOf(op, context)
  if (text === undefined) return undefined
  const written = writeText(text, op.form)
  if (!written.ok) {
    composition.report(written.code, op.place, written.message, written.hint)
    return undefined
  }
  if (op.form.kind !== 'run' || composition.marking === undefined) return written.xml
  return composition.marking.value(written.xml, op.place, pointerOf(op.value, context.scope))
}

function textOf(op: StepOf<'text'>, context: StepContext): string | undefined {
  const value = evaluate(op.value, context.scope)
  if (isMissing(value) || value === '') {
    const at = op.filters.findIndex((filter) => filter.name === 'default')
    const fallback = op.filters[at]
    if (fallback?.name === 'default') return textBy(op, fallback.text, op.filters.slice(at + 1), context)
    if (value !== '') reportMissing(op, context)
    return undefined
  }
  if (typeof value === 'string' && op.filters.length === 0) return value
  return textBy(op, value, op.filters, context)
}

function textBy(
  op: StepOf<'text'>,
  value: JsonValue,
  filters: Filter[],
  { composition, scope }: StepContext,
): string | undefined {
  const formatted = formatScalar(value, filters)
  if (formatted.ok) return formatted.text
  const message = `${describeExpression(op.value, scope)} ${formatted.message}.`
  composition.report('docx.bad_value', op.place, message, formatted.hint)
  return undefined
}

type Written = { ok: true; xml: string } | { ok: false; code: string; message: string; hint: string }

/** Characters that need a closer look: mark-up, line breaks and tabs, controls, surrogates (which may be lone). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const special = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/

function writeText(text: string, form: ValueForm): Written {
  const isAddress = form.kind === 'address' || form.kind === 'field'
  if (!isAddress && !special.test(text)) return { ok: true, xml: text }
  const lines = text.replace(/\r\n?/g, '\n')
  if (hasIllegalCharacter(lines)) {
    const message = 'The value holds a control character that a document cannot carry.'
    return { ok: false, code: 'docx.illegal_character', message, hint: 'Remove it from the data.' }
  }
  switch (form.kind) {
    case 'address':
      // The whole address is checked once it is put together.
      return { ok: true, xml: encodeAddress(lines, form) }
    case 'field':
      if (form.isWhole && !isSafeAddress(lines + form.after)) {
        return { ok: false, code: 'docx.bad_link', message: unsafeLink, hint: linkHint }
      }
      return { ok: true, xml: escapeAttribute(encodeAddress(lines, form)) }
    case 'attribute':
      return { ok: true, xml: escapeAttribute(lines) }
    case 'run':
      return { ok: true, xml: withBreaks(escapeText(lines), form) }
    default:
      return { ok: true, xml: escapeText(lines) }
  }
}

function encodeAddress(text: string, { isWhole }: { isWhole: boolean }): string {
  return isWhole ? encodeWhole(text) : encodeURIComponent(text)
}

/** Line breaks and tabs end the `w:t`, and begin another one. */
function withBreaks(xml: string, { prefix, declares = '' }: { prefix: string; declares?: string }): string {
  if (!/[\n\t]/.test(xml)) return xml
  return xml.replace(/[\n\t]/g, (character) => {
    const name = `${prefix}${character === '\n' ? 'br' : 'tab'}`
    return `</${prefix}t><${name}${declares}/><${prefix}t${declares} xml:space="preserve">`
  })
}
