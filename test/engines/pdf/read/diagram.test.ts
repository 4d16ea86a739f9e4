import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { openPackage } from '../../../../src/engines/ooxml/package.ts'
import type { Graphic, GraphicContent } from '../../../../src/engines/pdf/model/shape.ts'
import { readDrawingPart } from '../../../../src/engines/pdf/read/drawing/part.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { namespaces, wordDocument } from '../word.ts'
import { element } from './elements.ts'

const dsp = 'xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram"'
const node = (text: string, type?: string) =>
  `<dgm:pt${type === undefined ? '' : ` type="${type}"`}><dgm:t><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
const list = (...nodes: string[]) => `<dgm:ptLst>${nodes.join('')}</dgm:ptLst>`
const drawnIn = (id: string) =>
  `<dgm:extLst><a:ext uri="x"><dsp:dataModelExt ${dsp} relId="${id}"/></a:ext></dgm:extLst>`

interface Parts {
  model?: string
  drawing?: string
  width?: number
  height?: number
  colors?: ReadonlyMap<string, string>
  fonts?: ReadonlyMap<string, string>
}
/** A diagram whose data part is `data` and whose stored drawing, if any, is `drawing`. */
function read(data: string, { model, drawing, width = 200, height = 100, colors, fonts }: Parts = {}) {
  const parts = { data: 'diagrams/data1.xml', drawing: 'diagrams/drawing1.xml' }
  const others = {
    ...(model === undefined ? {} : { [parts.data]: `<dgm:dataModel ${namespaces}>${model}</dgm:dataModel>` }),
    ...(drawing === undefined
      ? {}
      : {
          [parts.drawing]: `<dsp:drawing ${namespaces} ${dsp}><dsp:spTree><dsp:grpSpPr/>${drawing}</dsp:spTree></dsp:drawing>`,
        }),
  }
  const container = openPackage(wordDocument('', { others }), 'ignored')
  if (!container.ok) throw new Error('the document can’t be read')
  const report = new Report()
  const names: Readonly<Record<string, string>> = { data: `word/${parts.data}`, drawing: `word/${parts.drawing}` }
  const content = readDrawingPart(element(data), width, height, {
    ...{ container: container.value, part: 'word/document.xml', report, partOf: (id: string) => names[id] },
    theme: { fonts: new Map(fonts), colors: new Map(colors), fills: [], backgrounds: [], lines: [] },
  })
  return { content, told: report.findings.map(({ message }) => message) }
}
const diagram = (parts: Parts) => read('<dgm:relIds r:dm="data"/>', parts)
const boxesOf = (content: GraphicContent | undefined): readonly Graphic[] =>
  content?.kind === 'group' ? content.children : []

describe('A drawing of another part', () => {
  test('that is neither a chart nor a diagram, or can’t be read, becomes a labelled box', () => {
    for (const data of [
      '<a:strange/>',
      '<c:chart r:id="none"/>',
      '<c:chart/>',
      '<dgm:relIds r:dm="none"/>',
      '<dgm:relIds/>',
    ]) {
      const name = /<([\w:]+)/.exec(data)?.[1] ?? ''
      const { content, told } = read(data)
      expect(content).toEqual({ kind: 'placeholder', label: name })
      expect(told).toHaveLength(1)
      expect(told[0]).toContain('a labelled box replaces it')
    }
  })

  test('shows a diagram as its program has drawn it', () => {
    const shape =
      '<dsp:sp><dsp:spPr><a:xfrm><a:off x="12700" y="25400"/><a:ext cx="127000" cy="63500"/></a:xfrm><a:prstGeom prst="rect"/></dsp:spPr></dsp:sp>'
    const { content, told } = diagram({ model: list(node('a')) + drawnIn('drawing'), drawing: shape })
    expect(told).toEqual([])
    expect(boxesOf(content)).toMatchObject([{ x: 1, y: 2, width: 10, height: 5 }])
  })
})

describe('A diagram that no program has drawn', () => {
  test('is a row of boxes with its nodes’ texts, and says so', () => {
    const model = list(
      node('a'),
      node('b', 'node'),
      node('c', 'asst'),
      node('d', 'doc'),
      node('e', 'pres'),
      node(' '),
      '<dgm:pt/>',
    )
    const { content, told } = diagram({ model: model + drawnIn('none') })
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('a diagram without a stored drawing is shown as a row of boxes')
    expect(content).toMatchObject({ kind: 'group', x: 0, y: 0, width: 200, height: 100 })
    const boxes = boxesOf(content)
    expect(boxes.map(({ content: inside }) => JSON.stringify(inside).match(/"text":"(\w)"/)?.[1])).toEqual([
      'a',
      'b',
      'c',
    ])
    // Three boxes in a box twice as wide as high: two beside each other, each with its share less the gap.
    expect(boxes.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [3, 3, 94, 44],
      [103, 3, 94, 44],
      [3, 53, 94, 44],
    ])
    for (const box of boxes) expect(box).toMatchObject({ rotation: 0, flipH: false, flipV: false, alt: '' })
  })

  test('puts its texts in the middle, in white on the theme’s first accent, as large as its boxes allow', () => {
    const first = (parts: Parts) => boxesOf(diagram({ model: list(node('a')), ...parts }).content)[0]?.content
    expect(first({})).toMatchObject({
      ...{ kind: 'shape', form: { kind: 'geometry' }, fill: { kind: 'solid', color: '4F81BD', opacity: 1 } },
      text: {
        vertical: 'center',
        blocks: [{ props: { align: 'center' }, content: [{ props: { size: 14, color: 'FFFFFF' } }] }],
      },
    })
    expect(first({ colors: new Map([['accent1', '123456']]) })).toMatchObject({ fill: { color: '123456' } })
    const fonts = new Map([['minorHAnsi', 'Lato']])
    expect(JSON.stringify(first({ fonts }))).toContain('"fonts":{"ascii":"Lato","highAnsi":"Lato"}')
    const size = (height: number) => JSON.stringify(first({ height })).match(/"size":([\d.]+)/)?.[1]
    expect([size(36), size(12), size(300)]).toEqual(['10', '6', '14'])
  })

  test('has at most so many boxes, and none without room or text', () => {
    const many = list(...Array.from({ length: limits.renderDiagramNodes + 1 }, () => node('a')))
    expect(boxesOf(diagram({ model: many }).content)).toHaveLength(limits.renderDiagramNodes)
    for (const parts of [
      { model: list(node('a')), width: 0 },
      { model: list(node('a')), height: 0 },
      { model: list() },
      { model: '' },
    ])
      expect(diagram(parts).content).toEqual({ kind: 'placeholder', label: 'dgm:relIds' })
  })
})
