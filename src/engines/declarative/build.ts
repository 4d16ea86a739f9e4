/**
 * From syntax to program in one walk. Every node gets its type, its cost bound and the function that evaluates it;
 * everything wrong with it becomes a finding. Checker and evaluator cannot disagree, because each operator states all
 * three in one place.
 */
import { limits } from '../../core/limits.ts'
import { lookalike } from '../../core/plain-text.ts'
import { joinPointer, parsePointer } from '../../core/pointer.ts'
import { shorten } from '../../core/source/read.ts'
import type { ListNode, MapEntry, MapNode, ScalarNode, SourceNode } from '../../core/source/tree.ts'
import { type Built, sumCosts, typeOfLiteral } from './built.ts'
import { checkItem } from './check.ts'
import { type BuildContext, isName } from './context.ts'
import { burn, type Origin, originPattern, type Run } from './frame.ts'
import { asItemsOf } from './nesting.ts'
import { readPath } from './path.ts'
import { foreignReading, ofItems, slipHint } from './slips.ts'
import {
  arrayOf,
  asItem,
  describeType,
  type Field,
  isUnknown,
  joinTypes,
  objectOf,
  present,
  stepInto,
  type Type,
  types,
} from './types.ts'
import { type ObjectValue, setValue, type Value } from './value.ts'

/** A path written as in templates or other languages: `{{/a/b}}`, `{a}`, `./a`, `a/b`, `a.b`, `.a`, `@.a`, or in typographic quotes. */
function unreadIn(text: string): { path: string[]; isWhole: boolean; isOfInput: boolean } | undefined {
  const inBraces = /\{\s*([./]*)([A-Za-z_][\w-]*(?:[./][A-Za-z_][\w-]*)*)\s*\}/.exec(text)
  const match = inBraces ?? /^[“„]?(\.\/|@?\.|(?<=[“„])\/)?([A-Za-z_][\w-]*(?:[./][A-Za-z_][\w-]*)*)[”“]?$/.exec(text)
  const [, lead = '', names = ''] = match ?? []
  const path = names.split(/[./]/)
  if (match === null || (inBraces === null && lead === '' && path.length === 1)) return undefined
  const isWhole =
    inBraces === null ||
    (/^[{$\s]*$/.test(text.slice(0, inBraces.index)) &&
      /^[}\s]*$/.test(text.slice(inBraces.index + inBraces[0].length)))
  return { path, isWhole, isOfInput: lead !== '' }
}

function oddHint(odd: ReturnType<typeof lookalike>, names: Iterable<string>): string | undefined {
  return odd !== undefined && [...names].includes(odd.meant)
    ? `It holds ${odd.odd}: type ${shorten(odd.meant)} anew.`
    : undefined
}

const declareFirst = 'Write it under let or params at the top; a let reads only the ones before it.'

/** Builds a mapping with one operator key. Injected, since operators in turn use the builder for their arguments. */
export type BuildCall = (builder: Builder, node: MapNode, subject: MapEntry) => Built

export class Builder {
  private naming = false

  constructor(
    readonly context: BuildContext,
    private readonly buildCall: BuildCall,
  ) {}

  /** Replaces what was already reported; its type is unknown, so no further finding follows. */
  broken(node: SourceNode): Built {
    return { node, type: types.unknown, cost: 1, run: () => undefined }
  }

  value(node: SourceNode): Built {
    const built = this.build(node)
    return this.context.watch?.watched(built) ?? built
  }

  /** The same for literal text, whose braces are the operator's own. */
  text(node: ScalarNode): Built {
    const built = this.literal(node)
    return this.context.watch?.watched(built) ?? built
  }

  private build(node: SourceNode): Built {
    if (node.kind === 'list') return this.array(node)
    if (node.kind === 'map') return this.map(node)
    if (typeof node.value === 'string') {
      if (node.value.startsWith('/')) return this.inputPath(node, node.value)
      if (node.value.startsWith('$')) return this.reference(node, node.value)
      this.warnOfUnread(node, node.value)
    }
    this.context.findings.warnOfSlip(node)
    return this.literal(node)
  }

