/** Many documents as one, for print: their pages in order, with a bookmark at the first of each. */
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFNull, PDFNumber, type PDFRef } from 'pdf-lib'

export class JoinedPdf {
  readonly #documents: { title: string; page: PDFRef }[] = []
  #joined: PDFDocument | undefined

  /** @returns how many pages it has @throws Error for what is no PDF */
  async add(bytes: Uint8Array, title: string): Promise<number> {
    const joined = await this.#open()
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    const pages = await joined.copyPages(document, document.getPageIndices())
    for (const [index, page] of pages.entries()) {
      // Tags and links lead to what was not copied, and paper has no use for them.
      for (const name of ['StructParents', 'Annots', 'Tabs']) page.node.delete(PDFName.of(name))
      joined.addPage(page)
      if (index === 0) this.#documents.push({ title, page: page.ref })
    }
    return pages.length
  }

  /** The whole, to be asked for once. @param title of the file */
  async finish(title: string): Promise<Uint8Array> {
    const joined = await this.#open()
    joined.setTitle(title)
    joined.setProducer('Quire')
    this.#addBookmarks(joined)
    return joined.save({ useObjectStreams: true })
  }

  async #open(): Promise<PDFDocument> {
    this.#joined ??= await PDFDocument.create({ updateMetadata: false })
    return this.#joined
  }

  #addBookmarks({ context, catalog }: PDFDocument): void {
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
