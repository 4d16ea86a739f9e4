import type { RenderCache } from '../cache.ts'
import type { DestinationFrame, Frame, Layout, LinkFrame, Matrix, OutlineEntry } from '../frame/frame.ts'
import { apply, boundsOf, identity, multiply, placeOf } from '../frame/matrix.ts'
import type { Report } from '../report.ts'
import { ContentWriter } from './content.ts'
import { FontSet } from './fonts.ts'
import { ImageSet } from './images.ts'
import { mainLanguage } from './language.ts'
import { type DocumentInfo, PRODUCER, srgbProfile, xmpPacket } from './metadata.ts'
import { Operators } from './operators.ts'
import { PaintSet } from './paint.ts'
import { StructureTree } from './structure.ts'
import { compress, literal, num, type ObjectNumber, PdfFile, textString, truncateText } from './write.ts'

interface Destination {
  page: number
  x: number
  y: number
}

/** So many pages leave some hundred megabytes behind, and collecting them takes a tenth of the time to write them. */
const PAGES_BETWEEN_COLLECTIONS = 300

/**
 * Writes a layout as PDF: tagged, PDF/A-2b, byte-identical for the same layout. It states PDF/UA-1, too, where the document
 * has a title and a language, and describes each of its pictures. Takes the frames off its pages on the way.
 */
export function renderLayout(
  layout: Layout,
  info: DocumentInfo,
  readMedia: (part: string) => Uint8Array | undefined,
  cache: RenderCache,
  report: Report,
  collect?: () => void,
): Uint8Array {
  const file = new PdfFile()
  const fonts = new FontSet(file, cache)
  const images = new ImageSet(file, readMedia, cache, report)
  const paints = new PaintSet(file)
  const operators = new Operators()
  const tree = new StructureTree(file, layout.structure)
  const pageTree = file.reserve()
  const resources = file.reserve()
  const refs = layout.pages.map(() => file.reserve())
  const destinations = collectDestinations(layout)
  const language = mainLanguage(layout, info.language)

  for (const [index, page] of layout.pages.entries()) {
    const ref = refs[index]!
    const writer = new ContentWriter(ref, page.height, operators, fonts, images, paints, tree, language)
    writer.write(page.frames)
    writer.finish()
    const content = file.addStream('', operators.take())
    const annotations = linksOf(page.frames).map((link) =>
      writeLink(file, link, page.height, ref, refs, layout, destinations, tree, report),
    )
    const drawn = annotations.filter((annotation) => annotation !== undefined)
    const parents = tree.addPage(writer.nodesById)
    // What stands on a page is written now; of a long document it would fill the memory that the file still needs.
    page.frames = []
    if (index % PAGES_BETWEEN_COLLECTIONS === PAGES_BETWEEN_COLLECTIONS - 1) collect?.()
    file.put(
      ref,
      `<</Type/Page/Parent ${pageTree} 0 R/MediaBox[0 0 ${num(page.width)} ${num(page.height)}]/Resources ${resources} 0 R` +
        `/Contents ${content} 0 R/StructParents ${parents}/Tabs/S` +
        `${drawn.length > 0 ? `/Annots[${drawn.map((annotation) => `${annotation} 0 R`).join(' ')}]` : ''}>>`,
    )
  }
  file.put(pageTree, `<</Type/Pages/Count ${refs.length}/Kids[${refs.map((ref) => `${ref} 0 R`).join(' ')}]>>`)
  file.put(resources, `<</Font<<${fonts.resources()}>>/XObject<<${images.resources()}>>${paints.resources()}>>`)
  fonts.write()
  // What only the author can say, and what nothing but a person could judge, is taken to be said well.
  const accessible = info.title !== '' && language !== '' && !tree.undescribed
  const titled = { ...info, title: info.title || 'Document', language }
  const root = writeCatalog(file, layout, titled, accessible, pageTree, refs, tree)
  const infoRef = file.add(
    `<</Title${textString(titled.title)}/Producer${literal(PRODUCER)}${info.author === '' ? '' : `/Author${textString(info.author)}`}${info.subject === '' ? '' : `/Subject${textString(info.subject)}`}>>`,
  )
  return file.write(root, infoRef)
}

/** Always the same bytes, so they are made and compressed once. */
let profile: Uint8Array | undefined

