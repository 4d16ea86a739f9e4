import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { conventionalPrefix, conventionalPrefixes } from './namespaces.ts'

export type XmlNode = XmlElement | XmlText

/**
 * An element. `start`, `openEnd`, `closeStart` and `end` are offsets in the source string (see `XmlDocument.source`):
 * of `<`, after the start tag's `>`, of the end tag's `<` and after its `>`. A self-closing element has the last three equal.
 */
export interface XmlElement {
  kind: 'element'
  /**
   * Name with the prefix Office itself uses (`w:p`, `wp:docPr`), whichever prefix the file declares and whether it is
   * strict or transitional; elements of namespaces we don't know keep the name they have in the file.
   */
  name: string
  /** The name as the file has it. */
  written: string
  /** Namespace URI as the file has it; empty if there is none. */
  uri: string
  /** Values by name, prefixed in the same way; `xmlns` declarations included. */
  attributes: Record<string, string>
  /** Names as written, only for those attributes where they differ. */
  writtenAttributes: Record<string, string> | undefined
  /** The `xml:space` in force: the element's own, else that of the nearest element around it (XML 1.0, 2.10). */
  space: string | undefined
  children: XmlNode[]
  start: number
  openEnd: number
  closeStart: number
  end: number
}

/** Character data with its references resolved; `start` and `end` are offsets in the source. */
export interface XmlText {
  kind: 'text'
  text: string
  start: number
  end: number
}

/**
 * The parser's elements. Long documents have hundreds of thousands: what a name says is shared by all that have it,
 * elements without children share one empty list, and the other fields are as few as possible.
 */
class ParsedElement implements XmlElement {
  children: XmlNode[] = noChildren
  writtenAttributes: Record<string, string> | undefined

  constructor(
    private readonly label: ResolvedName,
    public attributes: Record<string, string>,
    readonly start: number,
    public openEnd: number,
    public closeStart: number,
    public end: number,
  ) {
    this.writtenAttributes = undefined
  }

  get kind(): 'element' {
    return 'element'
  }

  get name(): string {
    return this.label.name
  }

  get written(): string {
    return this.label.written
  }

  get uri(): string {
    return this.label.uri
  }

  get space(): string | undefined {
    return this.attributes['xml:space'] ?? this.label.space
  }

  append(child: XmlNode): void {
    // A list made with its first item takes less memory than one that grows from empty.
    if (this.children === noChildren) this.children = [child]
    else this.children.push(child)
  }
}

class ParsedText implements XmlText {
  constructor(
    readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {}

  get kind(): 'text' {
    return 'text'
  }
}

const noChildren: XmlNode[] = Object.freeze<XmlNode[]>([]) as XmlNode[]

/** A parsed part: the root element and the source string that all offsets refer to. */
export interface XmlDocument {
  root: XmlElement
  source: string
}

/** The root element of an XML document; see `parseXmlDocument`. */
export function parseXml(input: Uint8Array | string, part = ''): Outcome<XmlElement> {
  const parsed = parseXmlDocument(input, part)
  return parsed.ok ? succeed(parsed.value.root) : parsed
}

/**
 * Parses a namespace-well-formed XML 1.0 document into a tree. Refused: a DOCTYPE (so there are no entities beyond the
 * five of XML), undeclared prefixes, bytes that are not UTF-8 or UTF-16, depth and node count over `limits`. Comments and
 * processing instructions are skipped; they survive in the source. `part` names the file in findings.
 */
export function parseXmlDocument(input: Uint8Array | string, part = ''): Outcome<XmlDocument> {
  const source = typeof input === 'string' ? input : decodeXml(input)
  if (source === undefined) return fail(encodingFinding(part))
  try {
    return succeed({ root: new Parser(source).parse(), source })
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error
    return fail(xmlFinding(part, source, error.offset, error.code, error.message))
  }
}

/**
 * Parses a part like `parseXmlDocument`, but hands each child of the root's first child of a name to `visit` once it is
 * complete, and then drops it: the returned tree has none of them. The tree of a long document is larger than
 * everything made from it.
 */
export function visitXml(
  source: string,
  part: string,
  container: string,
  visit: (child: XmlElement) => void,
): Outcome<XmlDocument> {
  try {
    return succeed({ root: new Parser(source, { container, visit }).parse(), source })
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error
    return fail(xmlFinding(part, source, error.offset, error.code, error.message))
  }
}

/** The text of an XML file in UTF-8 or UTF-16; undefined if it is neither. */
export function decodeXml(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    const source = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // The source is written as UTF-8 from here on, whatever its declaration said.
    // Nearly all declare it already, and the text of a long document should not be copied needlessly.
    const [declaration, before = '', quoted = ''] =
      /^(<\?xml[^>]*?\sencoding\s*=\s*)("[^"]*"|'[^']*')/.exec(source) ?? []
    const quote = quoted.charAt(0)
    if (declaration === undefined || quoted === `${quote}UTF-8${quote}`) return source
    return `${before}${quote}UTF-8${quote}${source.slice(declaration.length)}`
  } catch {
    return undefined
  }
}

