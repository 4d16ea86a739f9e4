/** Texts: templates, cutting, joining and padding. */

import { limits } from '../../../core/limits.ts'
import { inCase } from '../../../core/locale/case.ts'
import { shorten } from '../../../core/source/read.ts'
import type { Built } from '../built.ts'
import { sumCosts } from '../built.ts'
import { type CallSite, operator, take } from '../call.ts'
import { checkValue } from '../check.ts'
import { boundText, burn, Fault, type Frame } from '../frame.ts'
import { itemOrigin, tracedValue } from '../members.ts'
import { withTotals } from '../nesting.ts'
import { addSizes, type Size } from '../size.ts'
import { arrayOf, isUnknown, itemsOf, joinTypes, type Type, typeOf, types, withinOf } from '../types.ts'
import { displayScalar, isNumberValue, type Value } from '../value.ts'
import { readLocale } from './locale.ts'

/** Reports slots that are used and not given, and given and not used; false when there were any. */
export function checkSlots(call: CallSite, used: ReadonlySet<string>): boolean {
  const given = call.others().map((entry) => entry.key)
  let ok = true
  for (const name of used) {
    if (given.includes(name)) continue
    ok = false
    const hint = call.suggest(name, given) ?? `Write ${name}: beside ${call.name}.`
    call.error('slot', call.nodeOf('subject'), `The slot "${shorten(name)}" is not given.`, hint)
  }
  for (const entry of call.others()) {
    if (used.has(entry.key)) continue
    ok = false
    const arguments_ = Object.keys(call.operator.args).filter((name) => name !== 'subject')
    const isInBraces = call.word('subject')?.includes(`{{${entry.key}}}`) === true
    const hint = isInBraces
      ? `Write {${entry.key}}: {{ and }} print braces.`
      : (call.suggest(entry.key, [...used, ...arguments_]) ??
        `Remove it, or write {${shorten(entry.key)}} in the text.`)
    call.error('slot', call.node, `The slot "${shorten(entry.key)}" is not used.`, hint, entry)
  }
  return ok
}

type Piece = string | { slot: string }

/** Splits `a {slot} b`; `{{` and `}}` are literal braces. Returns a sentence if a brace is unmatched. */
function parseTemplate(source: string): Piece[] | string {
  const pieces: Piece[] = []
  const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g
  for (const match of source.matchAll(token)) {
    const text = match[0]
    if (match[1] !== undefined) {
      if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(match[1]))
        return `"${shorten(text)}" is not a slot: a slot is a name in braces`
      pieces.push({ slot: match[1] })
    } else if (text === '{' || text === '}') return 'a brace has no partner; write {{ or }} for a brace'
    else pieces.push(text === '{{' ? '{' : text === '}}' ? '}' : text)
  }
  return pieces
}

const slotHint = 'Write { $text: "Dear {who}", who: /customer/name }: a slot is a name of your own.'

const letterCases = ['upper', 'lower', 'title'] as const

