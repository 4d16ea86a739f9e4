import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { readChart } from '../chart/read.ts'
import type { Report } from '../report.ts'
import type { GraphicContent } from '../shape/model.ts'
import { childOf, type DrawingSource, readGraphic } from '../shape/read.ts'
import type { Theme } from './theme.ts'

/** Where a drawing that refers to another part stands. */
interface PartPlace {
  container: OoxmlPackage
  part: string
  theme: Theme
  report: Report
  partOf(id: string): string | undefined
}

/** Charts and diagrams, which stand in parts of their own; anything else becomes a labelled box. */
export function readDrawingPart(
  data: XmlElement,
  width: number,
  height: number,
  place: PartPlace,
): GraphicContent | undefined {
  if (data.name === 'c:chart') {
    const part = place.partOf(data.attributes['r:id'] ?? '')
    const document = part === undefined ? undefined : place.container.readXml(part)
    const chart = document?.ok ? readChart(document.value, part!, place) : undefined
    if (chart) return { kind: 'chart', chart }
  }
  if (data.name === 'dgm:relIds') {
    const diagram = readDiagram(data, width, height, place)
    if (diagram) return diagram
  }
  place.report.unsupported(place.part, data.name, 'a labelled box stands in its place')
  return { kind: 'placeholder', label: data.name }
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
  if (!tree) return undefined
  const relations = place.container.relationships(drawing!)
  const source: DrawingSource = {
    theme: place.theme,
    partOf: (relation) => {
      const found = relations.find((candidate) => candidate.id === relation)
      return found && !found.external ? found.target : undefined
    },
    readStory: () => [],
    readPart: () => undefined,
    unsupported: (element, shown) => place.report.unsupported(drawing!, element, shown),
  }
  const box = { x: 0, y: 0, width, height, rotation: 0, flipH: false, flipV: false }
  return readGraphic(tree, source, box, '')?.content
}

function drawingId(root: XmlElement): string | undefined {
  const list = childNamed(root, 'dgm:extLst')
  for (const extension of list ? childElements(list) : []) {
    const id = childElements(extension)[0]?.attributes.relId
    if (id !== undefined) return id
  }
  return undefined
}