/** Raised inside the parser only, and turned into a finding at its border: threading outcomes through every step would hide the grammar. */
class XmlFault extends Error {
  constructor(
    readonly code: string,
    readonly offset: number,
    message: string,
  ) {
    super(message)
  }
}

interface ResolvedName {
  name: string
  written: string
  uri: string
  /** Inherited by the elements of this name. */
  space: string | undefined
}

/** What a start tag says, shared by all elements that are written alike. */
interface StartTag {
  text: string
  label: ResolvedName
  attributes: Record<string, string>
  writtenAttributes: Record<string, string> | undefined
  closed: boolean
  /** The start tag that followed it last time: usually the same follows again. */
  next: StartTag | undefined
}

/**
 * Namespace declarations and `xml:space` in force; `names` caches what a written name resolves to, which nearly always
 * hits, and `tags` whole start tags: a document of Word repeats a few hundred of them, and reading one takes longer than
 * finding it.
 */
interface Scope {
  prefixes: Map<string, string>
  space: string | undefined
  names: Map<string, ResolvedName>
  tags: Map<string, StartTag>
  /** The remembered start tag that was read last. */
  last: StartTag | undefined
}

function scopeOf(prefixes: Map<string, string>, space?: string): Scope {
  return { prefixes, space, names: new Map(), tags: new Map(), last: undefined }
}

/** Elements that hold nothing but text: most have an `xml:space` of their own, and there is nobody to inherit it. */
const holdsText = /(?:^|:)(?:t|instrText|delText|delInstrText)$/

const nameStart = /^[\p{L}_]/u
const nameWhole = /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*(?::[\p{L}_][\p{L}\p{N}\p{M}._·-]*)?$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 does not allow.
const illegalCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const xmlUri = 'http://www.w3.org/XML/1998/namespace'

class Parser {
  private at = 0
  private nodes = 0
  private scope: Scope = scopeOf(new Map([['xml', xmlUri]]))
  private readonly hasCarriageReturn: boolean
  /** The element whose children are handed over, once it is open. */
  private container: ParsedElement | undefined
  private handedOver = 0

  constructor(
    private readonly source: string,
    private readonly handOver?: { container: string; visit: (child: XmlElement) => void },
  ) {
    this.hasCarriageReturn = source.includes('\r')
  }

  parse(): XmlElement {
    const { source } = this
    const illegal = source.search(illegalCharacter)
    if (illegal >= 0)
      throw new XmlFault('xml.character', illegal, 'The part holds a character that XML does not allow.')
    this.skipProlog()
    const root = this.parseTree()
    this.skipMisc()
    if (this.at < source.length) throw this.malformed('There is something after the root element.')
    return root
  }

