/** Texts: what is in them, and what is written instead. */

import { limits } from '../../../core/limits.ts'
import { compilePattern, compileReplacer } from '../../../core/pattern/pattern.ts'
import { shorten } from '../../../core/source/read.ts'
import { type Built, sumCosts } from '../built.ts'
import { type Call, type CallSite, operator, take } from '../call.ts'
import { boundText, burn, Fault, type Frame } from '../frame.ts'
import { types } from '../types.ts'
import { joinBounded } from './text.ts'

const trims: Record<string, (text: string) => string> = {
  both: (text) => text.trim(),
  start: (text) => text.trimStart(),
  end: (text) => text.trimEnd(),
}

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD', 'plain'] as const

const finds = {
  $contains: (text: string, find: string) => text.includes(find),
  $startsWith: (text: string, find: string) => text.startsWith(find),
  $endsWith: (text: string, find: string) => text.endsWith(find),
}

function findOperator(name: keyof typeof finds, doc: string) {
  const holds = finds[name]
  return operator({
    name,
    group: 'tests',
    doc,
    args: {
      subject: take.value('string', 'the text'),
      find: take.value('string', 'the text to find'),
      anyCase: take.optionalFlag('true: capital and small letters are alike'),
    },
    build(call) {
      const text = call.value('subject')
      const find = call.value('find')
      const anyCase = call.flag('anyCase')
      return call.result(types.boolean, sumCosts([text, find]), (frame) => {
        burn(frame, call.node)
        const [one, other] = [text.run(frame), find.run(frame)]
        return anyCase ? holds(one.toLowerCase(), other.toLowerCase()) : holds(one, other)
      })
    },
  })
}

export const stringOperators = [
  operator({
    name: '$replace',
    group: 'text and numbers',
    doc: 'Text with every occurrence of one text, or every match of a pattern, replaced by another.',
    args: {
      subject: take.value('string', 'the text'),
      find: take.optionalWord('the text to find'),
      pattern: take.optionalWord('instead: the pattern to find, as in a contract'),
      with: take.word('the text to put there; for a pattern {1} to {9} are its groups, {0} is the match'),
    },
    build: (call) => buildReplace(call),
  }),

  operator({
    name: '$trim',
    group: 'text and numbers',
    doc: 'Text without white space around it.',
    args: {
      subject: take.value('string', 'the text'),
      side: take.optionalChoice(Object.keys(trims), 'where: both, start or end; both unless given'),
      inside: take.optionalFlag('true: every run of white space in it becomes one blank, too'),
    },
    build(call) {
      const text = call.value('subject')
      const trim = trims[call.choice('side') ?? 'both'] ?? ((value: string) => value.trim())
      const inside = call.flag('inside')
      return call.result(types.string, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        const trimmed = trim(text.run(frame))
        return inside ? trimmed.replace(/\s+/gu, ' ') : trimmed
      })
    },
  }),

  operator({
    name: '$length',
    group: 'text and numbers',
    doc: 'How many characters a text has.',
    args: { subject: take.value('text', 'the text or number') },
    build(call) {
      const text = call.value('subject')
      return call.result(types.decimal, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        return [...text.run(frame)].length
      })
    },
  }),

  operator({
    name: '$normalize',
    group: 'text and numbers',
    doc: 'Text in a normal form of Unicode, so that equal texts have equal characters.',
    args: {
      subject: take.value('string', 'the text'),
      to: take.optionalChoice(forms, 'NFC unless given; or NFD, NFKC, NFKD; plain: letters without accents'),
    },
    build(call) {
      const text = call.value('subject')
      const chosen = call.choice('to')
      const form = forms.find((one) => one === chosen) ?? 'NFC'
      return call.result(types.string, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        const value = text.run(frame)
        const normal =
          form === 'plain' ? value.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC') : value.normalize(form)
        return boundText(normal, call.node)
      })
    },
  }),

  operator({
    name: '$blocks',
    group: 'text and numbers',
    doc: 'Text in groups of characters, as an IBAN or a phone number is written; white space in it goes first.',
    args: {
      subject: take.value('text', 'the text or number'),
      sizes: take.node('characters of each group, [4] or [3, 3, 4]; the last size repeats'),
      with: take.optionalWord('text between the groups; a blank unless given'),
      side: take.optionalChoice(['start', 'end'], 'where the sizes count from; start unless given'),
    },
    build(call) {
      const text = call.value('subject')
      const sizes = readSizes(call)
      const separator = call.word('with') ?? ' '
      const fromEnd = call.choice('side') === 'end'
      return call.result(types.string, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        const characters = [...text.run(frame).replace(/\s+/gu, '')]
        const groups = fromEnd ? blocksOf(characters.reverse(), sizes) : blocksOf(characters, sizes)
        const parts = fromEnd ? groups.map((group) => group.reverse()).reverse() : groups
        return joinBounded(
          parts.map((part) => part.join('')),
          separator,
          call.node,
        )
      })
    },
  }),

  findOperator('$contains', 'Whether a text has another one in it.'),
  findOperator('$startsWith', 'Whether a text begins with another one.'),
  findOperator('$endsWith', 'Whether a text ends with another one.'),

  operator({
    name: '$matches',
    group: 'tests',
    doc: 'Whether a pattern is found in a text; with ^ and $ it has to be the whole text.',
    args: {
      subject: take.value('string', 'the text'),
      pattern: take.word('the pattern, as in a contract: ECMA-262, run in linear time'),
    },
    build(call) {
      const text = call.value('subject')
      const pattern = readPattern(call, compilePattern)
      if (pattern === undefined) return call.broken()
      return call.result(types.boolean, sumCosts([text]), (frame) => {
        burn(frame, call.node)
        return pattern.test(shortText(text.run(frame), call.node))
      })
    },
  }),
]

