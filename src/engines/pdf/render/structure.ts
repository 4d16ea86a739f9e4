import type { StructureNode } from '../frame/frame.ts'
import { Kids } from './kids.ts'
import { num, type Operators } from './operators.ts'
import { type Late, type ObjectNumber, type PdfFile, textString } from './write.ts'

/** An entry of the parent tree: the nodes of a page's marked content, by id, or the element of an annotation. */
type ParentEntry = readonly number[] | ObjectNumber

/**
 * The structure tree (14.7): nodes join it in the order in which their content is drawn. Rows and cells join with
 * their table, drawn or not, so that tables stay regular. A long document has some hundred thousand elements: until
 * they are written, they are numbers only.
 */
export class StructureTree implements Late {
  /** Number of each node's element; 0 for nodes that have not joined the tree. */
  private readonly refs: Uint32Array
  /** The page of a node's first content, 0 without any, and the children of all nodes. */
  private readonly pages: Uint32Array
  private readonly kids: Kids
  /** The first row of a table or cell of a row, and the next sibling of each, counted from 1; 0 if there is none. */
  private readonly firstParts: Uint32Array
  private readonly nextParts: Uint32Array
  private readonly document: ObjectNumber
  /** Set once the tree is put into the file: the numbers of its root and parent tree, and the nodes of its elements. */
  private root: ObjectNumber = 0
  private parentTree: ObjectNumber = 0
  private nodesByRef = new Uint32Array(0)
  private readonly parents: ParentEntry[] = []
  private readonly boxes = new Map<number, string>()

  /** The types of headings as written, by node, and the levels above the one that was drawn last. */
  private readonly headings = new Map<number, string>()
  private readonly levels: number[] = []
  /** True once a picture without a description is drawn, or a character that has a meaning only in its font. */
  undescribed = false