  private malformed(message: string, offset = this.at): XmlFault {
    return new XmlFault('xml.malformed', offset, message)
  }

  private skipProlog(): void {
    if (this.source.charCodeAt(0) === 0xfeff) this.at = 1
    this.skipMisc()
    if (this.source.startsWith('<!', this.at)) {
      throw new XmlFault('xml.doctype', this.at, 'The part has a DOCTYPE, which documents may not have.')
    }
  }

  /** White space, comments and processing instructions outside the root. */
  private skipMisc(): void {
    const { source } = this
    for (;;) {
      while (isSpace(source.charCodeAt(this.at))) this.at++
      if (source.startsWith('<?', this.at)) this.skipTo('?>')
      else if (source.startsWith('<!--', this.at)) this.skipTo('-->')
      else return
    }
  }

  private skipTo(mark: string): void {
    const stop = this.source.indexOf(mark, this.at)
    if (stop < 0) throw this.malformed(`A comment or instruction is not closed with ${mark}.`)
    this.at = stop + mark.length
  }

  private parseTree(): ParsedElement {
    const { source } = this
    if (source[this.at] !== '<') throw this.malformed('The part does not start with an element.')
    const open: ParsedElement[] = []
    const scopes: Scope[] = []
    let outer = this.scope
    const root = this.parseStartTag()
    if (root.end >= 0) return root
    let current = root
    open.push(root)
    scopes.push(outer)
    for (;;) {
      const next = source.charCodeAt(this.at) === 0x3c ? this.at : source.indexOf('<', this.at)
      if (next < 0) throw this.malformed(`<${current.written}> is not closed.`, current.start)
      if (next > this.at) this.pushText(current, next)
      const mark = source.charCodeAt(next + 1)
      if (mark === 0x2f) {
        this.closeElement(current, next)
        open.pop()
        this.scope = scopes.pop() ?? this.scope
        const parent = open[open.length - 1]
        if (parent === undefined) return root
        if (parent === this.container) this.visitChild(parent, current)
        current = parent
      } else if (mark === 0x21) {
        this.parseMarkup(current, next)
      } else if (mark === 0x3f) {
        this.skipTo('?>')
      } else {
        outer = this.scope
        const child = this.parseStartTag()
        current.append(child)
        if (child.end >= 0) {
          this.scope = outer
          if (current === this.container) this.visitChild(current, child)
          continue
        }
        if (open.length === 1 && child.name === this.handOver?.container) this.container ??= child
        if (open.length >= limits.xmlDepth) {
          throw new XmlFault('xml.depth', next, `Elements are nested more than ${limits.xmlDepth} deep.`)
        }
        open.push(child)
        scopes.push(outer)
        current = child
      }
    }
  }

  private visitChild(container: ParsedElement, child: ParsedElement): void {
    container.children = noChildren
    this.handedOver += this.nodes
    this.nodes = 0
    if (this.handedOver > limits.xmlStreamedNodes) {
      throw new XmlFault('xml.size', this.at, `The part holds more than ${limits.xmlStreamedNodes} elements and texts.`)
    }
    this.handOver?.visit(child)
  }

  private countNode(): void {
    if (++this.nodes > limits.xmlNodes) {
      throw new XmlFault('xml.size', this.at, `The part holds more than ${limits.xmlNodes} elements and texts.`)
    }
  }

  private pushText(parent: ParsedElement, next: number): void {
    this.countNode()
    const raw = this.source.slice(this.at, next)
    parent.append(new ParsedText(this.resolve(raw, this.at, false), this.at, next))
    this.at = next
  }

  private closeElement(current: ParsedElement, next: number): void {
    const { source } = this
    const { written } = current
    let at = next + 2 + written.length
    if (!source.startsWith(written, next + 2)) {
      throw this.malformed(`</…> closes something else than <${written}>.`, next)
    }
    while (isSpace(source.charCodeAt(at))) at++
    if (source.charCodeAt(at) !== 0x3e) throw this.malformed(`The end tag of <${written}> is malformed.`, next)
    current.closeStart = next
    current.end = at + 1
    this.at = at + 1
  }