export const textOperators = [
  operator({
    name: '$text',
    group: 'text and numbers',
    doc: 'Text with named slots in braces; the slots are beside it.',
    args: { subject: take.word('the text; {{ and }} are braces') },
    open: 'slots',
    build(call) {
      const slots = new Map(
        call.others().map((entry) => {
          const built = call.builder.value(entry.value)
          call.builder.warnOfForgottenSlash(entry.key, built)
          return [entry.key, checkValue(call.context, built, 'text', `The slot "${shorten(entry.key)}"`)]
        }),
      )
      const source = call.word('subject')
      if (source !== undefined) call.builder.warnOfPathInText(call.nodeOf('subject'), source)
      const pieces = source === undefined ? undefined : parseTemplate(source)
      if (typeof pieces === 'string')
        call.error('slot', call.nodeOf('subject'), `The text cannot be read: ${pieces}.`, slotHint)
      if (pieces === undefined || typeof pieces === 'string') return call.broken()
      const used = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.slot])))
      if (!checkSlots(call, used)) return call.broken()
      const parts = pieces
        .map((piece) => (typeof piece === 'string' ? piece : slots.get(piece.slot)))
        .filter((part) => part !== undefined)
      const occurring = parts.filter((part) => typeof part !== 'string')
      return call.result(types.string, sumCosts(occurring), (frame) => {
        burn(frame, call.node)
        let text = ''
        for (const part of parts) text += typeof part === 'string' ? part : part.run(frame)
        return boundText(text, call.node)
      })
    },
  }),

  operator({
    name: '$case',
    group: 'text and numbers',
    doc: 'Text in upper, lower or title case.',
    args: {
      subject: take.value('string', 'the text'),
      to: take.choice(letterCases, 'upper, lower or title'),
      locale: take.optionalNode('a locale such as tr, el or nl, which have rules of their own; or a value that is one'),
    },
    build(call) {
      const text = call.value('subject')
      const chosen = call.choice('to')
      const to = letterCases.find((one) => one === chosen) ?? 'upper'
      const locale = call.has('locale') ? readLocale(call.builder, call.entry('locale')?.value) : undefined
      const cost = addSizes(sumCosts([text]), locale?.cost ?? 0)
      return call.result(types.string, cost, (frame) => {
        burn(frame, call.node)
        return boundText(inCase(text.run(frame), to, locale?.run(frame)), call.node)
      })
    },
  }),

  operator({
    name: '$concat',
    group: 'text and numbers',
    doc: 'Several texts as one, or several arrays as one.',
    args: { subject: take.node('the parts, in order') },
    build: (call) => buildConcat(call),
  }),

  operator({
    name: '$split',
    group: 'text and numbers',
    doc: 'The parts of a text between occurrences of another.',
    args: { subject: take.value('string', 'the text'), on: take.word('the text between the parts') },
    build(call) {
      const text = call.value('subject')
      const on = call.word('on') ?? ''
      if (on === '') call.error('argument', call.nodeOf('on'), '"on" wants at least one character.')
      const type = arrayOf(types.string, limits.transformAssumedItems, 1)
      return call.result(type, addSizes(sumCosts([text]), limits.transformAssumedItems), (frame) => {
        burn(frame, call.node)
        const { value, trace } = tracedValue(frame, text.run)
        const parts = value.split(on)
        burn(frame, call.node, parts.length)
        for (let index = 0; index < parts.length && trace !== undefined; index++) {
          frame.lineage?.setMember(parts, index, trace)
        }
        return parts
      })
    },
  }),

  operator({
    name: '$slice',
    group: 'text and numbers',
    doc: 'A part of a text by character positions from 0; negative ones count from the end.',
    args: {
      subject: take.value('string', 'the text'),
      from: take.value('integer', 'position of the first character'),
      to: take.optional('integer', 'position after the last character; the end unless given'),
    },
    build(call) {
      const text = call.value('subject')
      const from = call.value('from')
      const to = call.optionalValue('to')
      return call.result(types.string, sumCosts(to === undefined ? [text, from] : [text, from, to]), (frame) => {
        burn(frame, call.node)
        return [...text.run(frame)].slice(from.run(frame), to?.run(frame)).join('')
      })
    },
  }),

  operator({
    name: '$pad',
    group: 'text and numbers',
    doc: 'Text filled up to a number of characters.',
    args: {
      subject: take.value('text', 'the text or number'),
      to: take.integer(1, 1_000, 'characters that it has at least'),
      with: take.optionalWord('the one character to fill with; a blank unless given'),
      side: take.optionalChoice(['start', 'end'], 'where to fill; start unless given'),
    },
    build(call) {
      const text = call.value('subject')
      const length = call.integer('to') ?? 1
      const fill = call.word('with') ?? ' '
      const atEnd = call.choice('side') === 'end'
      if ([...fill].length !== 1) call.error('argument', call.nodeOf('with'), '"with" wants exactly one character.')
      const pad = (value: string) => {
        const filling = fill.repeat(Math.max(0, length - [...value].length))
        if (atEnd) return value + filling
        // Zeros are digits of the number, whose sign is before them.
        const sign = fill === '0' && call.context.reading >= 6 ? (/^[-+−](?=\d)/.exec(value)?.[0] ?? '') : ''
        return sign + filling + value.slice(sign.length)
      }
      call.context.sample(call.node, () => [pad('-7')])
      return call.result(types.string, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        return pad(text.run(frame))
      })
    },
  }),
]