  constructor(
    private readonly file: PdfFile,
    private readonly nodes: readonly StructureNode[],
  ) {
    this.refs = new Uint32Array(nodes.length)
    this.pages = new Uint32Array(nodes.length)
    // The last owner is the document.
    this.kids = new Kids(nodes.length + 1)
    this.firstParts = new Uint32Array(nodes.length)
    this.nextParts = new Uint32Array(nodes.length)
    this.document = file.reserve()
    for (let index = nodes.length - 1; index >= 0; index--) {
      const parent = nodes[index]?.parent ?? -1
      const type = nodes[parent]?.type
      if (type !== 'Table' && type !== 'TR') continue
      this.nextParts[index] = this.firstParts[parent] ?? 0
      this.firstParts[parent] = index + 1
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

  /** The number of a node's element; adds the element to the tree if it isn't there yet. */
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
    if (type.length === 2 && type.startsWith('H')) this.addHeading(index, Number(type[1]))
    if (type === 'Figure' && !alt) this.undescribed = true
    this.kids.element(parent >= 0 ? parent : this.nodes.length, ref)
    for (let part = this.firstParts[index] ?? 0; part !== 0; part = this.nextParts[part - 1] ?? 0) this.attach(part - 1)
    return ref
  }

  /** Registers a marked-content sequence of a page. */
  addContent(node: number, page: ObjectNumber, id: number): void {
    this.attach(node)
    if (this.pages[node] === 0) this.pages[node] = page
    if (this.pages[node] === page) this.kids.content(node, id)
    else this.kids.other(node, `<</Type/MCR/Pg ${page} 0 R/MCID ${id}>>`)
  }

  /** Registers an annotation and returns its entry in the parent tree. */
  addAnnotation(node: number, page: ObjectNumber, annotation: ObjectNumber): number {
    const ref = this.attach(node)
    this.kids.other(node, `<</Type/OBJR/Pg ${page} 0 R/Obj ${annotation} 0 R>>`)
    return this.parents.push(ref) - 1
  }

  /**
   * Registers a link in headers, footers and other decoration, which are not in the tree; returns its entry in the
   * parent tree. PDF/UA requires an element for every link (ISO 14289-1, 7.18.5).
   */
  addLoneLink(page: ObjectNumber, annotation: ObjectNumber): number {
    const kid = `<</Type/OBJR/Pg ${page} 0 R/Obj ${annotation} 0 R>>`
    const ref = this.file.add(`<</S/Link/P ${this.document} 0 R/Pg ${page} 0 R/K[${kid}]>>`)
    this.kids.element(this.nodes.length, ref)
    return this.parents.push(ref) - 1
  }

  /** The parent tree's entry for a page: the nodes of its marked content, by id. */
  addPage(nodesById: readonly number[]): number {
    for (const node of nodesById) this.attach(node)
    return this.parents.push(nodesById) - 1
  }

  setBox(node: number, left: number, bottom: number, right: number, top: number): void {
    this.boxes.set(node, `${num(left)} ${num(bottom)} ${num(right)} ${num(top)}`)
  }

  /** Puts the tree into the file; its elements are written when the file is. */
  write(): ObjectNumber {
    const root = this.file.reserve()
    this.root = root
    this.nodesByRef = new Uint32Array(root)
    for (const [index, ref] of this.refs.entries()) {
      if (ref === 0) continue
      this.nodesByRef[ref] = index
      this.file.putLate(ref, this)
    }
    this.file.putLate(this.document, this)
    this.parentTree = this.file.reserve()
    this.file.putLate(this.parentTree, this)
    this.file.put(
      root,
      `<</Type/StructTreeRoot/K ${this.document} 0 R/ParentTree ${this.parentTree} 0 R/ParentTreeNextKey ${this.parents.length}${this.idTree()}>>`,
    )
    return root
  }

  writeObject(number: ObjectNumber, out: Operators): void {
    if (number === this.document) this.writeDocument(out)
    else if (number === this.parentTree) this.writeParents(out)
    else this.writeElement(this.nodesByRef[number] ?? 0, out)
  }

  private writeDocument(out: Operators): void {
    out.text('<</Type/StructElem/S/Document/P ').reference(this.root).text('/K[')
    this.kids.write(this.nodes.length, out)
    out.text(']>>')
  }

  private writeParents(out: Operators): void {
    out.text('<</Nums[')
    for (const [index, entry] of this.parents.entries()) {
      if (index > 0) out.text(' ')
      out.whole(index).text(' ')
      if (typeof entry === 'number') {
        out.reference(entry)
        continue
      }
      out.text('[')
      for (const [id, node] of entry.entries()) {
        if (id > 0) out.text(' ')
        out.reference(this.refOf(node))
      }
      out.text(']')
    }
    out.text(']>>')
  }

  /** The tree that finds elements by their identifiers (14.7.2, table 322), sorted by bytes. */
  private idTree(): string {
    const notes = this.nodes.flatMap(({ type }, index) =>
      type === 'Note' && this.refOf(index) !== 0 ? [[noteId(index), this.refOf(index)] as const] : [],
    )
    if (notes.length === 0) return ''
    notes.sort(([one], [other]) => (one < other ? -1 : 1))
    return `/IDTree ${this.file.add(`<</Names[${notes.map(([id, ref]) => `(${id})${ref} 0 R`).join(' ')}]>>`)} 0 R`
  }

  private writeElement(index: number, out: Operators): void {
    const node = this.nodeAt(index)
    const parent = node.parent >= 0 ? this.refOf(node.parent) : this.document
    const page = this.pages[index] ?? 0
    out.text('<</S/').text(this.type(index)).text('/P ').reference(parent)
    if (page !== 0) out.text('/Pg ').reference(page)
    if (node.type === 'Figure') out.text(`/Alt${textString(node.alt || 'Picture')}`)
    else if (node.type === 'Formula' && node.alt) out.text(`/Alt${textString(node.alt)}`)
    if (node.type === 'Note') out.text(`/ID(${noteId(index)})`)
    const attributes = this.attributes(index, node)
    if (attributes !== '') out.text(`/A${attributes}`)
    out.text('/K[')
    this.kids.write(index, out)
    out.text(']>>')
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

function noteId(index: number): string {
  return `note${index}`
}
