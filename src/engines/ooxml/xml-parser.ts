import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { holdsText, type XmlDocument, type XmlElement } from './xml.ts'
import {
  conventionalName,
  isNameCode,
  nameStart,
  nameWhole,
  noAttributes,
  type ResolvedName,
  resolveReference,
  type Scope,
  type StartTag,
  scopeOf,
  xmlUri,
} from './xml-names.ts'
import { keepContent, noChildren, ParsedElement, ParsedText } from './xml-nodes.ts'
import { illegalCharacter } from './xml-write.ts'

/** The root element of an XML document; see `parseXmlDocument`. */
export function parseXml(input: Uint8Array | string, part = ''): Outcome<XmlElement> {
  const parsed = parseXmlDocument(input, part)
  return parsed.ok ? succeed(parsed.value.root) : parsed
}

/**
 * Parses a namespace-well-formed XML 1.0 document into a tree. Refuses a DOCTYPE (so there are no entities beyond the
 * five of XML), undeclared prefixes, bytes that `decodeXml` cannot read, and depth or node count over `limits`. Comments
 * and processing instructions are skipped, but remain in the source. `part` names the file in findings.
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
 * Parses a part like `parseXmlDocument`, but passes each child of the root's first `container` to `visit` once it is
 * complete, and then drops it: the returned tree has none of them. The tree of a long document takes more memory than
 * everything made from it.
 *
 * @param alike names of elements: equal ones may share their children, with the offsets of the first
 */
export function visitXml(
  source: string,
  part: string,
  container: string,
  visit: (child: XmlElement) => void,
  alike?: ReadonlySet<string>,
): Outcome<XmlDocument> {
  try {
    return succeed({ root: new Parser(source, { container, visit, alike }).parse(), source })
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error
    return fail(xmlFinding(part, source, error.offset, error.code, error.message))
  }
}

/**
 * The text of an XML file in UTF-8 or UTF-16, or in the Western encoding that its declaration names; undefined for
 * bytes in none of these.
 */
export function decodeXml(bytes: Uint8Array): string | undefined {
  try {
    const source = decodeText(bytes)
    // The source will be written as UTF-8, whatever its declaration said. Nearly all sources declare UTF-8 already:
    // return those without a copy, since a document's text may be long.
    const [declaration, before = '', quoted = ''] =
      /^(<\?xml[^>]*?\sencoding\s*=\s*)("[^"]*"|'[^']*')/.exec(source) ?? []
    const quote = quoted.charAt(0)
    if (declaration === undefined || quoted === `${quote}UTF-8${quote}`) return source
    return `${before}${quote}UTF-8${quote}${source.slice(declaration.length)}`
  } catch {
    return undefined
  }
}

function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const start = ((first ?? 0) << 8) | (second ?? 0)
  // With a byte order mark, or by the bytes of the first `<` (XML 1.0, appendix F).
  if (start === 0xfffe || start === 0x3c00) return decodeAs('utf-16le', bytes)
  if (start === 0xfeff || start === 0x003c) return decodeAs('utf-16be', bytes)
  try {
    return decodeAs('utf-8', bytes)
  } catch (error) {
    const head = Buffer.from(bytes.subarray(0, LONGEST_DECLARATION)).toString('latin1')
    if (!western.test(head)) throw error
    return decodeAs('windows-1252', bytes)
  }
}

