import type { StructureNode } from '../layout/frame.ts'
import { num, type PDFRef, type PdfFile, textString } from './write.ts'

type Kid =
  | { kind: 'node'; index: number }
  | { kind: 'content'; page: PDFRef; id: number }
  | { kind: 'object'; page: PDFRef; ref: PDFRef }

/**
 * The structure tree (14.7): nodes join it in the order in which their content is drawn. Rows and cells join with
 * their table, drawn or not, so that tables stay regular.
 */
export class StructureTree {
  private readonly kids: Kid[][]
  private readonly attached: boolean[]
  private readonly refs: PDFRef[]
  private readonly tableParts = new Map<number, number[]>()
  private readonly rootKids: Kid[] = []
  private readonly document: PDFRef
  private readonly parents: string[] = []
  private readonly boxes = new Map<number, string>()

  constructor(
    private readonly file: PdfFile,
    private readonly nodes: readonly StructureNode[],
  ) {
    this.kids = nodes.map(() => [])
    this.attached = nodes.map(() => false)
    this.document = file.reserve()
    this.refs = nodes.map(() => undefined as unknown as PDFRef)
    for (const [index, node] of nodes.entries()) {
      const parent = nodes[node.parent]
      if (!parent || (parent.type !== 'Table' && parent.type !== 'TR')) continue
      const parts = this.tableParts.get(node.parent)
      if (parts) parts.push(index)
      else this.tableParts.set(node.parent, [index])
    }
  }

  type(node: number): string {
    return this.nodes[node]!.type
  }

  private attach(index: number): void {
    if (this.attached[index]) return
    const node = this.nodes[index]!
    if (node.parent >= 0) this.attach(node.parent)
    if (this.attached[index]) return
    this.attached[index] = true
    this.refs[index] = this.file.reserve()
    const siblings = node.parent >= 0 ? this.kids[node.parent]! : this.rootKids
    siblings.push({ kind: 'node', index })
    for (const part of this.tableParts.get(index) ?? []) this.attach(part)
  }

  private refOf(node: number): PDFRef {
    this.attach(node)
    return this.refs[node]!
  }

  /** Registers a marked-content sequence of a page. */
  addContent(node: number, page: PDFRef, id: number): void {
    this.attach(node)
    this.kids[node]!.push({ kind: 'content', page, id })
  }

  /** Registers an annotation and answers its entry in the parent tree. */
  addAnnotation(node: number, page: PDFRef, annotation: PDFRef): number {
    this.attach(node)
    this.kids[node]!.push({ kind: 'object', page, ref: annotation })
    return this.parents.push(`${this.refOf(node).objectNumber} 0 R`) - 1
  }

  /** The parent tree's entry for a page: the nodes of its marked content, by id. */
  addPage(nodesById: readonly number[]): number {
    return this.parents.push(`[${nodesById.map((node) => `${this.refOf(node).objectNumber} 0 R`).join(' ')}]`) - 1
  }

  setBox(node: number, left: number, bottom: number, right: number, top: number): void {
    this.boxes.set(node, `${num(left)} ${num(bottom)} ${num(right)} ${num(top)}`)
  }

  write(): PDFRef {
    const root = this.file.reserve()
    for (const [index, node] of this.nodes.entries()) {
      if (this.attached[index]) this.file.put(this.refs[index]!, this.element(index, node))
    }
    const children = this.rootKids.map((kid) => this.kidSyntax(kid, undefined)).join(' ')
    this.file.put(this.document, `<</Type/StructElem/S/Document/P ${root.objectNumber} 0 R/K[${children}]>>`)
    const numbers = this.parents.map((entry, index) => `${index} ${entry}`).join(' ')
    const tree = this.file.add(`<</Nums[${numbers}]>>`)
    this.file.put(
      root,
      `<</Type/StructTreeRoot/K ${this.document.objectNumber} 0 R/ParentTree ${tree.objectNumber} 0 R/ParentTreeNextKey ${this.parents.length}>>`,
    )
    return root
  }

  private element(index: number, node: StructureNode): string {
    const parent = node.parent >= 0 ? this.refs[node.parent]! : this.document
    const kids = this.kids[index]!
    const first = kids.find((kid) => kid.kind === 'content')
    const page = first?.kind === 'content' ? first.page : undefined
    let syntax = `<</S/${node.type}/P ${parent.objectNumber} 0 R`
    if (page) syntax += `/Pg ${page.objectNumber} 0 R`
    if (node.type === 'Figure') syntax += `/Alt${textString(node.alt || 'Picture')}`
    if (node.type === 'Note') syntax += `/ID(note${index})`
    const attributes = this.attributes(index, node)
    if (attributes !== '') syntax += `/A${attributes}`
    return `${syntax}/K[${kids.map((kid) => this.kidSyntax(kid, page)).join(' ')}]>>`
  }

  private attributes(index: number, node: StructureNode): string {
    const table = `${node.scope ? `/Scope/${node.scope}` : ''}${node.columnSpan ? `/ColSpan ${node.columnSpan}` : ''}${node.rowSpan ? `/RowSpan ${node.rowSpan}` : ''}`
    if (table !== '') return `<</O/Table${table}>>`
    const box = this.boxes.get(index)
    return node.type === 'Figure' && box ? `<</O/Layout/Placement/Block/BBox[${box}]>>` : ''
  }

  private kidSyntax(kid: Kid, page: PDFRef | undefined): string {
    if (kid.kind === 'node') return `${this.refs[kid.index]!.objectNumber} 0 R`
    if (kid.kind === 'object') return `<</Type/OBJR/Pg ${kid.page.objectNumber} 0 R/Obj ${kid.ref.objectNumber} 0 R>>`
    return kid.page === page ? `${kid.id}` : `<</Type/MCR/Pg ${kid.page.objectNumber} 0 R/MCID ${kid.id}>>`
  }
}