  /** A let that only names a part of the input does not read it yet. */
  alias(node: SourceNode): Built {
    this.naming = node.kind === 'scalar'
    const built = this.value(node)
    this.naming = false
    return built
  }

  literal(node: ScalarNode): Built {
    const { value } = node
    return { node, type: typeOfLiteral(value), cost: 0, run: () => value, literal: value }
  }

  private inputPath(node: ScalarNode, text: string): Built {
    const tokens = parsePointer(text)
    if (tokens === undefined) {
      this.context.findings.error(
        'pointer',
        node,
        `${shorten(text)} is not a JSON Pointer.`,
        'Write ~0 for a tilde and ~1 for a slash in a name.',
      )
      return this.broken(node)
    }
    return this.path(node, { type: this.context.input, origin: [], known: '' }, tokens, (frame) => frame.input)
  }

  private reference(node: ScalarNode, text: string): Built {
    const slash = text.indexOf('/')
    const name = slash < 0 ? text.slice(1) : text.slice(1, slash)
    const variable = this.context.lookUp(name)
    if (variable === undefined) {
      const hint = isName(name)
        ? (this.context.findings.suggest(name, this.context.names(), '$') ?? declareFirst)
        : (foreignReading(text, (each) => this.context.lookUp(each) !== undefined) ??
          `A name starts with a letter; for text that starts with $ write { $const: ${shorten(text, 30)} }.`)
      this.context.findings.error('unknown_name', node, `Nothing here is named ${shorten(`$${name}`)}.`, hint)
      return this.broken(node)
    }
    const tokens = slash < 0 ? [] : parsePointer(text.slice(slash))
    if (tokens === undefined) {
      this.context.findings.error(
        'pointer',
        node,
        `${shorten(text)} is not a name and a JSON Pointer.`,
        'Write ~0 for a tilde and ~1 for a slash.',
      )
      return this.broken(node)
    }
    const { slot, type, origin } = variable
    const root = { type, known: `$${slot}`, slot, ...(origin === undefined ? {} : { origin }) }
    const built = this.path(node, root, tokens, (frame) => frame.slots[slot])
    return variable.scattered === true && tokens.length === 0 ? { ...built, scattered: true } : built
  }

  private path(
    node: ScalarNode,
    root: { type: Type; known: string; origin?: Origin; slot?: number },
    tokens: readonly string[],
    start: Run,
  ): Built {
    let { type, known } = root
    if (this.context.isPresent(known)) type = present(type)
    for (const [index, token] of tokens.entries()) {
      const step = stepInto(type, token)
      const odd = lookalike(token)
      if (odd !== undefined && step.ok && isUnknown(type)) {
        const message = `"${shorten(token)}" holds ${odd.odd}: to the data it is another name than "${shorten(odd.meant)}".`
        this.context.findings.warning('odd_name', node, message, 'Type it anew, unless the data has it so.')
      }
      if (!step.ok) {
        const before = shorten(
          String(node.value)
            .split('/')
            .slice(0, index + 1)
            .join('/') || 'the input',
        )
        const hint = step.isArray
          ? ofItems(node, before, token)
          : (oddHint(odd, step.names) ??
            slipHint(
              token,
              `${String(node.value)
                .split('/')
                .slice(0, index + 1)
                .join('/')}/`,
            ) ??
            this.ofItem(token, index === 0 && root.slot === undefined) ??
            this.context.findings.suggest(token, step.names))
        this.context.findings.error(
          'unknown_path',
          node,
          `${before} is ${describeType(type)} without "${shorten(token)}".`,
          hint,
        )
        return this.broken(node)
      }
      if (index === tokens.length - 1)
        this.context.watch?.noteMember(node, { parent: type, name: token, type: step.type })
      known = `${known}/${token}`
      type = this.context.isPresent(known) ? present(step.type) : step.type
    }
    const origin = root.origin === undefined ? undefined : [...root.origin, ...tokens]
    if (origin !== undefined && !this.naming) this.context.reads.add(originPattern(origin))
    const run = readPath(node, start, tokens, root.slot)
    return { node, type, cost: 1, run, known, ...(origin === undefined ? {} : { origin }) }
  }

