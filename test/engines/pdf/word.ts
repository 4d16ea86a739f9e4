import { zipSync } from 'fflate'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import type { Frame, Layout, Matrix, Page, TextFrame } from '../../../src/engines/pdf/frame/frame.ts'
import { apply, identity, multiply, placeOf } from '../../../src/engines/pdf/frame/matrix.ts'
import { layoutDocx, type Rendering, renderPdf } from '../../../src/engines/pdf/pdf.ts'

/** Makes small Word documents from their parts' XML, so that a test shows exactly what it is about. */

export const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing" ' +
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w10="urn:schemas-microsoft-com:office:word" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'

export interface WordParts {
  /** Further attributes of the document's root. */
  root?: string
  /** In place of Arial 10 pt in English. */
  defaults?: string
  styles?: string
  /** Leaves the styles part out. */
  withoutStyles?: boolean
  /** What is before the body. */
  background?: string
  numbering?: string
  settings?: string
  footnotes?: string
  headers?: Record<string, string>
  footers?: Record<string, string>
  media?: Record<string, Uint8Array>
  /** Further parts by their path below `word/`; `extraRelationships` says what refers to them. */
  others?: Record<string, string>
  /** Entries of the font table, and the files that they name as `rId` and the file's name. */
  fontTable?: { content: string; files: Record<string, Uint8Array> }
  /** Section properties at the body's end; a page of 300 by 400 points with margins of 50 when left out. */
  section?: string
  extraRelationships?: string
}

/** 300 × 400 pt with margins of 50 pt: 200 pt of text width, positions that are easy to check by hand. */
export const smallSection =
  '<w:pgSz w:w="6000" w:h="8000"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="400" w:footer="400" w:gutter="0"/>'

/** Arial 10 pt, no spacing: a line is 11.499 pt high and its baseline 9.380 pt below its top. */
const plainDefaults =
  '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="20"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'

export function wordDocument(body: string, parts: WordParts = {}): Uint8Array {
  const files: Record<string, Uint8Array> = {}
  const put = (name: string, content: string) => {
    files[name] = new TextEncoder().encode(content)
  }
  const relations: string[] = []
  const overrides: string[] = []
  const part = (name: string, kind: string, content: string, id = kind) => {
    put(`word/${name}`, content)
    relations.push(
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${name}"/>`,
    )
    overrides.push(
      `<Override PartName="/word/${name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml"/>`,
    )
  }
  if (!parts.withoutStyles)
    part(
      'styles.xml',
      'styles',
      `<w:styles ${namespaces}>${parts.defaults ?? plainDefaults}${parts.styles ?? ''}</w:styles>`,
    )
  if (parts.numbering) part('numbering.xml', 'numbering', `<w:numbering ${namespaces}>${parts.numbering}</w:numbering>`)
  const modern =
    '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>'
  part('settings.xml', 'settings', `<w:settings ${namespaces}>${parts.settings ?? modern}</w:settings>`)
  if (parts.footnotes) part('footnotes.xml', 'footnotes', `<w:footnotes ${namespaces}>${parts.footnotes}</w:footnotes>`)
  for (const [id, content] of Object.entries(parts.headers ?? {}))
    part(`${id}.xml`, 'header', `<w:hdr ${namespaces}>${content}</w:hdr>`, id)
  for (const [id, content] of Object.entries(parts.footers ?? {}))
    part(`${id}.xml`, 'footer', `<w:ftr ${namespaces}>${content}</w:ftr>`, id)
  for (const [name, bytes] of Object.entries(parts.media ?? {})) {
    files[`word/media/${name}`] = bytes
    relations.push(
      `<Relationship Id="${name.split('.')[0]}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/${name}"/>`,
    )
  }
  for (const [name, content] of Object.entries(parts.others ?? {})) put(`word/${name}`, content)
  if (parts.fontTable) {
    part('fontTable.xml', 'fontTable', `<w:fonts ${namespaces}>${parts.fontTable.content}</w:fonts>`)
    const links: string[] = []
    for (const [id, bytes] of Object.entries(parts.fontTable.files)) {
      files[`word/fonts/${id}.odttf`] = bytes
      links.push(
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fonts/${id}.odttf"/>`,
      )
    }
    put('word/_rels/fontTable.xml.rels', relationshipsXml(links.join('')))
  }
  put(
    'word/document.xml',
    `<w:document ${namespaces}${parts.root === undefined ? '' : ` ${parts.root}`}>${parts.background ?? ''}<w:body>${body}<w:sectPr>${parts.section ?? smallSection}</w:sectPr></w:body></w:document>`,
  )
  put('word/_rels/document.xml.rels', relationshipsXml(relations.join('') + (parts.extraRelationships ?? '')))
  put(
    '_rels/.rels',
    relationshipsXml(
      '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>',
    ),
  )
  put(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/><Default Extension="wmf" ContentType="image/x-wmf"/><Default Extension="jpeg" ContentType="image/jpeg"/>' +
      '<Default Extension="odttf" ContentType="application/vnd.openxmlformats-officedocument.obfuscatedFont"/>' +
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>' +
      `${overrides.join('')}</Types>`,
  )
  return zipSync(files, { mtime: new Date('2020-01-01T00:00:00Z') })
}

