import type { RenderCache } from '../cache.ts'
import type { DestinationFrame, Frame, Layout, LinkFrame, Matrix, OutlineEntry } from '../frame/frame.ts'
import { apply, boundsOf, identity, multiply, placeOf } from '../frame/matrix.ts'
import type { Report } from '../report.ts'
import { ContentWriter, type Drawing } from './content.ts'
import { drawnSizes } from './drawn-sizes.ts'
import { FontSet } from './fonts.ts'
import { ImageSet } from './images.ts'
import { mainLanguage } from './language.ts'
import { type DocumentInfo, PRODUCER, type Standards, srgbProfile, xmpPacket } from './metadata.ts'
import { num, Operators } from './operators.ts'
import { PaintSet } from './paint.ts'
import { StructureTree } from './structure.ts'
import { compress, literal, type ObjectNumber, PdfFile, type PdfForm, textString, truncateText } from './write.ts'

interface Destination {
  page: number
  x: number
  y: number
}

/** What rendering needs besides the layout. */
export interface Surroundings {
  readMedia(part: string): Uint8Array | undefined
  cache: RenderCache
  report: Report
  form?: PdfForm | undefined
  /** Called when there is much garbage. */
  collect?: (() => void) | undefined
}

/** A PDF that is being written: the parts that pages, links and outline refer to. */
interface Draft {
  file: PdfFile
  layout: Layout
  tree: StructureTree
  pageTree: ObjectNumber
  /** The object of each page. */
  refs: readonly ObjectNumber[]
  destinations: ReadonlyMap<string, Destination>
  report: Report
}

/** This many pages leave some hundred megabytes of garbage; collecting it takes a tenth of the time to write them. */
const PAGES_BETWEEN_COLLECTIONS = 300

/**
 * Writes a layout as PDF: tagged, PDF/A-2b, byte-identical for the same layout. It also claims PDF/UA-1 if the document
 * has a title and a language, and describes each of its pictures. Removes the frames from the pages as it goes.
 */
export function renderLayout(layout: Layout, info: DocumentInfo, surroundings: Surroundings): Uint8Array {
  const { readMedia, cache, report, form, collect } = surroundings
  const file = new PdfFile(form)
  const tree = new StructureTree(file, layout.structure)
  const language = mainLanguage(layout, info.language)
  const drawing: Drawing = {
    out: new Operators(),
    fonts: new FontSet(file, cache),
    images: new ImageSet(file, { read: readMedia, drawn: drawnSizes(layout) }, cache, report),
    paints: new PaintSet(file),
    tree,
    language,
  }
  const pageTree = file.reserve()
  const resources = file.reserve()
  const refs = layout.pages.map(() => file.reserve())
  const draft: Draft = { file, layout, tree, pageTree, refs, destinations: collectDestinations(layout), report }
  for (const [index, ref] of refs.entries()) {
    writePage(draft, { index, ref, resources }, drawing)
    if (index % PAGES_BETWEEN_COLLECTIONS === PAGES_BETWEEN_COLLECTIONS - 1) collect?.()
  }
  file.put(pageTree, `<</Type/Pages/Count ${refs.length}/Kids[${refs.map((ref) => `${ref} 0 R`).join(' ')}]>>`)
  const { fonts, images, paints } = drawing
  file.put(resources, `<</Font<<${fonts.resources()}>>/XObject<<${images.resources()}>>${paints.resources()}>>`)
  fonts.write()
  // Titles and descriptions that only a person could judge are taken to be good.
  const standards: Standards = info.title !== '' && language !== '' && !tree.undescribed ? 'PDF/A and PDF/UA' : 'PDF/A'
  const titled = { ...info, title: info.title || 'Document', language }
  const root = writeCatalog(draft, titled, standards)
  const infoRef = file.add(
    `<</Title${textString(titled.title)}/Producer${literal(PRODUCER)}${info.author === '' ? '' : `/Author${textString(info.author)}`}${info.subject === '' ? '' : `/Subject${textString(info.subject)}`}>>`,
  )
  return file.write(root, infoRef)
}

