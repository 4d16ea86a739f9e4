/** Styles and lists of included templates, in the document that includes them. */
import { sha256Hex } from '../../../core/hash.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { beforeEnd, type PackageEdit } from '../../ooxml/package-edit.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'
import { idOf } from '../scan/ids.ts'
import { declarationsOn, prefixOf, undeclaredOn } from '../scan/own-declarations.ts'
import { attributeSpan, wholeAttributeSpan } from '../scan/source.ts'
import { type Edit, edited } from './edits.ts'
import { type Catalogue, childValue, defaultStyle, definitionOf, readCatalogue } from './foreign.ts'
import { Prefixes } from './namespaces.ts'

/** The styles and lists of one template. */
export interface OwnLooks {
  styles: Catalogue | undefined
  lists: Catalogue | undefined
  /** Definitions of lists (`w:abstractNum`). */
  definitions: Catalogue | undefined
}

export function readLooks(opened: OoxmlPackage): OwnLooks {
  return {
    styles: readCatalogue(opened, 'styles', 'w:style', 'w:styleId'),
    lists: readCatalogue(opened, 'numbering', 'w:num', 'w:numId'),
    definitions: readCatalogue(opened, 'numbering', 'w:abstractNum', 'w:abstractNumId'),
  }
}

/** An included template's looks, and what became of them so far. */
export interface ForeignLooks extends OwnLooks {
  slug: string
  /** Ids of styles in the document that includes it. */
  mapped: Map<string, string>
}

/** A part that gains elements. */
class GrowingPart {
  text = ''
  readonly prefixes: Prefixes

  /** @param root of the main document, whose prefixes a new part gets */
  constructor(
    readonly word: 'styles' | 'numbering',
    readonly known: (Catalogue & { part: string }) | undefined,
    private readonly root: XmlElement,
  ) {
    this.prefixes = new Prefixes(known?.root ?? { ...root, written: this.written })
  }

  /** Puts the part into the package, with what `add` adds to its text. */
  write(edit: PackageEdit, mainPart: string, add: (text: string) => string): void {
    const { word, known, written } = this
    if (known !== undefined) {
      edit.setText(known.part, this.prefixes.declareIn(add(known.source)))
      return
    }
    const declared = Object.entries(this.root.attributes).filter(([name]) => /^(?:xmlns|mc:Ignorable$)/.test(name))
    const attributes = declared.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('')
    const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    const text = this.prefixes.declareIn(add(`${head}<${written}${attributes}></${written}>`))
    const name = edit.freeName(`word/${word}`, '.xml')
    edit.addPart(name, text, `application/vnd.openxmlformats-officedocument.wordprocessingml.${word}+xml`)
    edit.relate(mainPart, { type: word, target: name })
  }

  private get written(): string {
    return this.root.written.slice(0, this.root.written.indexOf(':') + 1) + this.word
  }
}

/** What only describes editing, or is compared by itself. */
const uncompared = new Set([
  ...['w:basedOn', 'w:next', 'w:link', 'w:rsid', 'w:uiPriority', 'w:semiHidden', 'w:unhideWhenUsed', 'w:qFormat'],
  ...['w:locked', 'w:autoRedefine', 'w:nsid', 'w:tmpl', 'w:styleLink', 'w:numStyleLink'],
])
const uncomparedAttributes = /^(?:w:rsid|w14:|w15:|xmlns|w:customStyle$|w:abstractNumId$)/

/** Marks a style, or a list that a style names: taken over once from each template, not for each inclusion. */
export const ofStyles = 'styles'

/**
 * Merges looks. Default styles are shared, and so is a style that the document defines alike; one that it defines
 * otherwise is added under another id. Lists are added for each inclusion, so that each counts for itself; lists of
 * shared styles continue counting.
 */
export class Looks {
  private readonly own: OwnLooks
  private readonly styles: GrowingPart
  private readonly numbering: GrowingPart
  private readonly styleIds: Set<string>
  private readonly styleNames: Set<string>
  private readonly added = new Map<string, string>()
  private readonly lists = new Map<string, string>()
  private definitionsText = ''
  private listsText = ''
  private nextList: number
  private nextDefinition: number

  /** @param root of the main document */
  constructor(opened: OoxmlPackage, root: XmlElement) {
    this.own = readLooks(opened)
    const styles = readCatalogue(opened, 'styles', 'w:style', 'w:styleId')
    const lists = readCatalogue(opened, 'numbering', 'w:num', 'w:numId')
    this.styles = new GrowingPart('styles', styles, root)
    this.numbering = new GrowingPart('numbering', lists, root)
    this.styleIds = new Set(styles?.byId.keys())
    this.styleNames = new Set([...(styles?.byId.values() ?? [])].map((style) => nameOf(style)))
    const greatest = (ids: Iterable<string> = []) => [...ids].reduce((most, id) => Math.max(most, idOf(id)), 0)
    this.nextList = greatest(lists?.byId.keys()) + 1
    this.nextDefinition = greatest(this.own.definitions?.byId.keys()) + 1
  }