  /** A member that the input lacks, and the item of a loop has. */
  private ofItem(token: string, isOfInput: boolean): string | undefined {
    // Nobody sees the hints of further findings.
    if (!isOfInput || this.context.findings.errorCount >= limits.configurationIssues) return undefined
    for (const name of this.context.names()) {
      const variable = this.context.lookUp(name)
      if (name === '' || variable === undefined || isUnknown(variable.type) || !stepInto(variable.type, token).ok)
        continue
      return `Write $${name}/${shorten(token)}: a path that begins with / starts at the input.`
    }
    return undefined
  }

  private array(node: ListNode): Built {
    const items = node.items.map((item) => checkItem(this.context, this.value(item)))
    let type: Type | undefined
    for (const item of items) type = type === undefined ? asItem(item.type) : joinTypes(type, asItem(item.type))
    const min = items.filter((item) => !item.type.missing).length
    const run: Run = (frame) => {
      burn(frame, node)
      const array: Value[] = []
      const { lineage } = frame
      for (const item of items) {
        if (lineage === undefined) {
          const value = item.run(frame)
          if (value !== undefined) array.push(value)
          continue
        }
        const { value, trace } = lineage.collect(() => item.run(frame))
        if (value === undefined) continue
        trace.nodes.add(item.node)
        lineage.setMember(array, array.length, trace)
        array.push(value)
      }
      return array
    }
    const item = asItemsOf(type ?? types.unknown, items.length)
    return { node, type: arrayOf(item, items.length, min), cost: sumCosts(items), run }
  }

  private map(node: MapNode): Built {
    const operators = node.entries.filter((entry) => entry.key.startsWith('$') && !entry.key.startsWith('$$'))
    const [operator, ...others] = operators
    if (operator === undefined) return this.object(node)
    if (others.length > 0) {
      const names = operators.map((entry) => entry.key).join(', ')
      this.context.findings.error(
        'one_operator',
        node,
        `There is more than one operator here: ${shorten(names)}.`,
        'Put one inside the other.',
      )
      return this.broken(node)
    }
    return this.buildCall(this, node, operator)
  }

  /** `name: name` writes the word "name", which is hardly meant if something of that name exists. */
  warnOfForgottenSlash(key: string, { literal, node }: Built): void {
    if (literal !== key || key === '') return
    const isVariable = this.context.lookUp(key) !== undefined
    if (!isVariable && !stepInto(this.context.input, key).ok) return
    const form = isVariable ? `$${key}` : joinPointer('', key)
    const message = `This writes the word "${shorten(key)}", not the value of that name.`
    this.context.findings.warning('forgotten_slash', node, message, `Write ${shorten(form)} to read it.`)
  }

