import { limits } from '../../../../core/limits.ts'
import type { OoxmlPackage } from '../../../ooxml/package.ts'
import { childElements, childNamed, textOf, type XmlElement } from '../../../ooxml/xml.ts'
import type { Chart } from '../../model/chart.ts'
import type { Graphic, GraphicContent } from '../../model/shape.ts'
import type { Report } from '../../report.ts'
import { readChart } from '../chart/chart.ts'
import type { Theme } from '../theme.ts'
import { knownGeometry } from './geometry.ts'
import { childOf, type DrawingSource, readGraphic } from './graphic.ts'
import { readBody, readParagraphs, themeFont } from './text.ts'

/** The place of a drawing that refers to another part. */
interface PartPlace {
  container: OoxmlPackage
  part: string
  theme: Theme
  report: Report
  partOf(id: string): string | undefined
}

/** Charts and diagrams, which have parts of their own; anything else becomes a labelled box. */
export function readDrawingPart(
  data: XmlElement,
  width: number,
  height: number,
  place: PartPlace,
): GraphicContent | undefined {
  if (data.name === 'c:chart') {
    const part = place.partOf(data.attributes['r:id'] ?? '')
    const chart = part === undefined ? undefined : readChartPart(part, place)
    if (chart) return { kind: 'chart', chart }
  }
  if (data.name === 'dgm:relIds') {
    const diagram = readDiagram(data, width, height, place)
    if (diagram) return diagram
  }
  place.report.unsupported(place.part, data.name, 'a labelled box replaces it')
  return { kind: 'placeholder', label: data.name }
}

function readChartPart(part: string, place: PartPlace): Chart | undefined {
  const document = place.container.readXml(part)
  return document.ok ? readChart(document.value, part, place) : undefined
}

/** A diagram as Word last drew it: the shapes of its drawing part, which the data part names in an extension. */
function readDiagram(data: XmlElement, width: number, height: number, place: PartPlace): GraphicContent | undefined {
  const model = place.partOf(data.attributes['r:dm'] ?? '')
  const root = model === undefined ? undefined : place.container.readXml(model)
  if (!root?.ok) return undefined
  const id = drawingId(root.value)
  const drawing = id === undefined ? undefined : place.partOf(id)
  const document = drawing === undefined ? undefined : place.container.readXml(drawing)
  const tree = document?.ok ? childOf(document.value, 'spTree') : undefined
  if (drawing === undefined || !tree) return listedNodes(root.value, width, height, place)
  const relations = place.container.relationships(drawing)
  const source: DrawingSource = {
    theme: place.theme,
    partOf: (relation) => {
      const found = relations.find((candidate) => candidate.id === relation)
      return found && !found.external ? found.target : undefined
    },
    readStory: () => [],
    readPart: () => undefined,
    unsupported: (element, shown) => place.report.unsupported(drawing, element, shown),
  }
  const holder = { x: 0, y: 0, width, height, rotation: 0, flipH: false, flipV: false, alt: '' }
  return readGraphic(tree, source, holder)?.content
}

const NODE_GAP = 6

/** A diagram that no program has drawn yet: the texts of its nodes, in boxes side by side. */
function listedNodes(root: XmlElement, width: number, height: number, place: PartPlace): GraphicContent | undefined {
  const list = childNamed(root, 'dgm:ptLst')
  const bodies = (list ? childElements(list, 'dgm:pt') : [])
    .filter((point) => (point.attributes.type ?? 'node') === 'node' || point.attributes.type === 'asst')
    .map((point) => childNamed(point, 'dgm:t'))
    .filter((body) => body !== undefined)
    .filter((body) => textOf(body).trim() !== '')
    .slice(0, limits.renderDiagramNodes)
  if (bodies.length === 0 || width <= 0 || height <= 0) return undefined
  place.report.unsupported(place.part, 'dgm:relIds', 'a diagram without a stored drawing is shown as a row of boxes')
  const columns = Math.min(bodies.length, Math.max(1, Math.round(Math.sqrt((bodies.length * width) / height / 2))))
  const rows = Math.ceil(bodies.length / columns)
  const [boxWidth, boxHeight] = [width / columns - NODE_GAP, height / rows - NODE_GAP]
  const color = place.theme.colors.get('accent1') ?? '4F81BD'
  const font = themeFont('+mn-lt', place.theme)
  const size = Math.max(6, Math.min(14, boxHeight / 3))
  const look = { size, color: 'FFFFFF', ...(font === undefined ? {} : { fonts: { ascii: font, highAnsi: font } }) }
  const geometry = knownGeometry('roundRect')
  const children = bodies.map((body, index): Graphic => {
    const blocks = readParagraphs(body, place.theme, look)
    for (const block of blocks) if (block.kind === 'paragraph') block.props = { ...block.props, align: 'center' }
    return {
      x: (index % columns) * (width / columns) + NODE_GAP / 2,
      y: Math.floor(index / columns) * (height / rows) + NODE_GAP / 2,
      width: boxWidth,
      height: boxHeight,
      rotation: 0,
      flipH: false,
      flipV: false,
      alt: '',
      content: {
        kind: 'shape',
        form: { kind: 'geometry', geometry, adjustments: new Map() },
        fill: { kind: 'solid', color, opacity: 1 },
        text: { blocks, ...readBody(undefined), vertical: 'center' },
      },
    }
  })
  return { kind: 'group', x: 0, y: 0, width, height, children }
}

function drawingId(root: XmlElement): string | undefined {
  const list = childNamed(root, 'dgm:extLst')
  for (const extension of list ? childElements(list) : []) {
    const id = childElements(extension)[0]?.attributes.relId
    if (id !== undefined) return id
  }
  return undefined
}