function writeCatalog(
  file: PdfFile,
  layout: Layout,
  info: DocumentInfo,
  accessible: boolean,
  pageTree: ObjectNumber,
  refs: readonly ObjectNumber[],
  tree: StructureTree,
): ObjectNumber {
  profile ??= compress(srgbProfile())
  const icc = file.addStream('/N 3/Filter/FlateDecode', profile, true)
  const intent = file.add(
    `<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)/DestOutputProfile ${icc} 0 R>>`,
  )
  // Metadata stays uncompressed so that tools find it without a PDF reader.
  const metadata = file.addStream('/Type/Metadata/Subtype/XML', Buffer.from(xmpPacket(info, accessible), 'utf8'), true)
  const structure = tree.write()
  const outline = writeOutline(file, layout, refs)
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

function writeOutline(file: PdfFile, layout: Layout, refs: readonly ObjectNumber[]): ObjectNumber | undefined {
  if (layout.outline.length === 0) return undefined
  const root: { children: OutlineNode[] } = { children: [] }
  const path: OutlineNode[] = []
  for (const entry of layout.outline) {
    while (path.length > 0 && path.at(-1)!.entry.level >= entry.level) path.pop()
    const node = { entry, ref: file.reserve(), children: [] }
    const siblings = path.at(-1)?.children ?? root.children
    siblings.push(node)
    path.push(node)
  }
  const ref = file.reserve()
  const count = writeOutlineLevel(file, root.children, ref, layout, refs)
  file.put(
    ref,
    `<</Type/Outlines/First ${root.children[0]!.ref} 0 R/Last ${root.children.at(-1)!.ref} 0 R/Count ${count}>>`,
  )
  return ref
}

/** Answers how many entries are visible with the level open. Nesting is bounded by the nine heading levels. */
function writeOutlineLevel(
  file: PdfFile,
  nodes: readonly OutlineNode[],
  parent: ObjectNumber,
  layout: Layout,
  refs: readonly ObjectNumber[],
): number {
  let visible = 0
  for (const [index, node] of nodes.entries()) {
    const { entry } = node
    const below = node.children.length > 0 ? writeOutlineLevel(file, node.children, node.ref, layout, refs) : 0
    visible += 1 + below
    const y = layout.pages[entry.page]!.height - entry.y
    let syntax = `<</Title${textString(truncateText(entry.title, 500))}/Parent ${parent} 0 R/Dest[${refs[entry.page]!} 0 R/XYZ 0 ${num(y)} null]`
    if (index > 0) syntax += `/Prev ${nodes[index - 1]!.ref} 0 R`
    if (index < nodes.length - 1) syntax += `/Next ${nodes[index + 1]!.ref} 0 R`
    if (node.children.length > 0) {
      syntax += `/First ${node.children[0]!.ref} 0 R/Last ${node.children.at(-1)!.ref} 0 R/Count ${below}`
    }
    file.put(node.ref, `${syntax}>>`)
  }
  return visible
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

/** Visits links and destinations where they stand on the page, also inside of turned groups. */
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
  file: PdfFile,
  frame: LinkFrame,
  height: number,
  page: ObjectNumber,
  refs: readonly ObjectNumber[],
  layout: Layout,
  destinations: ReadonlyMap<string, Destination>,
  tree: StructureTree,
  report: Report,
): ObjectNumber | undefined {
  const action = actionOf(frame, refs, layout, destinations, report)
  if (action === undefined) return undefined
  const ref = file.reserve()
  const parent = frame.node >= 0 ? `/StructParent ${tree.addAnnotation(frame.node, page, ref)}` : ''
  const bottom = height - frame.y - frame.height
  file.put(
    ref,
    `<</Type/Annot/Subtype/Link/Rect[${num(frame.x)} ${num(bottom)} ${num(frame.x + frame.width)} ${num(bottom + frame.height)}]/Border[0 0 0]/F 4${parent}` +
      `/Contents${textString(frame.text.trim() || 'Link')}${action}>>`,
  )
  return ref
}

function actionOf(
  frame: LinkFrame,
  refs: readonly ObjectNumber[],
  layout: Layout,
  destinations: ReadonlyMap<string, Destination>,
  report: Report,
): string | undefined {
  if (frame.link.kind === 'uri') {
    const { uri } = frame.link
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
  const target = destinations.get(frame.link.bookmark)
  if (!target) return undefined
  const y = layout.pages[target.page]!.height - target.y
  return `/Dest[${refs[target.page]!} 0 R/XYZ ${num(target.x)} ${num(y)} null]`
}

function encodeSafely(character: string): string {
  return character.isWellFormed() ? encodeURIComponent(character) : ''
}