function relationshipsXml(entries: string): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries}</Relationships>`
}

/** A paragraph of one run. */
export function p(text: string, properties = '', run = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

export function picture(id: string, widthPt: number, heightPt: number, alt = 'A picture'): string {
  const graphic =
    `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill>` +
    '<pic:spPr/></pic:pic></a:graphicData></a:graphic>'
  return `<w:drawing><wp:inline><wp:extent cx="${widthPt * 12700}" cy="${heightPt * 12700}"/><wp:docPr id="1" name="x" descr="${alt}"/>${graphic}</wp:inline></w:drawing>`
}

/** A column for each name in a chart of 200 by 120 pt, all of its text in Arial 10 pt. */
export function columnChart(
  names: readonly string[],
  inside: { axis?: string; title?: string; valueAxis?: string; labels?: string; style?: string } = {},
): Uint8Array {
  const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
    `<c:${kind}Ref><c:${kind}Cache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
  const values = names.map((_, at) => at + 1)
  const series = `<c:ser><c:idx val="0"/>${inside.labels ?? ''}<c:cat>${cache('str', names)}</c:cat><c:val>${cache('num', values)}</c:val></c:ser>`
  const axis = (kind: string, id: number, position: string, more = '') =>
    `<c:${kind}><c:axId val="${id}"/><c:axPos val="${position}"/>${more}<c:majorTickMark val="none"/></c:${kind}>`
  const text =
    '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1000" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>'
  const plot = `<c:barChart><c:barDir val="col"/>${series}<c:axId val="1"/><c:axId val="2"/></c:barChart>${axis('catAx', 1, 'b', inside.axis)}${axis('valAx', 2, 'l', inside.valueAxis)}`
  return chartDocument(
    chartSpace(`${inside.style ?? ''}<c:chart>${inside.title ?? ''}<c:plotArea>${plot}</c:plotArea></c:chart>${text}`),
  )
}

/** The part of a chart with the given content. */
export const chartSpace = (content: string) => `<c:chartSpace ${namespaces}>${content}</c:chartSpace>`

/** A document of one chart, 200 by 120 pt, whose upper left is at 50, 50. */
export function chartDocument(chart: string, alt = ''): Uint8Array {
  const drawing = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2540000" cy="1524000"/><wp:docPr id="1" name="c" descr="${alt}"/><a:graphic><a:graphicData uri="x"><c:chart r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart'
  return wordDocument(drawing, {
    others: { 'charts/chart1.xml': chart },
    extraRelationships: `<Relationship Id="chart" Type="${relation}" Target="charts/chart1.xml"/>`,
  })
}

