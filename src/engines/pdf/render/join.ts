/** Many documents as one, for print: their pages in order, with a bookmark at the first of each. */
import PDFDict from 'pdf-lib/es/core/objects/PDFDict.js'
import PDFHexString from 'pdf-lib/es/core/objects/PDFHexString.js'
import PDFName from 'pdf-lib/es/core/objects/PDFName.js'
import PDFNull from 'pdf-lib/es/core/objects/PDFNull.js'
import PDFNumber from 'pdf-lib/es/core/objects/PDFNumber.js'
import type PDFRef from 'pdf-lib/es/core/objects/PDFRef.js'
import PDFContext from 'pdf-lib/es/core/PDFContext.js'
import PDFObjectCopier from 'pdf-lib/es/core/PDFObjectCopier.js'
import PDFParser from 'pdf-lib/es/core/parser/PDFParser.js'
import PDFCatalog from 'pdf-lib/es/core/structures/PDFCatalog.js'
import PDFPageLeaf from 'pdf-lib/es/core/structures/PDFPageLeaf.js'
import PDFPageTree from 'pdf-lib/es/core/structures/PDFPageTree.js'
import PDFStreamWriter from 'pdf-lib/es/core/writers/PDFStreamWriter.js'

/** All at once: joining has a process of its own, in which nothing else waits. */
const OBJECTS_PER_TICK = Number.POSITIVE_INFINITY

export class JoinedPdf {
  readonly #documents: { title: string; page: PDFRef }[] = []
  readonly #context = PDFContext.create()
  readonly #pages = PDFPageTree.withContext(this.#context)
  readonly #pagesRef = this.#context.register(this.#pages)

  /** @returns how many pages it has @throws Error for what is no PDF */
  async add(bytes: Uint8Array, title: string): Promise<number> {
    const source = await PDFParser.forBytesWithOptions(bytes, OBJECTS_PER_TICK, true).parseDocument()
    if (source.trailerInfo.Encrypt !== undefined) throw new Error('the PDF is encrypted')
    const copier = PDFObjectCopier.for(source, this.#context)
    const pages: PDFPageLeaf[] = []
    const catalog = source.lookup(source.trailerInfo.Root)
    if (!(catalog instanceof PDFCatalog)) throw new Error('the PDF has no catalog')
    catalog.Pages().traverse((node) => {
      if (node instanceof PDFPageLeaf) pages.push(node)
    })
    for (const [index, original] of pages.entries()) {
      const page = copier.copy(original)
      // Tags and links lead to what was not copied, and paper has no use for them.
      for (const name of ['StructParents', 'Annots', 'Tabs']) page.delete(PDFName.of(name))
      const ref = this.#context.register(page)
      page.setParent(this.#pagesRef)
      this.#pages.pushLeafNode(ref)
      if (index === 0) this.#documents.push({ title, page: ref })
    }
    return pages.length
  }

  /** The whole, to be asked for once. @param title of the file */
  async finish(title: string): Promise<Uint8Array> {
    const context = this.#context
    const catalog = PDFCatalog.withContextAndPages(context, this.#pagesRef)
    const info = PDFDict.withContext(context)
    info.set(PDFName.of('Title'), PDFHexString.fromText(title))
    info.set(PDFName.of('Producer'), PDFHexString.fromText('Quire'))
    context.trailerInfo.Root = context.register(catalog)
    context.trailerInfo.Info = context.register(info)
    this.#addBookmarks(catalog)
    return PDFStreamWriter.forContext(context, OBJECTS_PER_TICK).serializeToBuffer()
  }

  #addBookmarks(catalog: PDFCatalog): void {
    const context = this.#context
    const root = context.nextRef()
    const refs = this.#documents.map(() => context.nextRef())
    for (const [index, { title, page }] of this.#documents.entries()) {
      const item = PDFDict.withContext(context)
      item.set(PDFName.of('Title'), PDFHexString.fromText(title))
      item.set(PDFName.of('Parent'), root)
      item.set(PDFName.of('Dest'), context.obj([page, PDFName.of('XYZ'), PDFNull, PDFNull, PDFNull]))
      const [before, after, own] = [refs[index - 1], refs[index + 1], refs[index]]
      if (before !== undefined) item.set(PDFName.of('Prev'), before)
      if (after !== undefined) item.set(PDFName.of('Next'), after)
      if (own !== undefined) context.assign(own, item)
    }
    const [first, last] = [refs[0], refs.at(-1)]
    if (first === undefined || last === undefined) return
    const outlines = PDFDict.withContext(context)
    outlines.set(PDFName.of('Type'), PDFName.of('Outlines'))
    outlines.set(PDFName.of('First'), first)
    outlines.set(PDFName.of('Last'), last)
    outlines.set(PDFName.of('Count'), PDFNumber.of(refs.length))
    context.assign(root, outlines)
    catalog.set(PDFName.of('Outlines'), root)
    catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'))
  }
}