/** Writes a page with its links, and takes its frames off it. */
function writePage(
  draft: Draft,
  { index, ref, resources }: { index: number; ref: ObjectNumber; resources: ObjectNumber },
  drawing: Drawing,
): void {
  const { file, tree, pageTree } = draft
  const page = draft.layout.pages[index]
  if (!page) return
  const writer = new ContentWriter({ ref, height: page.height }, drawing)
  writer.write(page.frames)
  writer.finish()
  const content = file.addStream('', drawing.out.take())
  const annotations = linksOf(page.frames)
    .map((link) => {
      const before = draft.report.findings.length
      const annotation = writeLink(draft, link, { ref, height: page.height })
      draft.report.madeAt(before, { words: link.text.trim(), page: index + 1 })
      return annotation
    })
    .filter((annotation) => annotation !== undefined)
  const parents = tree.addPage(writer.nodesById)
  // Frees the frames: in a long document they would fill memory that the file still needs.
  page.frames = []
  file.put(
    ref,
    `<</Type/Page/Parent ${pageTree} 0 R/MediaBox[0 0 ${num(page.width)} ${num(page.height)}]/Resources ${resources} 0 R` +
      `/Contents ${content} 0 R/StructParents ${parents}/Tabs/S` +
      `${annotations.length > 0 ? `/Annots[${annotations.map((annotation) => `${annotation} 0 R`).join(' ')}]` : ''}>>`,
  )
}

/** Always the same bytes, so they are made and compressed once. */
let profile: Uint8Array | undefined

function writeCatalog(draft: Draft, info: DocumentInfo, standards: Standards): ObjectNumber {
  const { file, tree, pageTree } = draft
  profile ??= compress(srgbProfile())
  const icc = file.addFiltered('/N 3/Filter/FlateDecode', profile)
  const intent = file.add(
    `<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)/DestOutputProfile ${icc} 0 R>>`,
  )
  // Metadata stays uncompressed so that tools find it without a PDF reader.
  const metadata = file.addFiltered('/Type/Metadata/Subtype/XML', Buffer.from(xmpPacket(info, standards), 'utf8'))
  const structure = tree.write()
  const outline = writeOutline(draft)
  return file.add(
    `<</Type/Catalog/Pages ${pageTree} 0 R/MarkInfo<</Marked true>>/StructTreeRoot ${structure} 0 R${info.language === '' ? '' : `/Lang(${info.language})`}` +
      `/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${metadata} 0 R/OutputIntents[${intent} 0 R]` +
      `${outline ? `/Outlines ${outline} 0 R/PageMode/UseOutlines` : ''}>>`,
  )
}

interface OutlineNode {
  entry: OutlineEntry
  ref: ObjectNumber
  children: OutlineNode[]
}

function writeOutline({ file, layout, refs }: Draft): ObjectNumber | undefined {
  const roots: OutlineNode[] = []
  const path: OutlineNode[] = []
  for (const entry of layout.outline) {
    while ((path.at(-1)?.entry.level ?? Number.NEGATIVE_INFINITY) >= entry.level) path.pop()
    const node: OutlineNode = { entry, ref: file.reserve(), children: [] }
    const siblings = path.at(-1)?.children ?? roots
    siblings.push(node)
    path.push(node)
  }
  if (roots.length === 0) return undefined
  const ref = file.reserve()
  const level = writeOutlineLevel({ file, layout, refs }, roots, ref)
  file.put(ref, `<</Type/Outlines${level.ends}/Count ${level.visible}>>`)
  return ref
}

/** The values for a level's parent: its first and last entry, and how many are visible with the level open. */
interface OutlineLevel {
  ends: string
  visible: number
}

/** Writes entries with those below them. Nesting is bounded by the nine heading levels. */
function writeOutlineLevel(
  draft: Pick<Draft, 'file' | 'layout' | 'refs'>,
  nodes: readonly OutlineNode[],
  parent: ObjectNumber,
): OutlineLevel {
  let visible = 0
  for (const [index, { entry, ref, children }] of nodes.entries()) {
    const below = writeOutlineLevel(draft, children, ref)
    visible += 1 + below.visible
    const [before, after] = [nodes[index - 1], nodes[index + 1]]
    const title = textString(truncateText(entry.title, 500))
    let syntax = `<</Title${title}/Parent ${parent} 0 R/Dest${destinationOf(draft, { ...entry, x: 0 })}`
    if (before) syntax += `/Prev ${before.ref} 0 R`
    if (after) syntax += `/Next ${after.ref} 0 R`
    if (children.length > 0) syntax += `${below.ends}/Count ${below.visible}`
    draft.file.put(ref, `${syntax}>>`)
  }
  const [first, last] = [nodes[0], nodes.at(-1)]
  return { visible, ends: first && last ? `/First ${first.ref} 0 R/Last ${last.ref} 0 R` : '' }
}

