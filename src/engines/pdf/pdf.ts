import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { type OoxmlPackage, openPackage } from '../ooxml/package.ts'
import { noCache, type RenderCache } from './cache.ts'
import { linkMarks } from './draw/marks.ts'
import { type Drawing, drawPages } from './draw/pages.ts'
import { type FontLibrary, withSources } from './font/library.ts'
import type { Layout } from './frame/frame.ts'
import { OverBudget } from './layout/held.ts'
import { layoutDocument } from './layout/pages.ts'
import type { DocumentModel } from './model/document.ts'
import { placeFindings, placePictures } from './places.ts'
import { readDocument, readMedia } from './read/document.ts'
import { renderLayout } from './render/render.ts'
import { type PdfForm, truncateText } from './render/write.ts'
import { type DrawnFont, Report } from './report.ts'
import { Cascade, NoFonts } from './style/cascade.ts'

export interface RenderOptions {
  fonts: FontLibrary
  /** Shared by renderings; see `createRenderCache`. The result is the same without it. */
  cache?: RenderCache
  /** The memory that the layout may hold, by its own estimate; `limits.renderLayoutBytes` without it. */
  layoutBytes?: number
  /** `quick` for a PDF that nobody reads: the same objects, not compressed. */
  form?: PdfForm
  /** Called when a long document has left much garbage; the owner of the process may collect it then. */
  collect?: () => void
}

export interface Rendering {
  pdf: Uint8Array
  pages: number
  /** Warnings about parts that could not be shown as written, and about replaced fonts. */
  report: Finding[]
  /** What its text is drawn with, in the order of the families; at most `limits.renderRemarks`. */
  fonts: DrawnFont[]
}

/**
 * Renders a DOCX as PDF: read → style → layout → render. The same bytes and fonts give the same PDF, byte for byte. A
 * document that is not a usable DOCX fails with findings; lesser problems are reported, and the rest is rendered. Macros
 * and the like are ignored: rendering never runs anything.
 */
export function renderPdf(docx: Uint8Array, options: RenderOptions): Outcome<Rendering> {
  return renderPackage(openPackage(docx, 'ignored'), options)
}

/** Like `renderPdf`, for a package that was opened with its active content ignored; releases its main part. */
export function renderPackage(container: Outcome<OoxmlPackage>, options: RenderOptions): Outcome<Rendering> {
  if (!container.ok) return container
  const report = new Report()
  report.findings.push(...container.findings)
  const cache = options.cache ?? noCache
  const model = readModel(container.value, cache, options, report)
  if (!model.ok) return model
  const layout = layoutModel(model.value, options, report)
  if (!layout.ok) return layout
  // Rendering takes the frames off the pages.
  const pictures = placeFindings(report, layout.value)
  const info = {
    title: titleOf(model.value, layout.value),
    author: model.value.author,
    subject: model.value.subject,
    language: model.value.language,
  }
  const pdf = renderLayout(layout.value, info, {
    readMedia: (part) => model.value.media.get(part) ?? readMedia(container.value, part),
    cache,
    report,
    form: options.form,
    collect: options.collect,
  })
  placePictures(report.findings, pictures)
  return succeed({ pdf, pages: layout.value.pages.length, report: report.findings, fonts: report.fonts })
}

/** The pages of a document as pure geometry, which tests and `--dump` look at. */
export function layoutDocx(docx: Uint8Array, options: RenderOptions): Outcome<Layout> {
  const container = openPackage(docx, 'ignored')
  if (!container.ok) return container
  const report = new Report()
  const model = readModel(container.value, options.cache ?? noCache, options, report)
  return model.ok ? layoutModel(model.value, options, report) : model
}

/**
 * Draws the pages of a document as SVG, each with the places of its marked values (see `core/marks.ts`). The layout is
 * the same as for PDF.
 *
 * @param pictures marks by package part, for values shown by a picture
 */
export function drawDocx(
  docx: Uint8Array,
  options: RenderOptions,
  pictures: ReadonlyMap<string, number> = new Map(),
): Outcome<Drawing> {
  const container = openPackage(docx, 'ignored')
  if (!container.ok) return container
  const report = new Report()
  const model = readModel(container.value, options.cache ?? noCache, options, report)
  if (!model.ok) return model
  linkMarks(model.value)
  const layout = layoutModel(model.value, options, report)
  return layout.ok
    ? succeed(
        drawPages(layout.value, (part) => model.value.media.get(part) ?? readMedia(container.value, part), pictures),
      )
    : layout
}

/**
 * Reads the document. After a very long one it collects garbage before layout begins, or the heap would grow by a
 * fifth; for shorter ones that would cost a tenth of the total time.
 */
function readModel(
  container: OoxmlPackage,
  cache: RenderCache,
  { collect }: RenderOptions,
  report: Report,
): Outcome<DocumentModel> {
  const model = readDocument(container, cache, report)
  if ((container.archive.entry(container.mainPart)?.inflatedBytes ?? 0) > limits.renderCollectedPartBytes) collect?.()
  return model
}

function layoutModel(model: DocumentModel, options: RenderOptions, report: Report): Outcome<Layout> {
  const maxBytes = options.layoutBytes ?? limits.renderLayoutBytes
  try {
    const library = withSources(options.fonts, model.fonts)
    const cascade = new Cascade(model.styles, model.numbering, library, report, model.settings)
    return succeed(layoutDocument({ model, cascade, report, maxBytes }))
  } catch (error) {
    if (error instanceof RangeError) {
      return fail({
        code: 'render.too_deep',
        severity: 'error',
        message: 'The document nests its content too deeply to be laid out.',
        hint: 'Flatten nested tables and text boxes.',
      })
    }
    if (error instanceof OverBudget) {
      return fail({
        code: 'render.memory',
        severity: 'error',
        message: `The document is too large to be laid out: page ${error.page} is as far as ${Math.round(maxBytes / 1_048_576)} MiB of text, table cells and drawings reach.`,
        hint: 'Divide the document, or make what its headers, footers and tables repeat on each page smaller.',
        path: error.part,
      })
    }
    if (!(error instanceof NoFonts)) throw error
    return fail({
      code: 'render.no_fonts',
      severity: 'error',
      message: 'No usable font was handed in, so no text can be drawn.',
      hint: 'Hand in at least one TrueType font.',
    })
  }
}

/** The document's own title, else its first heading; empty when it has neither. */
function titleOf(model: DocumentModel, layout: Layout): string {
  return model.title || truncateText(layout.outline[0]?.title ?? '', 200)
}
