import type { StructureNode } from '../frame/frame.ts'
import { num, type ObjectNumber, type PdfFile, textString } from './write.ts'

/**
 * The structure tree (14.7): nodes join it in the order in which their content is drawn. Rows and cells join with
 * their table, drawn or not, so that tables stay regular.
 */
export class StructureTree {
  /** Number of each node's element; 0 for nodes that have not joined the tree. */
  private readonly refs: Uint32Array
  /** The page of a node's first content, 0 without any, and its children as they are written. */
  private readonly pages: Uint32Array
  private readonly kids: string[]
  private readonly tableParts = new Map<number, number[]>()
  private rootKids = ''
  private readonly document: ObjectNumber
  private readonly parents: string[] = []
  private readonly boxes = new Map<number, string>()

  /** The types of headings as written, by node, and the levels above the one that was drawn last. */
  private readonly headings = new Map<number, string>()
  private readonly levels: number[] = []
  /** True once a picture without a description of its own is drawn, or a character that only its font knows. */
  undescribed = false

  constructor(
    private readonly file: PdfFile,
    private readonly nodes: readonly StructureNode[],
  ) {
    this.refs = new Uint32Array(nodes.length)
    this.pages = new Uint32Array(nodes.length)
    this.kids = new Array<string>(nodes.length).fill('')
    this.document = file.reserve()
    for (const [index, { parent }] of nodes.entries()) {
      const type = nodes[parent]?.type
      if (type !== 'Table' && type !== 'TR') continue
      const parts = this.tableParts.get(parent)
      if (parts) parts.push(index)
      else this.tableParts.set(parent, [index])
    }
  }

  private nodeAt(index: number): StructureNode {
    const node = this.nodes[index]
    if (!node) throw new Error(`The layout has no structure node ${index}`)
    return node
  }

  /** The number of a node's element; 0 before it joins the tree. */
  private refOf(node: number): ObjectNumber {
    return this.refs[node] ?? 0
  }

  /** The type of a node that joined the tree. */
  type(node: number): string {
    return this.headings.get(node) ?? this.nodeAt(node).type
  }

  /**
   * Headings nest without gaps, as accessible files require (ISO 14289-1, 7.4.2): levels that the document skips don't
   * count, and its first heading is of the first level. The outline nests in the same way.
   */
  private addHeading(index: number, level: number): void {
    while ((this.levels.at(-1) ?? 0) >= level) this.levels.pop()
    this.levels.push(level)
    this.headings.set(index, `H${this.levels.length}`)
  }

  /** The number of a node's element, which joins the tree now unless it is in it. */
  private attach(index: number): ObjectNumber {
    const joined = this.refOf(index)
    if (joined !== 0) return joined
    const { type, alt, parent } = this.nodeAt(index)
    if (parent >= 0) this.attach(parent)
    // A table has its rows join with it, and a row its cells.
    const joinedWithParent = this.refOf(index)
    if (joinedWithParent !== 0) return joinedWithParent
    const ref = this.file.reserve()
    this.refs[index] = ref
    const level = /^H(\d)$/.exec(type)?.[1]
    if (level) this.addHeading(index, Number(level))
    if (type === 'Figure' && !alt) this.undescribed = true
    if (parent >= 0) this.addKid(parent, `${ref} 0 R`)
    else this.rootKids = listed(this.rootKids, `${ref} 0 R`)
    const parts = this.tableParts.get(index)
    if (parts) for (const part of parts) this.attach(part)
    return ref
  }

  private addKid(node: number, syntax: string): void {
    this.kids[node] = listed(this.kids[node] ?? '', syntax)
  }

  /** Registers a marked-content sequence of a page. */
  addContent(node: number, page: ObjectNumber, id: number): void {
    this.attach(node)
    if (this.pages[node] === 0) this.pages[node] = page
    this.addKid(node, this.pages[node] === page ? `${id}` : `<</Type/MCR/Pg ${page} 0 R/MCID ${id}>>`)
  }

  /** Registers an annotation and answers its entry in the parent tree. */
  addAnnotation(node: number, page: ObjectNumber, annotation: ObjectNumber): number {
    const ref = this.attach(node)
    this.addKid(node, `<</Type/OBJR/Pg ${page} 0 R/Obj ${annotation} 0 R>>`)
    return this.parents.push(`${ref} 0 R`) - 1
  }

