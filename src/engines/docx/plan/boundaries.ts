/** Where in the source a block begins, divides and ends. */
import type { XmlElement } from '../../ooxml/xml.ts'
import { ownDeclaration } from '../scan/own-declarations.ts'
import type { Chain, Paragraph } from '../scan/paragraphs.ts'
import { isComment, type LocatedTag } from '../scan/tags.ts'
import type { Block, BlockPlan, Edge } from './blocks.ts'
import type { Middle, Opening } from './items.ts'
import { mayDivide, wholeJoint } from './joints.ts'
import type { Removed } from './removed.ts'
import { segmentsOf } from './segments.ts'

/** The block's content ends before `start`, or begins after `end`. */
export type Boundary = Opening & { start: number; end: number }

/** Finds the boundaries of placed blocks; undefined if something cannot be divided. */
export class Boundaries {
  constructor(
    private readonly plan: BlockPlan,
    private readonly removed: Removed,
    private readonly source: string,
  ) {}

  opening({ open, level, common }: Block): Boundary | undefined {
    const { tag, child } = open
    if (level === 'inline') return this.seamAt(tag, common)
    if (level === 'column') return whole(child.start)
    if (level === 'row') {
      if (common.name === 'w:tr') return whole(common.start)
      return whole(this.removed.rows.has(child) ? child.end : child.start)
    }
    if (this.removed.paragraphs.has(child)) return whole(child.end)
    if (!this.plan.isVisibleBefore(tag)) return whole(child.start)
    return this.plan.isVisibleAfter(tag) || isComment(tag) ? this.seamAt(tag, common) : whole(child.end)
  }

  closing({ end, level, common }: Block): Boundary | undefined {
    const { tag, child } = end
    if (level === 'inline') return this.seamAt(tag, common)
    if (level === 'column') return whole(child.end)
    if (level === 'row') {
      if (common.name === 'w:tr') return whole(common.end)
      return whole(this.removed.rows.has(child) ? child.start : child.end)
    }
    if (this.removed.paragraphs.has(child)) return whole(child.start)
    if (!this.plan.isVisibleAfter(tag)) return whole(child.end)
    return this.plan.isVisibleBefore(tag) || isComment(tag) ? this.seamAt(tag, common) : whole(child.start)
  }

  /** Where each `#else if` and the `#else` divide the block; undefined if one of them can't. */
  middles(block: Block): Middle[] | undefined {
    const found: Middle[] = []
    let before: Edge = block.open
    for (const edge of block.middles) {
      const boundary = this.middle(block, edge, before)
      if (boundary === undefined) return undefined
      found.push({ ...boundary, tag: edge.tag })
      before = edge
    }
    return found
  }

  private middle({ end, level, common }: Block, { tag, child }: Edge, before: Edge): Boundary | undefined {
    if (level === 'inline') return this.seamAt(tag, common)
    if (this.removed.rows.has(child) || this.removed.paragraphs.has(child)) {
      return { ...whole(child.start), end: child.end }
    }
    if (level === 'row') {
      const divides = common.name !== 'w:tr' && child !== before.child && child !== end.child
      return divides ? whole(child.start) : undefined
    }
    if (!this.plan.isVisibleBefore(tag)) return whole(child.start)
    return this.plan.isVisibleAfter(tag) ? this.seamAt(tag, common) : whole(child.end)
  }

  /** A boundary inside text: everything between the tag and `common` is closed before it and opened again behind it. */
  private seamAt(tag: LocatedTag, common: XmlElement): Boundary | undefined {
    if (!mayDivide(tag, common)) return undefined
    const [{ piece, start, end }] = segmentsOf(tag, this.source)
    const { closes, opens } = this.plan.joints.get(tag) ?? wholeJoint
    let shut = ''
    let open = ''
    for (const element of piece.chain) {
      if (element === common) break
      shut += `</${element.written}>`
      if (opens) open = reopened(element, this.source, aroundIn(piece.chain, tag.paragraph, element)) + open
    }
    return { start, end, close: closes ? shut : '', open, shut: opens ? shut : '' }
  }
}

function whole(offset: number): Boundary {
  return { start: offset, end: offset, close: '', open: '', shut: '' }
}

/**
 * The start tag and properties of an element that continues after a split, without its ids.
 *
 * @param around the elements around it, innermost first
 */
export function reopened(element: XmlElement, source: string, around: readonly XmlElement[]): string {
  if (element.name === 'w:t') return spacedText(element, around)
  const tag = withoutIds(source.slice(element.start, element.openEnd))
  const properties = element.children.find((child) => child.kind === 'element' && /^[wam]:[rp]Pr$/.test(child.name))
  return properties === undefined ? tag : tag + source.slice(properties.start, properties.end)
}

/** The start tag of a `w:t` that keeps the blanks at its ends. */
export function spacedText(text: XmlElement, around: readonly XmlElement[]): string {
  return `<${text.written}${ownDeclaration(text, around)} xml:space="preserve">`
}

/** The elements around one of a piece's chain, innermost first. */
export function aroundIn(chain: Chain, { ancestors }: Paragraph, element: XmlElement): XmlElement[] {
  return [...chain.slice(chain.indexOf(element) + 1), ...ancestors]
}

/** Removes ids that must not appear twice, and that Word makes again when they are missing. */
function withoutIds(startTag: string): string {
  return startTag.replace(/\s[A-Za-z0-9]+:(?:paraId|textId)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
}
