import { limits } from '../../core/limits.ts'
import type { XmlElement, XmlNode, XmlText } from './xml.ts'
import type { AlikeContent, ResolvedName, StartTag } from './xml-names.ts'

/**
 * The parser's elements, as small as possible, since long documents have hundreds of thousands: elements of one name
 * share its data, and those without children share one empty list.
 */
export class ParsedElement implements XmlElement {
  children: XmlNode[] = noChildren
  writtenAttributes: Record<string, string> | undefined

  // biome-ignore lint/complexity/useMaxParams: one object less for each element.
  constructor(
    readonly label: ResolvedName,
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

export class ParsedText implements XmlText {
  constructor(
    readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {}

  get kind(): 'text' {
    return 'text'
  }
}

export const noChildren: XmlNode[] = Object.freeze<XmlNode[]>([]) as XmlNode[]

/** Keeps what an element holds for those that come after it. */
export function keepContent(
  alike: AlikeContent[],
  { openEnd, closeStart, end, children }: ParsedElement,
  { source, last }: { source: string; last: StartTag | undefined },
): void {
  if (end - openEnd > limits.xmlAlikeChars) return
  if (alike.length === limits.xmlAlikeContents) alike.shift()
  const { nodes, depth } = extentOf(children)
  alike.push({ text: source.slice(openEnd, end), closeStart: closeStart - openEnd, children, nodes, depth, last })
}

function extentOf(children: readonly XmlNode[]): { nodes: number; depth: number } {
  let nodes = children.length
  let depth = 0
  for (const child of children) {
    if (child.kind === 'text') continue
    const inside = extentOf(child.children)
    nodes += inside.nodes
    const isOpen = child.closeStart < child.end
    depth = Math.max(depth, isOpen ? inside.depth : 0)
  }
  return { nodes, depth: depth + 1 }
}