  /** Comments, CDATA sections; anything else that starts with `<!` has no place inside an element. */
  private parseMarkup(parent: ParsedElement, next: number): void {
    const { source } = this
    this.at = next
    if (source.startsWith('<!--', next)) {
      this.skipTo('-->')
      return
    }
    if (!source.startsWith('<![CDATA[', next)) throw this.malformed('A declaration is inside an element.')
    this.skipTo(']]>')
    this.countNode()
    parent.append(new ParsedText(source.slice(next + 9, this.at - 3), next, this.at))
  }

  /** Reads `<name a="b" …>` at the current position. `end` is -1 while the element is still open. */
  private parseStartTag(): ParsedElement {
    const { source } = this
    this.countNode()
    const start = this.at
    const expected = this.scope.last?.next
    if (expected !== undefined && source.startsWith(expected.text, start))
      return this.repeatTag(expected, start, start + expected.text.length)
    // A `>` inside a value cuts the text short, with an odd number of quotes; no remembered tag equals such a text.
    const until = source.indexOf('>', start) + 1
    const text = until - start <= limits.xmlRememberedTagChars ? source.slice(start, until) : undefined
    const known = text === undefined ? undefined : this.scope.tags.get(text)
    if (known !== undefined) return this.repeatTag(known, start, until)
    let at = start + 1
    let code = source.charCodeAt(at)
    while (isNameCode(code)) code = source.charCodeAt(++at)
    const written = source.slice(start + 1, at)
    let attributes = noAttributes
    let declares = false
    let count = 0
    for (;;) {
      let spaced = false
      while (isSpace(code)) {
        code = source.charCodeAt(++at)
        spaced = true
      }
      if (code === 0x3e || code === 0x2f) break
      if (!spaced) throw this.malformed(`The start tag <${written}> is malformed.`, start)
      const from = at
      while (isNameCode(code)) code = source.charCodeAt(++at)
      const name = source.slice(from, at)
      while (isSpace(code)) code = source.charCodeAt(++at)
      if (name === '' || code !== 0x3d) throw this.malformed(`An attribute of <${written}> is malformed.`, from)
      do code = source.charCodeAt(++at)
      while (isSpace(code))
      if (code !== 0x22 && code !== 0x27) throw this.malformed(`The value of ${name} is not quoted.`, from)
      const close = source.indexOf(code === 0x22 ? '"' : "'", at + 1)
      if (close < 0) throw this.malformed(`The value of ${name} is not closed.`, from)
      if (count >= limits.xmlAttributes) {
        throw new XmlFault('xml.size', from, `<${written}> has more than ${limits.xmlAttributes} attributes.`)
      }
      if (attributes === noAttributes) attributes = {}
      else if (Object.hasOwn(attributes, name))
        throw this.malformed(`<${written}> has the attribute ${name} twice.`, from)
      attributes[name] = this.resolve(source.slice(at + 1, close), at + 1, true)
      if (name.startsWith('xmlns')) declares = true
      if (name === 'xml:space' && attributes[name] !== this.scope.space && !holdsText.test(written)) declares = true
      count++
      at = close + 1
      code = source.charCodeAt(at)
    }
    const closed = code === 0x2f
    if (closed) code = source.charCodeAt(++at)
    if (code !== 0x3e) throw this.malformed(`The start tag <${written}> is malformed.`, start)
    this.at = at + 1
    if (declares) this.openScope(attributes, start)
    const label = this.resolveName(written, false, start)
    const openEnd = this.at
    const element = new ParsedElement(label, attributes, start, openEnd, closed ? openEnd : -1, closed ? openEnd : -1)
    if (count > 0) this.resolveAttributeNames(element)
    if (text !== undefined && !declares && this.at === until && this.scope.tags.size < limits.xmlRememberedTags) {
      const { writtenAttributes } = element
      const tag = { text, label, attributes: element.attributes, writtenAttributes, closed, next: undefined }
      this.scope.tags.set(text, tag)
      this.follow(tag)
    }
    return element
  }