  /**
   * Warns of `Dear /name`: a path to a known value in the middle of a text. Warns only if the type of the input is known, so
   * never of `km/h` or `and/or`.
   */
  warnOfPathInText(node: SourceNode, text: string): void {
    const { input } = this.context
    for (const [, path = ''] of text.matchAll(/(?:^|[\s(„“"])([/$][A-Za-z_][\w-]*(?:\/[A-Za-z_][\w-]*)*)/g)) {
      const [first = '', ...rest] = path.slice(1).split('/')
      const variable = path.startsWith('$') ? this.context.lookUp(first) : undefined
      if (path.startsWith('$') && variable === undefined) continue
      let type = variable?.type ?? input
      const tokens = variable === undefined ? [first, ...rest] : rest
      const isThere = tokens.every((token) => {
        const step = isUnknown(type) ? { ok: false as const } : stepInto(type, token)
        if (step.ok) type = step.type
        return step.ok
      })
      if (!isThere) continue
      const slot = path.split('/').at(-1)?.replace('$', '') ?? ''
      const written = text.replace(path, `{${slot}}`)
      const message = `This writes "${shorten(path)}" as it is, and reads nothing.`
      const hint = `Write { $text: ${shorten(JSON.stringify(written))}, ${slot}: ${shorten(path)} }.`
      this.context.findings.warning('forgotten_slash', node, message, hint)
      return
    }
  }

  /**
   * `then: name` when the data has a name. Words are common as values of a choice (`then: paid, else: open`), so this
   * is reported only if every word among the branches names an existing text, number or date.
   */
  warnOfNamesAmong(branches: readonly Built[]): void {
    const words = branches.filter(({ literal }) => literal !== undefined)
    const forms = words.map((built) => this.formOfName(built))
    for (const [index, { node, literal }] of words.entries()) {
      const form = forms[index]
      if (form === undefined || forms.includes(undefined)) continue
      const message = `This writes the word "${shorten(String(literal))}", not the value of that name.`
      const hint = `Write ${shorten(form)} to read it, or { $const: ${shorten(String(literal), 30)} } for the word.`
      this.context.findings.warning('forgotten_slash', node, message, hint)
    }
  }

  private formOfName({ literal, node }: Built): string | undefined {
    if (node.kind !== 'scalar' || typeof literal !== 'string' || literal === '') return undefined
    const variable = this.context.lookUp(literal)
    const step =
      variable === undefined ? stepInto(this.context.input, literal) : { ok: true as const, type: variable.type }
    if (!step.ok || isUnknown(step.type) || isUnknown(this.context.input)) return undefined
    const isValue = step.type.alternatives.every(({ kind }) => ['string', 'decimal', 'date', 'datetime'].includes(kind))
    if (!isValue || step.type.alternatives.length === 0) return undefined
    return variable === undefined ? joinPointer('', literal) : `$${literal}`
  }

  /** Warns of text that looks like a path to an existing value, as templates or other languages write it. */
  private warnOfUnread(node: ScalarNode, text: string): void {
    const unread = unreadIn(text)
    if (unread === undefined) {
      if (/\s/.test(text)) this.warnOfPathInText(node, text)
      return
    }
    const { path, isWhole } = unread
    const [first = '', ...rest] = path
    const variable = unread.isOfInput ? undefined : this.context.lookUp(first)
    let type = variable?.type ?? this.context.input
    const tokens = variable === undefined ? path : rest
    for (const token of tokens) {
      const step = stepInto(type, token)
      if (!step.ok || isUnknown(step.type)) return
      type = step.type
    }
    if (isUnknown(type)) return
    const pointer = tokens.map((token) => joinPointer('', token)).join('')
    const form = variable === undefined ? pointer : `$${first}${pointer}`
    const hint = isWhole ? `Write ${shorten(form)} to read it.` : `Write { $text: "… {x} …", x: ${shorten(form)} }.`
    const message = `This writes ${shorten(JSON.stringify(text))}, and reads nothing.`
    this.context.findings.warning('forgotten_slash', node, message, hint)
  }

  private object(node: MapNode): Built {
    const fields = new Map<string, Field>()
    const members = node.entries.map((entry) => {
      const built = checkItem(this.context, this.value(entry.value))
      this.warnOfForgottenSlash(entry.key, built)
      const key = entry.key.startsWith('$$') ? entry.key.slice(1) : entry.key
      fields.set(key, { type: built.type, at: entry.value })
      return { key, built, run: built.run }
    })
    const run: Run = (frame) => {
      burn(frame, node)
      const object: ObjectValue = {}
      const { lineage } = frame
      for (const member of members) {
        if (lineage === undefined) {
          const value = member.run(frame)
          if (value !== undefined) setValue(object, member.key, value)
          continue
        }
        const { value, trace } = lineage.collect(() => member.run(frame))
        if (value === undefined) continue
        trace.nodes.add(member.built.node)
        setValue(object, member.key, value)
        lineage.setMember(object, member.key, trace)
      }
      return object
    }
    return { node, type: objectOf(fields), cost: sumCosts(members.map((member) => member.built)), run }
  }
}