/** A place of a page, with its zoom left as it is (12.3.2.2). */
function destinationOf({ layout, refs }: Pick<Draft, 'layout' | 'refs'>, { page, x, y }: Destination): string {
  const height = layout.pages[page]?.height ?? 0
  return `[${refs[page] ?? 0} 0 R/XYZ ${num(x)} ${num(height - y)} null]`
}

function collectDestinations(layout: Layout): Map<string, Destination> {
  const found = new Map<string, Destination>()
  for (const [page, { frames }] of layout.pages.entries()) {
    eachFrame(frames, (frame) => {
      if (frame.kind === 'destination' && !found.has(frame.name))
        found.set(frame.name, { page, x: frame.x, y: frame.y })
    })
  }
  return found
}

/** Visits links and destinations at their place on the page, also inside turned groups. */
function eachFrame(
  frames: readonly Frame[],
  visit: (frame: LinkFrame | DestinationFrame) => void,
  matrix: Matrix = identity,
): void {
  for (const frame of frames) {
    if (frame.kind === 'clip') eachFrame(frame.frames, visit, matrix)
    else if (frame.kind === 'group') eachFrame(frame.frames, visit, multiply(matrix, placeOf(frame)))
    else if (matrix === identity && (frame.kind === 'link' || frame.kind === 'destination')) visit(frame)
    else if (frame.kind === 'link')
      visit({ ...frame, ...boundsOf(matrix, frame.x, frame.y, frame.width, frame.height) })
    else if (frame.kind === 'destination') {
      const [x, y] = apply(matrix, frame.x, frame.y)
      visit({ ...frame, x, y })
    }
  }
}

function linksOf(frames: readonly Frame[]): LinkFrame[] {
  const links: LinkFrame[] = []
  eachFrame(frames, (frame) => {
    if (frame.kind === 'link') links.push(frame)
  })
  return links
}

const allowedSchemes = /^(https?|mailto|tel|ftp|sip):/i

function writeLink(
  draft: Draft,
  frame: LinkFrame,
  page: { ref: ObjectNumber; height: number },
): ObjectNumber | undefined {
  const action = actionOf(draft, frame)
  if (action === undefined) return undefined
  const ref = draft.file.reserve()
  const { tree } = draft
  const parent = frame.node >= 0 ? tree.addAnnotation(frame.node, page.ref, ref) : tree.addLoneLink(page.ref, ref)
  const bottom = page.height - frame.y - frame.height
  draft.file.put(
    ref,
    `<</Type/Annot/Subtype/Link/Rect[${num(frame.x)} ${num(bottom)} ${num(frame.x + frame.width)} ${num(bottom + frame.height)}]/Border[0 0 0]/F 4/StructParent ${parent}` +
      `/Contents${textString(frame.text.trim() || 'Link')}${action}>>`,
  )
  return ref
}

function actionOf(draft: Draft, { link }: LinkFrame): string | undefined {
  if (link.kind === 'uri') return uriAction(link.uri, draft.report)
  const target = draft.destinations.get(link.bookmark)
  return target && `/Dest${destinationOf(draft, target)}`
}

function uriAction(uri: string, report: Report): string | undefined {
  if (!allowedSchemes.test(uri)) {
    report.add(
      'render.link_dropped',
      `The link to ${uri.slice(0, 80)} is left out: only web, mail and phone links are kept.`,
      undefined,
      'Use an https link.',
    )
    return undefined
  }
  const ascii = [...uri.slice(0, 2_000)]
    .map((character) => (character > '~' || character < '!' ? encodeSafely(character) : character))
    .join('')
  return `/A<</S/URI/URI${literal(ascii)}>>`
}

function encodeSafely(character: string): string {
  return character.isWellFormed() ? encodeURIComponent(character) : ''
}