  /** The id of an included template's style here. */
  style(foreign: ForeignLooks, id: string): string {
    const known = foreign.mapped.get(id)
    if (known !== undefined) return known
    const style = foreign.styles?.byId.get(id)
    // A style that is named and not there is none, and stays so.
    if (style === undefined) return this.styleIds.has(id) ? this.freeStyle(id, foreign.slug) : id
    const type = style.attributes['w:type'] ?? 'paragraph'
    const isDefault = defaultStyle(foreign.styles, type) === id
    const common = isDefault ? defaultStyle(this.own.styles, type) : undefined
    if (common !== undefined) {
      foreign.mapped.set(id, common)
      return common
    }
    // Set first: styles that are based on each other in a circle end here.
    foreign.mapped.set(id, id)
    const base = childValue(style, 'w:basedOn')
    const mappedBase = base === undefined ? undefined : this.style(foreign, base)
    const form = `${mappedBase ?? ''} ${canonical(style, foreign)}`
    const shared = this.sharedStyle(id, mappedBase, style, foreign) ?? this.added.get(`${id} ${form}`)
    if (shared !== undefined) {
      foreign.mapped.set(id, shared)
      return shared
    }
    const free = this.styleIds.has(id) ? this.freeStyle(id, foreign.slug) : id
    this.styleIds.add(free)
    this.added.set(`${id} ${form}`, free)
    foreign.mapped.set(id, free)
    this.addStyle(foreign, style, { id: free, base: mappedBase })
    return free
  }

  /** The id of an included template's list here. */
  list(foreign: ForeignLooks, numId: string, scope: string): string {
    if (numId === '0') return numId
    const key = `${foreign.slug} ${scope} ${numId}`
    const known = this.lists.get(key)
    if (known !== undefined) return known
    const { lists, definitions, styles } = foreign
    const list = lists?.byId.get(numId)
    const definition = lists && definitions && definitionOf(lists, definitions, styles, numId)
    if (lists === undefined || list === undefined || definition === undefined) return '0'
    const id = String(this.nextList++)
    this.lists.set(key, id)
    const definitionId = String(this.nextDefinition++)
    this.definitionsText += this.copiedDefinition(foreign, definition, definitionId, scope)
    const own = prefixOf(list.written)
    const named = writtenName(list, 'w:numId')
    const value = `${prefixOf(named)}val="${definitionId}"`
    const overrides = childElements(list, 'w:lvlOverride').map((one) => this.copied(foreign, one, scope))
    const declared = declarationsOn(list, this.prefixesOf(this.numbering, lists))
    this.listsText += `<${list.written}${declared} ${named}="${id}"><${own}abstractNumId ${value}/>${overrides.join('')}</${list.written}>`
    return id
  }

  /** Writes what was added. */
  finish(edit: PackageEdit, mainPart: string): void {
    if (this.styles.text !== '') this.styles.write(edit, mainPart, (text) => beforeEnd(text, this.styles.text))
    if (this.listsText !== '') this.numbering.write(edit, mainPart, (text) => this.withLists(text))
  }

  /** Definitions come before the first list, and lists before what follows them (17.9.17). */
  private withLists(text: string): string {
    const { known: catalogue } = this.numbering
    if (catalogue === undefined) return beforeEnd(text, this.definitionsText + this.listsText)
    const lists = childElements(catalogue.root, 'w:num')
    const cleanup = childNamed(catalogue.root, 'w:numIdMacAtCleanup')
    const { root } = catalogue
    const end =
      cleanup?.start ?? (root.closeStart === root.openEnd && root.end === root.openEnd ? undefined : root.closeStart)
    if (end === undefined) return beforeEnd(text, this.definitionsText + this.listsText)
    const first = lists[0]?.start ?? end
    return text.slice(0, first) + this.definitionsText + text.slice(first, end) + this.listsText + text.slice(end)
  }

  private sharedStyle(
    id: string,
    mappedBase: string | undefined,
    style: XmlElement,
    foreign: ForeignLooks,
  ): string | undefined {
    const own = this.own.styles?.byId.get(id)
    if (own === undefined || childValue(own, 'w:basedOn') !== mappedBase) return undefined
    return canonical(own, this.own) === canonical(style, foreign) ? id : undefined
  }

  private freeStyle(id: string, slug: string): string {
    let free = `${id}-${slug}`
    for (let number = 2; this.styleIds.has(free); number++) free = `${id}-${slug}-${number}`
    return free
  }

