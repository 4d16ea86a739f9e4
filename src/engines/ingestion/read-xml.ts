/**
 * Reads XML into the value that its contract describes. An element with elements or attributes becomes an object, any
 * other its text; the model says what is a list. Parsed by saxes, without a DOCTYPE, so only XML's five entities exist.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type JsonObject, type JsonValue, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import { LineIndex } from '../../core/positions.ts'
import type { ValueType } from './declaration.ts'
import { refusedCharacter, typedValue, unkeepableIn } from './field-values.ts'
import type { ReadInput } from './input-value.ts'
import { isNil, Names, Rules, shortName, XmlRefusal } from './xml-elements.ts'
import type { XmlFormat } from './xml-format.ts'

/** @throws XmlRefusal */
export function readXml(text: string, format: XmlFormat): ReadInput {
  const raw = refusedCharacter(text, format)
  if (raw !== undefined) throw new XmlRefusal('character', raw.offset, raw.name, raw.hint)
  const first = text.search(/[^\uFEFF \t\r\n]/)
  if (first >= 0 && text[first] !== '<') {
    throw new XmlRefusal(
      'syntax',
      first,
      'this is no XML, which begins with <',
      'submit XML, or leave input out of the model for JSON',
    )
  }
  const reader = new XmlReader(text, format)
  const root = reader.read()
  const { value } = root
  if (encoder.encode(JSON.stringify(value)).length > limits.payloadBytes) {
    const message = `as JSON it has more than ${limits.payloadBytes} bytes`
    throw new XmlRefusal('size', 0, message, 'submit less at once, or shorten the prefixes of namespaces in the model')
  }
  const lines = new LineIndex(text)
  return {
    value,
    placeOf(pointer) {
      const { offset, element } = placeIn(root, parsePointer(pointer) ?? [], { text, format })
      return { ...lines.positionOf(offset), element }
    },
  }
}

const encoder = new TextEncoder()

/** An element that was read. */
interface Element {
  name: string
  /** In the text, of its `<`. */
  start: number
  /** Its own text begins there, where it has any. */
  textStart: number
  attributes: ReadonlyMap<string, string>
  children: Map<string, Element[]>
  /** Its number among the elements of its name in one element, from 1. */
  nth: number
  value: JsonValue
}

/** An element that is being read. */
interface OpenElement extends Element {
  /** From the root. */
  path: string
  text: string
  isNil: boolean
  /** How many children of each name were there, those that were left out too. */
  counts: Map<string, number>
  members: JsonObject
}

class XmlReader {
  private readonly parser = new SaxesParser({
    xmlns: true,
    position: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  })
  private readonly rules: Rules
  private readonly names: Names
  private readonly open: OpenElement[] = []
  private root: Element | undefined
  private elements = 0
  /** Where the markup before the next text ends. */
  private markupEnd = 0
  private readonly hasReferences: boolean

  constructor(
    private readonly source: string,
    private readonly format: XmlFormat,
  ) {
    this.rules = new Rules(format)
    this.names = new Names(format)
    this.hasReferences = source.includes('&#')
  }

