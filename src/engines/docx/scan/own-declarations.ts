/** Elements that declare their own prefix: outside of them it means nothing, or something else. */
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'

/** The prefix of a name as a part has it, with its colon: `w:`; empty for a name without. */
export function prefixOf(written: string): string {
  return written.slice(0, written.indexOf(':') + 1)
}

/**
 * The declaration an element needs when only its start tag is replaced: ` xmlns:x="…"`. Empty if its prefix means the
 * same around it, as in all files that Office writes.
 *
 * @param around the elements around it, innermost first
 */
export function ownDeclaration(element: XmlElement, around: readonly XmlElement[]): string {
  const name = declares(prefixOf(element.written))
  if (element.attributes[name] !== element.uri) return ''
  const outside = around.find(({ attributes }) => attributes[name] !== undefined)
  return outside?.attributes[name] === element.uri ? '' : ` ${name}="${escapeAttribute(element.uri)}"`
}

/**
 * The declarations of an element that replaces another: those of the replaced one, and any of `further` whose prefix it
 * does not declare itself.
 */
export function declarationsOn(element: XmlElement, further: string): string {
  const own = Object.entries(element.attributes).filter(([name]) => isDeclaration.test(name))
  return own.map(([name, uri]) => ` ${name}="${escapeAttribute(uri)}"`).join('') + undeclaredOn(element, further)
}

/** Declarations (` xmlns:x="…"`) without prefixes that the element declares itself: duplicates are not well-formed. */
export function undeclaredOn({ attributes }: XmlElement, declarations: string): string {
  return declarations.replace(/ (xmlns[^=]*)="[^"]*"/g, (one, name: string) =>
    attributes[name] === undefined ? one : '',
  )
}

const isDeclaration = /^xmlns(?::|$)/

/** The prefix of WordprocessingML attributes on an element, and the declaration it needs for that. */
export interface AttributeNames {
  prefix: string
  declares: string
}

/** Attributes need a prefix even where elements have none: such an element declares `w` for its attributes. */
export function attributeNames(prefix: string, uri: string): AttributeNames {
  return prefix === '' ? { prefix: 'w:', declares: ` xmlns:w="${escapeAttribute(uri)}"` } : { prefix, declares: '' }
}

/**
 * Writes elements for use outside the elements around them: each declares the prefixes it takes from `between`.
 *
 * @param between the elements around them that are left behind, innermost first
 * @param around those around these
 */
export function carrier(
  between: readonly XmlElement[],
  around: readonly XmlElement[],
): (element: XmlElement, source: string) => string {
  const known = new Map<string, string>()

  /** Empty where a name means the same outside. */
  function declaration(name: string): string {
    const kept = known.get(name)
    if (kept !== undefined) return kept
    const nearest = (elements: readonly XmlElement[]) =>
      elements.find(({ attributes }) => attributes[name] !== undefined)?.attributes[name]
    const uri = nearest(between)
    const isCarried = uri !== undefined && uri !== nearest(around)
    const made = isCarried ? ` ${name}="${escapeAttribute(uri)}"` : ''
    known.set(name, made)
    return made
  }

  return (element, source) => {
    const head = element.start + 1 + element.written.length
    const declarations = [...usedOutside(element)].map(declaration).join('')
    return source.slice(element.start, head) + declarations + source.slice(head, element.end)
  }
}

/** The elements around one, innermost first, up to one of them. */
export function elementsAround(outermost: XmlElement, element: XmlElement): XmlElement[] {
  const around: XmlElement[] = []
  for (let at: XmlElement | undefined = outermost; at !== undefined && at !== element; ) {
    around.unshift(at)
    at = childElements(at).find(({ start, end }) => start <= element.start && end >= element.end)
  }
  return around
}

/** The declarations (`xmlns:w`) that an element and those within it need from around it. */
function usedOutside(
  element: XmlElement,
  declared: ReadonlySet<string> = new Set(),
  used: Set<string> = new Set(),
): Set<string> {
  const names = Object.keys(element.attributes)
  const own = names.filter((name) => isDeclaration.test(name))
  const inside = own.length === 0 ? declared : new Set([...declared, ...own])
  const written = names.filter((name) => !own.includes(name)).map((name) => element.writtenAttributes?.[name] ?? name)
  // An attribute without a prefix has no namespace.
  const prefixes = [prefixOf(element.written), ...written.map(prefixOf).filter((prefix) => prefix !== '')]
  for (const name of prefixes.map(declares)) if (!inside.has(name)) used.add(name)
  for (const child of element.children) if (child.kind === 'element') usedOutside(child, inside, used)
  return used
}

function declares(prefix: string): string {
  return prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
}