/** Joins and stops as soon as the text is too long. */
export function joinBounded(parts: readonly string[], separator: string, node: Built['node']): string {
  let length = separator.length * Math.max(0, parts.length - 1)
  for (const part of parts) length += part.length
  if (length > limits.transformTextChars) {
    throw new Fault(
      'fuel',
      node,
      `A text grew beyond ${limits.transformTextChars} characters.`,
      'Make it in smaller parts.',
    )
  }
  return parts.join(separator)
}

function buildConcat(call: CallSite): Built {
  const node = call.nodeOf('subject')
  if (node.kind !== 'list' || node.items.length === 0) {
    call.error(
      'argument',
      node,
      '$concat wants a sequence of texts or of arrays.',
      'Write { $concat: [/first, " ", /last] }.',
    )
    return call.broken()
  }
  const parts = node.items.map((item) => call.builder.value(item))
  const sure = parts.find((part) => !isUnknown(part.type) && part.type.alternatives.length > 0)
  if (sure === undefined) return concatUnknown(call, parts)
  return sure.type.alternatives.some((each) => each.kind === 'array')
    ? concatArrays(call, parts)
    : concatTexts(call, parts)
}

function concatTexts(call: CallSite, parts: readonly Built[]): Built {
  const texts = parts.map((part) => call.check(part, 'text'))
  return call.result(types.string, sumCosts(texts), (frame) => {
    burn(frame, call.node)
    return joinBounded(
      texts.map((text) => text.run(frame)),
      '',
      call.node,
    )
  })
}

function concatArrays(call: CallSite, parts: readonly Built[]): Built {
  const arrays = parts.map((part) => call.check(part, 'array'))
  let item: Type | undefined
  let min = 0
  let max: Size = 0
  for (const array of arrays) {
    const items = itemsOf(array.type)
    const added = withTotals(items)
    item = item === undefined ? added : joinTypes(item, added)
    min += items.min
    max = addSizes(max, items.max)
  }
  return call.result(arrayOf(item ?? types.unknown, max, min), addSizes(sumCosts(arrays), max), (frame) => {
    burn(frame, call.node)
    return appendAll(
      frame,
      call,
      arrays.map((array) => array.run(frame)),
    )
  })
}

function appendAll(frame: Frame, call: CallSite, arrays: readonly Value[][]): Value[] {
  const result: Value[] = []
  for (const array of arrays) {
    burn(frame, call.node, array.length)
    for (let index = 0; index < array.length; index++) {
      itemOrigin(frame, array, index, result, result.length)
      result.push(array[index])
    }
  }
  return result
}

/** Without a contract the first value decides. */
function concatUnknown(call: CallSite, parts: readonly Built[]): Built {
  const values = parts.map((part) => call.check(part, 'any'))
  const within = values.map(({ type }) => withinOf(type)).reduce(addSizes)
  const cost = addSizes(sumCosts(values), within)
  return call.result(typeOf({ kind: 'unknown', within }), cost, (frame) => {
    burn(frame, call.node)
    const found = values.map((value) => value.run(frame))
    if (found.every((value) => Array.isArray(value))) return appendAll(frame, call, found)
    const texts = found.map((value) => {
      if (typeof value === 'string' || isNumberValue(value)) return displayScalar(value)
      throw new Fault('type', call.node, '$concat wants only texts or only arrays.')
    })
    return joinBounded(texts, '', call.node)
  })
}