  /**
   * Registers a link in headers, footers and other decoration, which are no content of the tree, and answers its entry in
   * the parent tree. Accessible files have every link in an element of its own (ISO 14289-1, 7.18.5).
   */
  addLoneLink(page: ObjectNumber, annotation: ObjectNumber): number {
    const kid = `<</Type/OBJR/Pg ${page} 0 R/Obj ${annotation} 0 R>>`
    const ref = this.file.add(`<</S/Link/P ${this.document} 0 R/Pg ${page} 0 R/K[${kid}]>>`)
    this.rootKids = listed(this.rootKids, `${ref} 0 R`)
    return this.parents.push(`${ref} 0 R`) - 1
  }

  /** The parent tree's entry for a page: the nodes of its marked content, by id. */
  addPage(nodesById: readonly number[]): number {
    return this.parents.push(`[${nodesById.map((node) => `${this.attach(node)} 0 R`).join(' ')}]`) - 1
  }

  setBox(node: number, left: number, bottom: number, right: number, top: number): void {
    this.boxes.set(node, `${num(left)} ${num(bottom)} ${num(right)} ${num(top)}`)
  }

  write(): ObjectNumber {
    const root = this.file.reserve()
    for (const [index, node] of this.nodes.entries()) {
      const ref = this.refOf(index)
      if (ref !== 0) this.file.put(ref, this.element(index, node))
    }
    this.file.put(this.document, `<</Type/StructElem/S/Document/P ${root} 0 R/K[${this.rootKids}]>>`)
    const numbers = this.parents.map((entry, index) => `${index} ${entry}`).join(' ')
    const tree = this.file.add(`<</Nums[${numbers}]>>`)
    this.file.put(
      root,
      `<</Type/StructTreeRoot/K ${this.document} 0 R/ParentTree ${tree} 0 R/ParentTreeNextKey ${this.parents.length}${this.idTree()}>>`,
    )
    return root
  }

  /** Elements that have an identifier are found by it (14.7.2, table 322); the names are in the order of their bytes. */
  private idTree(): string {
    const notes = this.nodes.flatMap(({ type }, index) =>
      type === 'Note' && this.refOf(index) !== 0 ? [[noteId(index), this.refOf(index)] as const] : [],
    )
    if (notes.length === 0) return ''
    notes.sort(([one], [other]) => (one < other ? -1 : 1))
    return `/IDTree ${this.file.add(`<</Names[${notes.map(([id, ref]) => `(${id})${ref} 0 R`).join(' ')}]>>`)} 0 R`
  }

  private element(index: number, node: StructureNode): string {
    const parent = node.parent >= 0 ? this.refOf(node.parent) : this.document
    const page = this.pages[index] ?? 0
    let syntax = `<</S/${this.type(index)}/P ${parent} 0 R`
    if (page !== 0) syntax += `/Pg ${page} 0 R`
    if (node.type === 'Figure') syntax += `/Alt${textString(node.alt || 'Picture')}`
    else if (node.type === 'Formula' && node.alt) syntax += `/Alt${textString(node.alt)}`
    if (node.type === 'Note') syntax += `/ID(${noteId(index)})`
    const attributes = this.attributes(index, node)
    if (attributes !== '') syntax += `/A${attributes}`
    return `${syntax}/K[${this.kids[index] ?? ''}]>>`
  }

  private attributes(index: number, node: StructureNode): string {
    let table = ''
    if (node.scope) table += `/Scope/${node.scope}`
    if (node.columnSpan) table += `/ColSpan ${node.columnSpan}`
    if (node.rowSpan) table += `/RowSpan ${node.rowSpan}`
    if (table !== '') return `<</O/Table${table}>>`
    const box = this.boxes.get(index)
    return node.type === 'Figure' && box ? `<</O/Layout/Placement/Block/BBox[${box}]>>` : ''
  }
}

function listed(list: string, item: string): string {
  return list === '' ? item : `${list} ${item}`
}

function noteId(index: number): string {
  return `note${index}`
}