  private follow(tag: StartTag): void {
    const { last } = this.scope
    if (last !== undefined) last.next = tag
    this.scope.last = tag
  }

  private repeatTag(tag: StartTag, start: number, openEnd: number): ParsedElement {
    this.follow(tag)
    this.at = openEnd
    const end = tag.closed ? openEnd : -1
    const element = new ParsedElement(tag.label, tag.attributes, start, openEnd, end, end)
    element.writtenAttributes = tag.writtenAttributes
    return element
  }

  private openScope(attributes: Record<string, string>, offset: number): void {
    const prefixes = new Map(this.scope.prefixes)
    for (const [name, uri] of Object.entries(attributes)) {
      if (name === 'xmlns') prefixes.set('', uri)
      else if (name.startsWith('xmlns:')) {
        if (uri === '') throw this.malformed(`${name} declares no namespace.`, offset)
        prefixes.set(name.slice(6), uri)
      }
    }
    this.scope = scopeOf(prefixes, attributes['xml:space'] ?? this.scope.space)
  }

  /** `@` in front keeps attributes apart: without a prefix they have no namespace, while elements take the default one. */
  private resolveName(written: string, isAttribute: boolean, offset: number): ResolvedName {
    const key = isAttribute ? `@${written}` : written
    const known = this.scope.names.get(key)
    if (known !== undefined) return known
    if (!nameStart.test(written) || !nameWhole.test(written))
      throw this.malformed(`“${written}” is not a name.`, offset)
    const colon = written.indexOf(':')
    const prefix = colon < 0 ? '' : written.slice(0, colon)
    const local = written.slice(colon + 1)
    const uri = isAttribute && colon < 0 ? '' : (this.scope.prefixes.get(prefix) ?? '')
    if (uri === '' && prefix !== '') throw this.malformed(`The prefix ${prefix} is not declared.`, offset)
    const resolved = { name: conventionalName(written, prefix, local, uri), written, uri, space: this.scope.space }
    this.scope.names.set(key, resolved)
    return resolved
  }

  private resolveAttributeNames(element: ParsedElement): void {
    const { attributes } = element
    let renamed: Record<string, string> | undefined
    for (const written in attributes) {
      const colon = written.indexOf(':')
      if (colon < 0 || written.startsWith('xmlns:')) continue
      const { name } = this.resolveName(written, true, element.start)
      if (name === written) continue
      renamed ??= {}
      renamed[name] = written
    }
    if (renamed === undefined) return
    element.writtenAttributes = renamed
    const byWritten = new Map(Object.entries(renamed).map(([name, written]) => [written, name]))
    const entries: [string, string][] = Object.entries(attributes).map(([key, value]) => [
      byWritten.get(key) ?? key,
      value,
    ])
    element.attributes = Object.fromEntries(entries)
  }

  /** Resolves references and normalises line ends (XML 1.0, 2.11) and, in attributes, white space (3.3.3). */
  private resolve(raw: string, offset: number, isAttribute: boolean): string {
    let text = raw
    if (this.hasCarriageReturn && text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    if (isAttribute) {
      if (text.includes('<')) throw this.malformed('An attribute value holds a bare <.', offset)
      if (text.includes('\n') || text.includes('\t')) text = text.replace(/[\n\t]/g, ' ')
    }
    return text.includes('&') ? this.resolveReferences(text, offset) : text
  }

  private resolveReferences(text: string, offset: number): string {
    let resolved = ''
    let from = 0
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
      const stop = text.indexOf(';', at)
      const character = stop < 0 || stop - at > 12 ? undefined : resolveReference(text.slice(at + 1, stop))
      if (character === undefined) throw this.malformed('There is a reference that XML does not know.', offset + at)
      resolved += text.slice(from, at) + character
      from = stop + 1
    }
    return resolved + text.slice(from)
  }
}