function decodeAs(encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252', bytes: Uint8Array): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}

/** Fixed by the format: a declaration has three short attributes; this is twice their usual length. */
const LONGEST_DECLARATION = 200
const western = /^<\?xml[^>]*?\sencoding\s*=\s*["'](?:iso-8859-1|latin1|windows-1252)["']/i

/** Thrown only inside the parser, which returns it as a finding: passing outcomes through every step would hide the grammar. */
class XmlFault extends Error {
  constructor(
    readonly code: string,
    readonly offset: number,
    message: string,
  ) {
    super(message)
  }
}

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
    private readonly handOver?: {
      container: string
      visit: (child: XmlElement) => void
      alike: ReadonlySet<string> | undefined
    },
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
        if (child.end < 0) this.repeatContent(child, open.length)
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

  private countNodes(count: number): void {
    this.nodes += count
    if (this.nodes > limits.xmlNodes) {
      throw new XmlFault('xml.size', this.at, `The part holds more than ${limits.xmlNodes} elements and texts.`)
    }
  }

  private pushText(parent: ParsedElement, next: number): void {
    this.countNodes(1)
    const raw = this.source.slice(this.at, next)
    parent.append(new ParsedText(this.resolve(raw, this.at, 'text'), this.at, next))
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
    const { alike } = current.label
    if (alike) keepContent(alike, current, { source, last: this.scope.last })
  }

  /** Gives an element the content of an equal earlier one, instead of parsing it. `depth` counts the elements around it. */
  private repeatContent(element: ParsedElement, depth: number): void {
    const { alike } = element.label
    if (alike === undefined) return
    const { openEnd } = element
    for (const content of alike) {
      if (depth + content.depth > limits.xmlDepth || !this.source.startsWith(content.text, openEnd)) continue
      this.countNodes(content.nodes)
      element.children = content.children
      element.closeStart = openEnd + content.closeStart
      element.end = openEnd + content.text.length
      this.at = element.end
      this.scope.last = content.last
      return
    }
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
    this.countNodes(1)
    parent.append(new ParsedText(source.slice(next + 9, this.at - 3), next, this.at))
  }

  /** Reads `<name a="b" …>` at the current position. `end` is -1 while the element is still open. */
  private parseStartTag(): ParsedElement {
    const { source } = this
    this.countNodes(1)
    const start = this.at
    const expected = this.scope.last?.next
    if (expected !== undefined && source.startsWith(expected.text, start))
      return this.repeatTag(expected, start, start + expected.text.length)
    // A `>` inside a value cuts the text short, leaving an odd number of quotes; no remembered tag equals such a text.
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
      attributes[name] = this.resolve(source.slice(at + 1, close), at + 1, 'attribute')
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
    const label = this.resolveName(written, 'element', start)
    const openEnd = this.at
    const element = new ParsedElement(label, attributes, start, openEnd, closed ? openEnd : -1, closed ? openEnd : -1)
    if (count > 0) this.resolveAttributeNames(element)
    if (label.name === 'mc:Choice') this.resolveRequires(element)
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

  /** Keys of attributes start with `@`: without a prefix, they have no namespace, while elements have the default one. */
  private resolveName(written: string, of: 'element' | 'attribute', offset: number): ResolvedName {
    const isAttribute = of === 'attribute'
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
    const name = conventionalName(written, prefix, local, uri)
    const alike = !isAttribute && this.handOver?.alike?.has(name) ? [] : undefined
    const resolved = { name, written, uri, space: this.scope.space, alike }
    this.scope.names.set(key, resolved)
    return resolved
  }

  private resolveAttributeNames(element: ParsedElement): void {
    const { attributes } = element
    let renamed: Record<string, string> | undefined
    for (const written in attributes) {
      const colon = written.indexOf(':')
      if (colon < 0 || written.startsWith('xmlns:')) continue
      const { name } = this.resolveName(written, 'attribute', element.start)
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

  /** `Requires` names vocabularies by the file's prefixes (ECMA-376 part 3, 7.6). Maps them to the usual prefixes. */
  private resolveRequires(element: ParsedElement): void {
    const { Requires } = element.attributes
    if (Requires === undefined) return
    const usual = Requires.split(' ').map((prefix) => {
      const uri = this.scope.prefixes.get(prefix)
      return uri === undefined ? prefix : conventionalName(`${prefix}:`, prefix, '', uri).replace(/:$/, '')
    })
    element.attributes = { ...element.attributes, Requires: usual.join(' ') }
  }

  /** Resolves references and normalises line ends (XML 1.0, 2.11) and, in attributes, white space (3.3.3). */
  private resolve(raw: string, offset: number, of: 'text' | 'attribute'): string {
    let text = raw
    if (this.hasCarriageReturn && text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    if (of === 'attribute') {
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

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
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