type Compiled<T> = { ok: true; value: T } | { ok: false; fault: { message: string; hint: string } }

/** The argument `pattern`; undefined after a finding. */
function readPattern<T>(call: CallSite, compile: (source: string) => Compiled<T>): T | undefined {
  const source = call.word('pattern')
  if (source === undefined) return undefined
  const compiled = compile(source)
  if (compiled.ok) return compiled.value
  const { message, hint } = compiled.fault
  call.error('pattern', call.nodeOf('pattern'), `The pattern "${shorten(source)}" cannot be used: ${message}.`, hint)
  return undefined
}

function shortText(text: string, node: Built['node']): string {
  if (text.length <= limits.transformPatternChars) return text
  const message = `A pattern reads texts of at most ${limits.transformPatternChars} characters.`
  throw new Fault('fuel', node, message, 'Cut the text with $slice or $split.')
}

type ReplaceArguments = {
  subject: { kind: 'value'; want: 'string'; doc: string }
  find: { kind: 'word'; doc: string }
  pattern: { kind: 'word'; doc: string }
  with: { kind: 'word'; doc: string }
}

function buildReplace(call: Call<ReplaceArguments>): Built {
  const text = call.value('subject')
  const replacement = call.word('with') ?? ''
  const [, group] = call.has('pattern') ? (/[$\\](\d|&)/.exec(replacement) ?? []) : []
  if (group !== undefined) {
    const message = `"${shorten(replacement)}" has a group as other languages write it, which is put there as it is.`
    const hint =
      group === '&' || group === '0' ? 'Write {0} for the match.' : `Write {${group}} for a group, {0} for the match.`
    call.warning('literal_group', call.nodeOf('with'), message, hint)
  }
  if (call.has('find') === call.has('pattern')) {
    call.error('argument', call.node, '$replace wants "find" or "pattern".', 'For example find: "-".')
    return call.broken()
  }
  const run = call.has('pattern') ? replaceByPattern(call, replacement) : replaceText(call, replacement)
  if (run === undefined) return call.broken()
  return call.result(types.string, sumCosts([text]), (frame: Frame) => {
    burn(frame, call.node)
    return run(text.run(frame))
  })
}

function replaceText(call: CallSite, replacement: string): (text: string) => string {
  const find = call.word('find') ?? ''
  if (find === '') call.error('argument', call.nodeOf('find'), '"find" wants at least one character.')
  return (text) => joinBounded(text.split(find), replacement, call.node)
}

function replaceByPattern(call: CallSite, replacement: string): ((text: string) => string) | undefined {
  const pattern = readPattern(call, compileReplacer)
  if (pattern === undefined) return undefined
  const { groups } = pattern
  const pieces: (string | number)[] = []
  for (const [piece] of replacement.matchAll(/\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+/g)) {
    const number = /^\{(\d)\}$/.exec(piece)?.[1]
    if (number !== undefined && Number(number) <= groups) pieces.push(Number(number))
    else if (piece === '{{' || piece === '}}') pieces.push(piece.charAt(0))
    else if (/[{}]/.test(piece)) {
      const message = `"${shorten(piece)}" is no group of the pattern, which has ${groups}.`
      call.error('slot', call.nodeOf('with'), message, 'Write {1} for the first group, and {{ for a brace.')
      return undefined
    } else pieces.push(piece)
  }
  const write = (found: readonly string[]) =>
    pieces.map((piece) => (typeof piece === 'number' ? (found[piece] ?? '') : piece)).join('')
  return (text) => {
    const replaced = pattern.replace(shortText(text, call.node), write)
    if (replaced !== undefined) return boundText(replaced, call.node)
    const message = 'The pattern has too many matches in so long a text.'
    throw new Fault('fuel', call.node, message, 'Cut the text with $slice or $split.')
  }
}

function readSizes(call: CallSite): number[] {
  const node = call.nodeOf('sizes')
  const items = node.kind === 'list' ? node.items : [node]
  const sizes = items.map((item) =>
    item.kind === 'scalar' && typeof item.value === 'object' ? (item.value?.toNumber() ?? 0) : 0,
  )
  const isRight = (size: number) => Number.isSafeInteger(size) && size >= 1 && size <= 1_000
  if (sizes.length > 0 && sizes.length <= limits.transformBlockSizes && sizes.every(isRight)) return sizes
  call.error('argument', node, '"sizes" of $blocks wants whole numbers from 1 to 1000.', 'For example [4].')
  return [1]
}

function blocksOf(characters: string[], sizes: readonly number[]): string[][] {
  const blocks: string[][] = []
  for (let at = 0, index = 0; at < characters.length; index++) {
    const size = sizes[Math.min(index, sizes.length - 1)] ?? 1
    blocks.push(characters.slice(at, at + size))
    at += size
  }
  return blocks
}