/** Most elements have no attributes; they share this. */
const noAttributes: Record<string, string> = Object.freeze({})

const namedReferences: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function resolveReference(name: string): string | undefined {
  if (name.charCodeAt(0) !== 0x23) return Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name)
  if (match === null) return undefined
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const character = String.fromCodePoint(code)
  return illegalCharacter.test(character) ? undefined : character
}

function conventionalName(written: string, prefix: string, local: string, uri: string): string {
  const conventional = conventionalPrefix(uri)
  if (conventional === prefix) return written
  if (conventional !== undefined) return conventional === '' ? local : `${conventional}:${local}`
  // A foreign namespace under a prefix of Office's must not pass for Office's.
  return conventionalPrefixes.has(prefix) && prefix !== '' ? `{${uri}}${local}` : written
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Whether a name may continue with this code; the full rules are checked once for each distinct name. */
function isNameCode(code: number): boolean {
  if (code <= 0x20 || code === 0x3d || code === 0x3e || code === 0x2f) return false
  return !Number.isNaN(code) && code !== 0x22 && code !== 0x27 && code !== 0x3c
}

const attributeEscapes = /[&<>"\t\n\r]/
const textEscapes = /[&<>\r]/

/** Text for element content. */
export function escapeText(text: string): string {
  if (!textEscapes.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}

/** Text for an attribute value in double quotes. */
export function escapeAttribute(text: string): string {
  if (!attributeEscapes.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
}

/** Characters XML 1.0 can't carry in any form; values that hold one can't go into a document. */
export function hasIllegalCharacter(text: string): boolean {
  return illegalCharacter.test(text) || !text.isWellFormed()
}

/** An element and what it holds as XML text, with the names the file had; no XML declaration. */
export function serializeXml(element: XmlElement): string {
  let out = `<${element.written}`
  for (const [name, value] of Object.entries(element.attributes)) {
    out += ` ${element.writtenAttributes?.[name] ?? name}="${escapeAttribute(value)}"`
  }
  if (element.children.length === 0) return `${out}/>`
  out += '>'
  for (const child of element.children) out += child.kind === 'text' ? escapeText(child.text) : serializeXml(child)
  return `${out}</${element.written}>`
}

/** The first child element of that name. */
export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (child.kind === 'element' && child.name === name) return child
  return undefined
}

/** A copy of the element without children. */
export function emptied(element: XmlElement): XmlElement {
  const { name, written, uri, attributes, writtenAttributes, space, start, openEnd, closeStart, end } = element
  const names = { kind: 'element' as const, name, written, uri, attributes, writtenAttributes, space }
  return { ...names, children: [], start, openEnd, closeStart, end }
}

/** All child elements of that name, or all there are. */
export function childElements(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = []
  for (const child of element.children) {
    if (child.kind === 'element' && (name === undefined || child.name === name)) found.push(child)
  }
  return found
}

/** All character data inside the element, in document order. */
export function textOf(element: XmlElement): string {
  let text = ''
  for (const child of element.children) text += child.kind === 'text' ? child.text : textOf(child)
  return text
}

/** For a part whose bytes `decodeXml` cannot read. */
export function encodingFinding(part: string): Finding {
  return xmlFinding(part, '', 0, 'xml.encoding', 'The part is not valid UTF-8 or UTF-16 text.')
}

function xmlFinding(part: string, source: string, offset: number, code: string, message: string): Finding {
  const before = source.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return {
    code,
    severity: 'error',
    message,
    hint: 'Save the document again in Word, or in the program that made it.',
    ...(part === '' ? {} : { path: `${part}#${offset}` }),
    line: before.split('\n').length,
    column: offset - lastBreak,
  }
}