/** What is drawn of a chart with the given plot area, and with what is before that. */
export function renderChart(plot: string, before = ''): { paths: string[]; texts: string[] } {
  const docx = chartDocument(chartSpace(`<c:chart>${before}<c:plotArea>${plot}</c:plotArea></c:chart>`))
  const { frames } = layoutOf(docx).pages[0]!
  return { paths: dumpPaths(frames), texts: dumpTexts(frames) }
}

export function layoutOf(docx: Uint8Array, fonts = embeddedFonts()): Layout {
  const outcome = layoutDocx(docx, { fonts })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

export function renderingOf(docx: Uint8Array): Rendering {
  const outcome = renderPdf(docx, { fonts: embeddedFonts() })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

export function textFrames(page: Page): TextFrame[] {
  const found: TextFrame[] = []
  const visit = (frames: readonly Frame[]) => {
    for (const frame of frames) {
      if (frame.kind === 'text') found.push(frame)
      else if (frame.kind === 'clip' || frame.kind === 'group') visit(frame.frames)
    }
  }
  visit(page.frames)
  return found
}

/** The same where the text is in groups, turned or moved: in page coordinates. */
export function dumpTexts(frames: readonly Frame[], matrix: Matrix = identity): string[] {
  return frames.flatMap((frame): string[] => {
    if (frame.kind === 'clip') return dumpTexts(frame.frames, matrix)
    if (frame.kind === 'group') return dumpTexts(frame.frames, multiply(matrix, placeOf(frame)))
    if (frame.kind !== 'text') return []
    const [x, y] = apply(matrix, frame.x, frame.y)
    return [`${x.toFixed(1)},${y.toFixed(1)} ${frame.text.trimEnd()}`]
  })
}

/** `x,baseline text` of every text frame of a page, rounded to tenths of a point: what goldens hold. */
export function dump(page: Page): string[] {
  return textFrames(page).map((frame) => `${frame.x.toFixed(1)},${frame.y.toFixed(1)} ${frame.text.trimEnd()}`)
}

/** Outlines where they are on the page: steps and points in tenths, then fill and stroke. */
export function dumpPaths(frames: readonly Frame[], matrix: Matrix = identity): string[] {
  return frames.flatMap((frame): string[] => {
    if (frame.kind === 'clip') return dumpPaths(frame.frames, matrix)
    if (frame.kind === 'group') return dumpPaths(frame.frames, multiply(matrix, placeOf(frame)))
    if (frame.kind !== 'path') return []
    const { ops, points } = frame.outline
    let at = 0
    const tenth = (value: number) => `${Math.round(value * 10) / 10 || 0}`
    const steps = [...ops].map((op) => {
      const count = op === 'Z' ? 0 : op === 'C' ? 3 : 1
      const places = Array.from({ length: count }, () => {
        const [x, y] = apply(matrix, frame.x + points[at]!, frame.y + points[at + 1]!)
        at += 2
        return `${tenth(x)},${tenth(y)}`
      })
      return `${op}${places.join(' ')}`
    })
    const { fill, stroke } = frame
    const paint = fill === undefined ? '' : fill.kind === 'solid' ? ` fill ${fill.color}` : ` fill ${fill.kind}`
    const line = stroke ? ` stroke ${stroke.color} ${tenth(stroke.width)}` : ''
    return [`${steps.join(' ')}${paint}${line}`]
  })
}

/** Lines, boxes and pictures of a page as `kind x,y w×h`, in tenths of a point. */
export function dumpShapes(page: Page): string[] {
  return page.frames.flatMap((frame) => {
    if (frame.kind === 'box' || frame.kind === 'image' || frame.kind === 'link') {
      return [
        `${frame.kind} ${frame.x.toFixed(1)},${frame.y.toFixed(1)} ${frame.width.toFixed(1)}×${frame.height.toFixed(1)}`,
      ]
    }
    if (frame.kind !== 'line') return []
    return [`line ${frame.x1.toFixed(1)},${frame.y1.toFixed(1)} ${frame.x2.toFixed(1)},${frame.y2.toFixed(1)}`]
  })
}