  read(): Element {
    const { parser } = this
    parser.on('error', ({ message }) => {
      const told = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
      throw new XmlRefusal(
        'syntax',
        this.before(parser.position),
        `this is not well-formed: ${told}`,
        /&(?!#?\w+;)/.test(this.source) ? 'write &amp; for an ampersand in text' : syntaxHint(told),
      )
    })
    parser.on('doctype', () => {
      const offset = this.source.lastIndexOf('<!DOCTYPE', parser.position)
      throw new XmlRefusal('doctype', Math.max(0, offset), 'a DOCTYPE', 'remove it, and write its entities out')
    })
    parser.on('opentag', (tag) => this.begin(tag))
    parser.on('closetag', () => this.end())
    parser.on('text', (text) => this.addText(text))
    parser.on('cdata', (text) => this.addText(text))
    parser.on('comment', () => this.pass())
    parser.on('processinginstruction', () => this.pass())
    parser.write(this.source).close()
    if (this.root === undefined) throw new XmlRefusal('syntax', 0, 'there is no element', 'write one')
    return this.root
  }

  private before(position: number): number {
    return Math.max(0, Math.min(position, this.source.length) - 1)
  }

  private pass(): void {
    this.markupEnd = this.parser.position
  }

  private begin(tag: SaxesTagNS): void {
    const start = this.startOf(tag.name)
    const parent = this.open.at(-1)
    const name = this.names.ofElement(tag, start)
    this.checkPlace(parent, name, start)
    const path = `${parent?.path ?? ''}/${name}`
    const attributes = this.attributesOf(tag, path, start)
    this.open.push({
      ...{ name, start, path, attributes: new Map([...attributes].map(([key, { local }]) => [key, local])) },
      ...{ textStart: -1, text: '', isNil: isNil(tag), children: new Map(), counts: new Map(), nth: 1, value: null },
      members: membersOf(attributes),
    })
    this.pass()
  }

  /** Where the tag begins whose end was just read; attributes may hold no `<`. */
  private startOf(name: string): number {
    return Math.max(0, this.source.lastIndexOf(`<${name}`, this.parser.position - 1))
  }

  private checkPlace(parent: OpenElement | undefined, name: string, start: number): void {
    if (++this.elements > limits.xmlInputElements) {
      throw new XmlRefusal(
        'size',
        start,
        `there are more than ${limits.xmlInputElements} elements`,
        'submit less at once',
      )
    }
    if (this.open.length >= limits.xmlInputDepth) {
      throw new XmlRefusal(
        'depth',
        start,
        `elements are nested more than ${limits.xmlInputDepth} deep`,
        'nest them less',
      )
    }
    if (parent === undefined) {
      if (name === this.format.root) return
      const message = `the root element is <${shortName(name)}>, and the model takes <${shortName(this.format.root)}>`
      throw new XmlRefusal('root', start, message, 'submit it to the model that takes it, or correct root in this one')
    }
    if (parent.textStart >= 0) throw mixed(parent)
  }

  private attributesOf({ attributes }: SaxesTagNS, path: string, start: number): ReadonlyMap<string, ReadAttribute> {
    const made = new Map<string, ReadAttribute>()
    const all = Object.values(attributes)
    if (all.length > limits.xmlInputAttributes) {
      const message = `an element has more than ${limits.xmlInputAttributes} attributes`
      throw new XmlRefusal('size', start, message, 'leave some out')
    }
    for (const attribute of all) {
      const name = this.names.ofAttribute(attribute, start)
      if (name === undefined) continue
      const { type } = this.rules.of(`${path}/@${name}`)
      const key = `${this.format.attributes}${name}`
      if (made.has(key)) throw twice(key, start)
      const value = this.valueOf(
        attribute.value,
        type,
        () => attributeStart(this.source, start, attribute.name),
        type === 'text',
      )
      made.set(key, { local: attribute.name, value })
    }
    return made
  }

  private addText(text: string): void {
    const element = this.open.at(-1)
    // Outside of the root there is only white space.
    if (element !== undefined) {
      const isBlank = blank.test(text)
      if (!isBlank && element.textStart < 0) {
        const from = this.source.slice(this.markupEnd).search(/[^ \t\r\n]/)
        element.textStart = this.markupEnd + Math.max(0, from)
      }
      element.text += text
      if (!isBlank && element.children.size > 0) throw mixed(element)
    }
    this.pass()
  }

  private end(): void {
    const element = this.open.pop()
    if (element === undefined) return
    this.pass()
    const value = this.valueOfElement(element)
    const parent = this.open.at(-1)
    if (parent === undefined) {
      element.value = value ?? null
      this.root = element
      return
    }
    const { isList } = this.rules.of(element.path)
    this.addChild(parent, element, value, isList)
  }

  private addChild(parent: OpenElement, element: OpenElement, value: JsonValue | undefined, isList: boolean): void {
    const { name, start } = element
    element.nth = (parent.counts.get(name) ?? 0) + 1
    parent.counts.set(name, element.nth)
    const siblings = parent.children.get(name)
    if (siblings === undefined) {
      if (Object.hasOwn(parent.members, name)) throw twice(name, start)
      parent.children.set(name, [])
      if (isList) setMember(parent.members, name, [])
    } else if (!isList) {
      const message = `there is more than one <${shortName(name)}> in <${shortName(parent.name)}>, and the model has no list there`
      throw new XmlRefusal('repeated', start, message, `add it to the model: lists: [${shortName(name)}]`)
    }
    if (value === undefined) return
    element.value = value
    parent.children.get(name)?.push(element)
    const list = parent.members[name]
    if (isList && Array.isArray(list)) list.push(value)
    else setMember(parent.members, name, value)
  }

  /** Undefined for an empty element that is left out. */
  private valueOfElement(element: OpenElement): JsonValue | undefined {
    const { path, members, children, start, textStart } = element
    const rule = this.rules.of(path)
    const text = this.format.trim ? withoutOuterSpace(element.text) : element.text
    const isRoot = this.open.length === 0
    if (element.isNil) {
      if (text === '' && children.size === 0 && !isRoot) return null
      throw new XmlRefusal(
        'value',
        start,
        `<${shortName(element.name)}> has xsi:nil, and content`,
        'leave out one of them',
      )
    }
    const isObject = rule.isObject || isRoot || element.attributes.size > 0 || children.size > 0
    if (children.size > 0 && rule.type !== 'text') {
      const message = `<${shortName(element.name)}> has elements in place of a ${rule.type}`
      throw new XmlRefusal('value', start, message, 'correct the type in the model')
    }
    const offset = () => (textStart < 0 ? start : textStart)
    if (!isObject) return this.valueOf(text, rule.type, offset)
    if (children.size === 0 && text !== '') {
      const value = this.valueOf(text, rule.type, offset)
      if (Object.hasOwn(members, this.format.text)) throw twice(this.format.text, start)
      if (value !== undefined) setMember(members, this.format.text, value)
    }
    return members
  }

  /** @param keepsEmpty whether a text without a character is one, whatever the model says */
  private valueOf(text: string, type: ValueType, offset: () => number, keepsEmpty = false): JsonValue | undefined {
    const { empty, decimal } = this.format
    if (text === '' && empty !== 'text' && !keepsEmpty) return empty === 'null' ? null : undefined
    const lost = this.hasReferences ? unkeepableIn(text) : undefined
    if (lost !== undefined) throw new XmlRefusal('character', offset(), lost.name, 'remove it')
    const read = typedValue(text, type, decimal)
    if (read.ok) return read.value
    throw new XmlRefusal('value', offset(), read.message, read.hint)
  }
}

interface ReadAttribute {
  /** As it is written in the text. */
  local: string
  value: JsonValue | undefined
}

const blank = /^[ \t\r\n]*$/
const space = ' \t\r\n'

/** By hand, as a pattern that ends at the end tries every run of white space before it. */
function withoutOuterSpace(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && space.includes(text[from] ?? '')) from++
  while (to > from && space.includes(text[to - 1] ?? '')) to--
  return text.slice(from, to)
}

