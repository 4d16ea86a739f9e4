/** Prefixes of one part's XML in another part. */
import type { XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'

/** The prefixes that a root declares, and those that a reader may ignore. */
interface Declared {
  uris: Map<string, string>
  ignorable: string[]
}

function declaredBy(root: XmlElement): Declared {
  const uris = new Map<string, string>()
  for (const [name, value] of Object.entries(root.attributes)) {
    if (name === 'xmlns') uris.set('', value)
    else if (name.startsWith('xmlns:')) uris.set(name.slice('xmlns:'.length), value)
  }
  return { uris, ignorable: (root.attributes['mc:Ignorable'] ?? '').split(/\s+/).filter((prefix) => prefix !== '') }
}

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006'

/** What a part's root has to declare for XML that came from elsewhere. */
export class Prefixes {
  private readonly own: Declared
  private readonly added = new Map<string, string>()
  private readonly ignored = new Set<string>()

  constructor(private readonly root: XmlElement) {
    this.own = declaredBy(root)
  }

  /**
   * Takes over what the root of the XML's own part declares.
   *
   * @returns declarations for the elements themselves: prefixes that mean something else in this part
   */
  adopt(foreign: XmlElement): string {
    const { uris, ignorable } = declaredBy(foreign)
    let differing = ''
    for (const [prefix, uri] of uris) {
      const known = this.own.uris.get(prefix) ?? this.added.get(prefix)
      if (known === uri) continue
      if (known === undefined && prefix !== '') this.added.set(prefix, uri)
      else differing += ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`
    }
    for (const prefix of ignorable)
      if (uris.has(prefix) && !this.own.ignorable.includes(prefix)) this.ignored.add(prefix)
    return differing
  }

  /** The part's text, its root declaring what was taken over. */
  declareIn(text: string): string {
    if (this.added.size === 0 && this.ignored.size === 0) return text
    const start = text.indexOf(`<${this.root.written}`)
    const end = text.indexOf('>', start)
    const close = text[end - 1] === '/' ? end - 1 : end
    const ignorable = new Set([...this.own.ignorable, ...this.ignored])
    // A part that lists prefixes has the prefix of the list itself.
    const needsCompatibility = this.ignored.size > 0 && this.prefixOf(compatibility) === undefined
    if (needsCompatibility) this.added.set('mc', compatibility)
    let tag = text.slice(start, close)
    if (this.ignored.size > 0) {
      const name = `${this.prefixOf(compatibility)}:Ignorable`
      tag = `${tag.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '')} ${name}="${[...ignorable].join(' ')}"`
    }
    for (const [prefix, uri] of this.added) tag += ` xmlns:${prefix}="${escapeAttribute(uri)}"`
    return text.slice(0, start) + tag + text.slice(close)
  }

  private prefixOf(uri: string): string | undefined {
    for (const [prefix, known] of [...this.own.uris, ...this.added]) if (known === uri && prefix !== '') return prefix
    return undefined
  }
}