  private addStyle(
    foreign: ForeignLooks,
    style: XmlElement,
    { id, base }: { id: string; base: string | undefined },
  ): void {
    const { source = '' } = foreign.styles ?? {}
    const edits: Edit[] = []
    replaceAttribute(edits, style, 'w:styleId', id, source)
    const isDefault = wholeAttributeSpan(style, 'w:default', source)
    if (isDefault !== undefined) edits.push({ ...isDefault, text: '' })
    for (const child of childElements(style)) {
      if (child.name === 'w:basedOn' && base !== undefined) replaceAttribute(edits, child, 'w:val', base, source)
      // What Word offers next to an author, and the twin of the other type, stay behind.
      if (child.name === 'w:next' || child.name === 'w:link')
        edits.push({ start: child.start, end: child.end, text: '' })
      if (child.name === 'w:name')
        replaceAttribute(edits, child, 'w:val', this.freeName(nameOf(style), foreign.slug), source)
    }
    this.remap(foreign, style, source, edits, ofStyles)
    const text = edited(source, style, edits)
    this.styles.text += withDeclarations(text, style, this.prefixesOf(this.styles, foreign.styles))
  }

  private freeName(name: string, slug: string): string {
    let free = name
    for (let number = 1; this.styleNames.has(free); number++)
      free = `${name} (${slug}${number > 1 ? ` ${number}` : ''})`
    this.styleNames.add(free)
    return free
  }

  private copiedDefinition(foreign: ForeignLooks, definition: XmlElement, id: string, scope: string): string {
    const { source = '' } = foreign.definitions ?? {}
    const edits: Edit[] = []
    replaceAttribute(edits, definition, 'w:abstractNumId', id, source)
    for (const child of childElements(definition)) {
      const { start, end, name } = child
      if (name === 'w:styleLink' || name === 'w:numStyleLink' || name === 'w:name') edits.push({ start, end, text: '' })
      // Word takes lists with the same one for the same list.
      if (name === 'w:nsid') {
        const digits = sha256Hex(`${foreign.slug} ${scope} ${child.attributes['w:val']}`).slice(0, 8).toUpperCase()
        replaceAttribute(edits, child, 'w:val', digits, source)
      }
    }
    this.remap(foreign, definition, source, edits, scope)
    return withDeclarations(
      edited(source, definition, edits),
      definition,
      this.prefixesOf(this.numbering, foreign.definitions),
    )
  }

  private copied(foreign: ForeignLooks, element: XmlElement, scope: string): string {
    const { source = '' } = foreign.lists ?? {}
    const edits: Edit[] = []
    this.remap(foreign, element, source, edits, scope)
    return edited(source, element, edits)
  }

  /** Names of styles and lists inside of a style or a definition. */
  private remap(foreign: ForeignLooks, element: XmlElement, source: string, edits: Edit[], scope: string): void {
    for (const child of childElements(element)) {
      const value = child.attributes['w:val'] ?? ''
      const cut = () => edits.push({ start: child.start, end: child.end, text: '' })
      // Only the list of a style may be bound to styles; the others are copies of it.
      if (child.name === 'w:pStyle' && element.name === 'w:lvl' && scope !== ofStyles) cut()
      else if (child.name === 'w:pStyle' || child.name === 'w:rStyle')
        replaceAttribute(edits, child, 'w:val', this.style(foreign, value), source)
      else if (child.name === 'w:numId')
        replaceAttribute(edits, child, 'w:val', this.list(foreign, value, ofStyles), source)
      // The picture belongs to the other part; the level has its text.
      else if (child.name === 'w:lvlPicBulletId') cut()
      else this.remap(foreign, child, source, edits, scope)
    }
  }

  private prefixesOf(part: GrowingPart, from: Catalogue | undefined): string {
    return from === undefined ? '' : part.prefixes.adopt(from.root)
  }
}

/** An element's text with declarations of those prefixes that it doesn't declare itself. */
export function withDeclarations(text: string, element: XmlElement, declarations: string): string {
  if (declarations === '') return text
  return `<${element.written}${undeclaredOn(element, declarations)}${text.slice(element.written.length + 1)}`
}

export function replaceAttribute(
  edits: Edit[],
  element: XmlElement,
  name: string,
  value: string,
  source: string,
): void {
  const span = attributeSpan(element, name, source)
  if (span !== undefined) edits.push({ ...span, text: escapeAttribute(value) })
}

/** An attribute's name as the element has it. */
export function writtenName({ writtenAttributes }: XmlElement, name: string): string {
  return writtenAttributes?.[name] ?? name
}

function nameOf(style: XmlElement): string {
  return childValue(style, 'w:name') ?? style.attributes['w:styleId'] ?? ''
}

/** What an element says, regardless of prefixes, order of attributes and ids of lists. */
function canonical(element: XmlElement, looks: OwnLooks): string {
  const attributes = Object.entries(element.attributes)
    .filter(([name]) => !uncomparedAttributes.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const { lists, definitions, styles } = looks
  if (element.name === 'w:numId' && lists !== undefined && definitions !== undefined) {
    const definition = definitionOf(lists, definitions, styles, element.attributes['w:val'] ?? '')
    return `(list ${definition === undefined ? '' : canonical(definition, { ...looks, lists: undefined })})`
  }
  const children = childElements(element).filter(({ name }) => !uncompared.has(name))
  return `(${element.name} ${JSON.stringify(attributes)}${children.map((child) => canonical(child, looks)).join('')})`
}