function membersOf(attributes: ReadonlyMap<string, ReadAttribute>): JsonObject {
  const members: JsonObject = {}
  for (const [key, { value }] of attributes) if (value !== undefined) setMember(members, key, value)
  return members
}

function mixed({ name, textStart }: OpenElement): XmlRefusal {
  const message = `<${shortName(name)}> has text beside its elements`
  return new XmlRefusal('mixed', textStart, message, 'put the text into an element of its own')
}

function twice(member: string, start: number): XmlRefusal {
  const message = `"${shortName(member)}" would be two things of one element`
  return new XmlRefusal('repeated', start, message, 'give attributes or text another name in the model')
}

/** Where an attribute begins in the start tag at an offset. */
function attributeStart(source: string, tag: number, name: string): number {
  const each = /[\s]+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/gy
  each.lastIndex = tag + 1 + (/^[^\s/>]*/.exec(source.slice(tag + 1, tag + 1_000))?.[0].length ?? 0)
  for (let match = each.exec(source); match !== null; match = each.exec(source)) {
    if (match[1] === name) return match.index + match[0].indexOf(name)
  }
  return tag
}

/** The place of a value: that of its element or attribute, or of the nearest element around one that is missing. */
function placeIn(
  root: Element,
  tokens: readonly string[],
  { text, format }: { text: string; format: XmlFormat },
): { offset: number; element: string } {
  let at = root
  let element = `/${root.name}`
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? ''
    const written = at.attributes.get(token)
    if (written !== undefined) {
      return {
        offset: attributeStart(text, at.start, written),
        element: `${element}/@${token.slice(format.attributes.length)}`,
      }
    }
    const children = at.children.get(token)
    if (children === undefined || children.length === 0) {
      const isText = token === format.text && at.textStart >= 0
      return { offset: isText ? at.textStart : at.start, element }
    }
    const item = tokens[index + 1]
    const isList = Array.isArray(memberOf(at.value, token))
    const child = children[isList && item !== undefined ? Number(item) : 0]
    if (child === undefined) return { offset: at.start, element }
    element += `/${child.name}${isList && item !== undefined ? `[${child.nth}]` : ''}`
    at = child
    if (isList) index++
  }
  return { offset: at.start, element }
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined
}

/** What a writer of XML has forgotten, by the parser's message. */
const syntaxHints: readonly [piece: string, hint: string][] = [
  [
    'undefined entity',
    'write the character itself, or its number such as &#160;: only &amp; &lt; &gt; &quot; and &apos; have names',
  ],
  ['disallowed character in entity', 'write &amp; for an ampersand in text'],
  ['unexpected close tag', 'close the element that was opened last, with the same name in the same letters'],
  ['unclosed tag', 'close it with </name>'],
  ['unquoted attribute', 'put the value in quotes: a="1"'],
  ['duplicate attribute', 'write it once'],
  ['disallowed character in tag name', 'write &lt; for the sign < in text'],
  ['only one root', 'put the elements into one root element'],
  ['XML declaration', 'begin with <?xml: no line and no blank before it'],
  ['namespace prefix', 'declare the prefix: xmlns:o="urn:…"'],
]

function syntaxHint(told: string): string {
  return syntaxHints.find(([piece]) => told.includes(piece))?.[1] ?? 'correct the XML'
}
