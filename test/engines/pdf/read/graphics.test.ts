import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { readDrawing } from '../../../../src/engines/pdf/read/drawing/drawing.ts'
import {
  type DrawingSource,
  isRectangle,
  readCrop,
  readGraphic,
  rectangle,
} from '../../../../src/engines/pdf/read/drawing/graphic.ts'
import { readStyles } from '../../../../src/engines/pdf/read/styles.ts'
import { element } from './elements.ts'

const told: string[] = []
const source: DrawingSource = {
  theme: { fonts: new Map([['minorHAnsi', 'Small']]), colors: new Map(), fills: [], backgrounds: [], lines: [] },
  partOf: (id) => (id === 'r1' ? 'media/1.png' : undefined),
  readStory: () => [],
  readPart: ({ name }) => (name === 'x:none' ? undefined : { kind: 'placeholder', label: name }),
  unsupported: (name) => told.push(name),
}
const holder = { x: 1, y: 2, width: 30, height: 40, rotation: 0, flipH: false, flipV: false, alt: 'A' }
const graphic = (content: string) => readGraphic(element(content), source, holder)
const wsp = (content: string) => graphic(`<wps:wsp>${content}</wps:wsp>`)
const chart = '<a:graphic><a:graphicData><c:chart/></a:graphicData></a:graphic>'
const inline = (content: string) =>
  readDrawing(element(`<w:drawing><wp:inline>${content}</wp:inline></w:drawing>`), source)
const anchored = (attributes: string, content = '') =>
  readDrawing(
    element(
      `<w:drawing><wp:anchor ${attributes}><wp:extent cx="12700" cy="25400"/>${content}${chart}</wp:anchor></w:drawing>`,
    ),
    source,
  )
const xfrm = (attributes = '', x = 12_700) =>
  `<a:xfrm ${attributes}><a:off x="${x}" y="25400"/><a:ext cx="38100" cy="50800"/></a:xfrm>`
const solid = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`

describe('A drawing', () => {
  test('has its extent in English Metric Units, and its description or title', () => {
    const read = inline(`<wp:extent cx="127000" cy="254000"/><wp:docPr descr="D" title="T"/>${chart}`)
    expect(read).toEqual({
      graphic: {
        ...{ x: 0, y: 0, width: 10, height: 20, rotation: 0, flipH: false, flipV: false, alt: 'D' },
        content: { kind: 'placeholder', label: 'c:chart' },
      },
    })
    expect(inline(`<wp:extent cx="-1" cy="-1"/><wp:docPr descr="" title="T"/>${chart}`)?.graphic).toMatchObject({
      ...{ width: 0, height: 0, alt: 'T' },
    })
    expect(inline(chart)?.graphic).toMatchObject({ width: 0, height: 0, alt: '' })
  })

  test('is none if it is hidden or empty', () => {
    for (const none of [
      `<wp:docPr hidden="1"/>${chart}`,
      '<a:graphic/>',
      '<a:graphic><a:graphicData/></a:graphic>',
      '<a:graphic><a:graphicData><x:none xmlns:x="x"/></a:graphicData></a:graphic>',
    ])
      expect(inline(none)).toBeUndefined()
    expect(inline(`<wp:docPr hidden="0"/>${chart}`)).toBeDefined()
    expect(readDrawing(element('<w:drawing/>'), source)).toBeUndefined()
  })

  test('needs room for its effects, except for charts and upright pictures without any', () => {
    const room = (content: string, extent = 'l="12700" t="25400" r="38100" b="50800"') =>
      inline(`<wp:effectExtent ${extent}/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic>`)?.room
    const pic = (attributes: string, effects = '') =>
      `<pic:pic><pic:spPr>${xfrm(attributes)}${effects}</pic:spPr></pic:pic>`
    const all = { left: 1, top: 2, right: 3, bottom: 4 }
    expect(room('<wps:wsp/>')).toEqual(all)
    expect([room('<c:chart/>'), room(pic('')), room(pic('', '<a:effectLst/>'))]).toEqual(new Array(3).fill(undefined))
    expect(room(pic('rot="5400000"'))).toEqual(all)
    for (const effects of [
      '<a:effectLst><a:glow/></a:effectLst>',
      '<a:scene3d><a:x/></a:scene3d>',
      '<a:sp3d><a:x/></a:sp3d>',
    ])
      expect(room(pic('', effects))).toEqual(all)
    expect(room(pic('', '<a:ln><a:x/></a:ln>'))).toBeUndefined()
    expect([room('<wps:wsp/>', 'l="0"'), room('<wps:wsp/>', 'b="12700"')]).toEqual([
      ...[undefined, { left: 0, top: 0, right: 0, bottom: 1 }],
    ])
    expect(anchored('', '<wp:effectExtent l="12700"/>')).not.toHaveProperty('room')
  })

  test('may be as large as a share of something', () => {
    const share = (content: string) => anchored('', content)?.relative
    const width = (text: string) =>
      `<wp14:sizeRelH relativeFrom="margin"><wp14:pctWidth>${text}</wp14:pctWidth></wp14:sizeRelH>`
    const height = (text: string) => `<wp14:sizeRelV><wp14:pctHeight>${text}</wp14:pctHeight></wp14:sizeRelV>`
    expect(share(width('50000'))).toEqual({ width: { share: 0.5, from: 'margin' } })
    expect(share(height(' 25% '))).toEqual({ height: { share: 0.25, from: 'page' } })
    expect(share(width('100000') + height('1000000'))).toEqual({
      ...{ width: { share: 1, from: 'margin' }, height: { share: 10, from: 'page' } },
    })
    for (const none of ['0', '-1', '1000001', 'x', '']) expect(share(width(none))).toBeUndefined()
  })
})

describe('An anchor', () => {
  const axes = (content: string) => anchored('', content)?.anchor?.horizontal
  const position = (attributes: string, content: string) => `<wp:positionH ${attributes}>${content}</wp:positionH>`

  test('is of no wrapping at the column by default', () => {
    expect(anchored('')?.anchor).toEqual({
      ...{ behind: false, wrap: 'none', sides: 'both', margins: { left: 0, top: 0, right: 0, bottom: 0 } },
      ...{ horizontal: { from: 'column', offset: 0 }, vertical: { from: 'column', offset: 0 } },
    })
    expect(inline(chart)).not.toHaveProperty('anchor')
  })

  test('is behind the text, at its distances', () => {
    expect(['1', 'true', '0', 'false'].map((it) => anchored(`behindDoc="${it}"`)?.anchor?.behind)).toEqual([
      ...[true, true, false, false],
    ])
    expect(anchored('distL="12700" distT="25400" distR="38100" distB="-1"')?.anchor?.margins).toEqual({
      ...{ left: 1, top: 2, right: 3, bottom: 0 },
    })
  })

  test('has text around it by the kind of wrapping and its sides', () => {
    for (const kind of ['Square', 'Tight', 'Through'])
      expect(anchored('', `<wp:wrap${kind} wrapText="left"/>`)?.anchor).toMatchObject({ wrap: 'square', sides: 'left' })
    expect(anchored('', '<wp:wrapTopAndBottom/>')?.anchor?.wrap).toBe('topAndBottom')
    expect(anchored('', '<wp:wrapNone/>')?.anchor?.wrap).toBe('none')
    expect(anchored('', '<wp:wrapSquare wrapText="largest"/>')?.anchor).not.toHaveProperty('sides')
  })

  test('is at an offset, aligned, or at a share', () => {
    expect(axes(position('relativeFrom="page"', '<wp:posOffset> -25400 </wp:posOffset>'))).toEqual({
      ...{ from: 'page', offset: -2 },
    })
    expect(axes(position('relativeFrom="margin"', '<wp:align> center </wp:align>'))).toEqual({
      ...{ from: 'margin', offset: 0, align: 'center' },
    })
    const share = (text: string) => `<wp14:pctPosHOffset>${text}</wp14:pctPosHOffset>`
    expect(axes(position('', share('-50000')))).toEqual({ from: 'column', offset: 0, share: -0.5 })
    expect(axes(position('', share('1000000')))).toMatchObject({ share: 10 })
    expect(axes(position('', share('-1000001')))).not.toHaveProperty('share')
    expect(
      anchored('', '<wp:positionV relativeFrom="line"><wp:posOffset>12700</wp:posOffset></wp:positionV>')?.anchor
        ?.vertical,
    ).toEqual({
      ...{ from: 'line', offset: 1 },
    })
    const alternative = `<mc:AlternateContent><mc:Choice Requires="x"/><mc:Choice Requires="wp14">${position('relativeFrom="page"', share('20%'))}</mc:Choice></mc:AlternateContent>`
    expect(axes(alternative)).toEqual({ from: 'page', offset: 0, share: 0.2 })
  })
})

describe('A graphic', () => {
  test('has a box of its own, or that of what holds it', () => {
    const shape = (attributes: string) => wsp(`<wps:spPr>${xfrm(attributes)}</wps:spPr>`)
    expect(shape('rot="5400000" flipH="1" flipV="true"')).toMatchObject({
      ...{ x: 1, y: 2, width: 3, height: 4, rotation: 90, flipH: true, flipV: true, alt: 'A' },
    })
    expect([shape('rot="27000000"')?.rotation, shape('rot="-5400000"')?.rotation, shape('')?.flipH]).toEqual([
      ...[90, -90, false],
    ])
    expect(wsp('')).toMatchObject({ x: 1, y: 2, width: 30, height: 40, rotation: 0 })
    expect(wsp('<wps:spPr><a:xfrm><a:ext cx="-1"/></a:xfrm></wps:spPr>')).toMatchObject({
      ...{ x: 1, y: 2, width: 0, height: 40 },
    })
  })

  test('in a group is placed by the group’s own coordinates', () => {
    const group = graphic(
      `<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="12700" y="25400"/><a:ext cx="38100" cy="50800"/><a:chOff x="63500" y="76200"/><a:chExt cx="88900" cy="101600"/></a:xfrm></wpg:grpSpPr>` +
        '<wpg:cNvGrpSpPr/><wps:wsp/><mc:AlternateContent><mc:Choice Requires="wps"><wps:wsp/></mc:Choice></mc:AlternateContent><mc:AlternateContent/></wpg:wgp>',
    )
    expect(group).toMatchObject({
      ...{ x: 1, y: 2, width: 3, height: 4, alt: 'A' },
      content: { kind: 'group', x: 5, y: 6, width: 7, height: 8 },
    })
    expect(
      group?.content.kind === 'group' && group.content.children.map(({ x, width, alt }) => [x, width, alt]),
    ).toEqual([
      ...[
        [0, 0, ''],
        [0, 0, ''],
      ],
    ])
    expect(graphic('<wpg:wgp/>')).toMatchObject({
      ...{ x: 1, width: 30, content: { kind: 'group', x: 0, y: 0, width: 30, height: 40, children: [] } },
    })
  })

  test('of another kind is read as a part, also from inside a frame', () => {
    expect(graphic('<c:chart/>')).toMatchObject({ ...holder, content: { label: 'c:chart' } })
    expect(
      graphic(`<wpg:graphicFrame><wpg:xfrm><a:off x="25400" y="0"/></wpg:xfrm>${chart}</wpg:graphicFrame>`),
    ).toMatchObject({
      ...{ x: 2, y: 0, width: 30, content: { label: 'c:chart' } },
    })
    expect(graphic('<x:none xmlns:x="x"/>')).toBeUndefined()
  })

  test('has no more shapes and no deeper groups than the limits, and says so once', () => {
    const depth = (count: number) => `${'<wpg:wgp>'.repeat(count)}<wps:wsp/>${'</wpg:wgp>'.repeat(count)}`
    told.length = 0
    graphic(depth(limits.renderDrawingDepth))
    expect(told).toEqual([])
    graphic(depth(limits.renderDrawingDepth + 1))
    expect(told).toEqual(['wps:wsp'])
    const many = graphic(`<wpg:wgp>${'<wps:wsp/>'.repeat(limits.renderDrawingShapes + 2)}</wpg:wgp>`)
    expect(many?.content.kind === 'group' && many.content.children.length).toBe(limits.renderDrawingShapes - 1)
    expect(told).toEqual(['wps:wsp', 'wps:wsp'])
  })

  test('has a form, a fill and a line of its own or none', () => {
    const content = (properties: string, style = '') => wsp(`<wps:spPr>${properties}</wps:spPr>${style}`)?.content
    expect(content('')).toEqual({ kind: 'shape', form: rectangle })
    expect(content(`${solid('FF0000')}<a:ln>${solid('0000FF')}</a:ln>`)).toMatchObject({
      ...{ fill: { color: 'FF0000' }, line: { color: '0000FF', width: 0.75 } },
    })
    const style =
      '<wps:style><a:lnRef idx="1"><a:srgbClr val="0000FF"/></a:lnRef><a:fillRef idx="1"><a:srgbClr val="FF0000"/></a:fillRef></wps:style>'
    expect(content('', style)).toMatchObject({ fill: { color: 'FF0000' }, line: { color: '0000FF' } })
    expect(content('<a:noFill/><a:ln><a:noFill/></a:ln>', style)).toEqual({ kind: 'shape', form: rectangle })
    const form = (properties: string) => {
      const found = content(properties)
      return found?.kind === 'shape' && isRectangle(found.form)
    }
    told.length = 0
    expect([form('<a:prstGeom prst="rect"/>'), form('<a:prstGeom prst="ellipse"/>'), form('<a:custGeom/>')]).toEqual([
      ...[true, false, false],
    ])
    expect([form('<a:prstGeom prst="nothing"/>'), told.join()]).toEqual([true, 'a:prstGeom'])
    expect(
      content('<a:prstGeom prst="roundRect"><a:avLst><a:gd name="adj" fmla="val 7"/></a:avLst></a:prstGeom>'),
    ).toMatchObject({
      form: { adjustments: new Map([['adj', 7]]) },
    })
    told.length = 0
    content('<a:effectLst/>')
    content('<a:effectLst><a:glow/></a:effectLst>')
    expect(told).toEqual(['a:effectLst'])
  })

  test('has its text as a story, or as paragraphs in the theme’s font', () => {
    const text = (content: string) => {
      const found = wsp(content)?.content
      return found?.kind === 'shape' ? found.text : undefined
    }
    expect(text('<wps:txbx><w:txbxContent/></wps:txbx><wps:bodyPr lIns="0"><a:spAutoFit/></wps:bodyPr>')).toMatchObject(
      {
        ...{ blocks: [], insets: { left: 0, top: 3.6 }, autoHeight: true },
      },
    )
    const body = '<a:bodyPr><a:spAutoFit/></a:bodyPr><a:p><a:r><a:t>x</a:t></a:r></a:p>'
    const run = { kind: 'text', text: 'x', props: { size: 18, fonts: { ascii: 'Small', highAnsi: 'Small' } } }
    expect(text(`<wps:txBody>${body}</wps:txBody>`)).toMatchObject({
      ...{ autoHeight: false, spills: true, blocks: [{ content: [run] }] },
    })
    expect(text(`<a:txSp><a:txBody>${body}</a:txBody></a:txSp>`)).toMatchObject({ blocks: [{ content: [run] }] })
    expect([text('<wps:txBody><a:p/></wps:txBody>'), text('')]).toEqual([undefined, undefined])
    const style = '<wps:style><a:fontRef idx="minor"><a:srgbClr val="FF0000"/></a:fontRef></wps:style>'
    expect(text(`<wps:txbx><w:txbxContent/></wps:txbx>${style}`)).toMatchObject({ color: 'FF0000' })
    expect(text('<wps:txbx><w:txbxContent/></wps:txbx>')).not.toHaveProperty('color')
  })

  test('of a diagram has its text in a box apart, turned as the shape and by itself', () => {
    const shape = (attributes: string, place: string) =>
      wsp(
        `<wps:spPr>${xfrm(attributes)}</wps:spPr><wps:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></wps:txBody><wps:txXfrm ${place}><a:off x="63500" y="0"/></wps:txXfrm>`,
      )
    const group = shape('rot="5400000"', 'rot="1800000"')
    expect(group).toMatchObject({ x: 1, y: 2, width: 3, height: 4, rotation: 0, alt: 'A' })
    expect(group?.content).toMatchObject({
      ...{ kind: 'group', x: 1, y: 2, width: 3, height: 4 },
      children: [
        { x: 1, rotation: 90, alt: '', content: { kind: 'shape' } },
        { x: 5, y: 0, width: 3, rotation: 120, flipV: false, content: { form: rectangle, text: {} } },
      ],
    })
    const flipped = shape('rot="5400000" flipV="1"', 'rot="10800000"')?.content
    expect(flipped?.kind === 'group' && flipped.children[1]?.rotation).toBe(90)
    expect(wsp('<wps:txXfrm/>')?.content.kind).toBe('shape')
  })

  test('stretches lettering without a fill or a line to its box', () => {
    const lettering = (warp: string, runs: string, properties = '') =>
      wsp(
        `<wps:spPr>${properties}</wps:spPr><wps:bodyPr><a:prstTxWarp prst="${warp}"/></wps:bodyPr><wps:txBody><a:p>${runs}</a:p><a:p><a:r><a:t>b</a:t></a:r></a:p></wps:txBody>`,
      )?.content
    const run = `<a:r><a:rPr b="1" i="1">${solid('FF0000')}</a:rPr><a:t>a</a:t></a:r>`
    expect(lettering('textPlain', run)).toEqual({
      ...{ kind: 'word-art', text: 'a\nb', font: 'Small', bold: true, italic: true },
      fill: { kind: 'solid', color: 'FF0000', opacity: 1 },
    })
    expect(lettering('textPlain', '<a:r><a:t>a</a:t></a:r>')).toMatchObject({
      ...{ bold: false, italic: false, fill: { color: '000000' } },
    })
    for (const warp of ['textArchUp', 'textCircle', 'textButton', 'textNoShape', ''])
      expect(lettering(warp, run)?.kind).toBe('shape')
    expect(lettering('textPlain', run, solid('FF0000'))?.kind).toBe('shape')
  })

  test('may be a picture, cropped and with a form, a fill and a line', () => {
    const picture = (properties: string, crop = '') =>
      graphic(
        `<pic:pic><pic:blipFill><a:blip r:embed="r1"/><a:srcRect ${crop}/></pic:blipFill><pic:spPr>${properties}</pic:spPr></pic:pic>`,
      )?.content
    expect(picture('')).toEqual({
      ...{ kind: 'picture', part: 'media/1.png', crop: { left: 0, top: 0, right: 0, bottom: 0 } },
    })
    expect(picture(`<a:prstGeom prst="rect"/>${solid('FF0000')}<a:ln>${solid('0000FF')}</a:ln>`)).toMatchObject({
      ...{ form: rectangle, fill: { color: 'FF0000' }, line: { color: '0000FF' } },
    })
    expect(Object.keys(picture('<a:noFill/><a:ln><a:noFill/></a:ln>') ?? {})).toEqual(['kind', 'part', 'crop'])
    const crop = (attributes: string) => readCrop(element(`<a:srcRect ${attributes}/>`))
    expect(crop('l="10000" t="20%" r="-50000" b="x"')).toEqual({ left: 0.1, top: 0.2, right: -0.5, bottom: 0 })
    expect(crop('l="100000" t="-200000" r="x%"')).toEqual({ left: 0.99, top: -1, right: 0, bottom: 0 })
    expect(readCrop(undefined)).toEqual({ left: 0, top: 0, right: 0, bottom: 0 })
  })
})

describe('Styles', () => {
  const styles = (content: string) => readStyles(element(`<w:styles>${content}</w:styles>`), source.theme)
  const style = (attributes: string, content = '') => `<w:style ${attributes}>${content}</w:style>`
  const framed = (attributes: string) => `<w:pPr><w:framePr ${attributes}/></w:pPr>`

  test('are known by their identifier, or by a name that no other has', () => {
    const { byId } = styles(
      style('w:styleId="A"', '<w:name w:val="a name"/><w:basedOn w:val="B"/>') +
        style('', '<w:name w:val="B"/>') +
        style('w:type="table"', '<w:name w:val="B"/>') +
        style('w:styleId="X" w:type="x"') +
        style('w:styleId="C" w:type="character"'),
    )
    expect([...byId.values()].map(({ id, name, type, basedOn }) => [id, name, type, basedOn])).toEqual([
      ['A', 'a name', 'paragraph', 'B'],
      ['B', 'B', 'paragraph', undefined],
      ['C', 'C', 'character', undefined],
    ])
  })

  test('have a default of each kind, the first that says so', () => {
    const read = styles(
      style('w:styleId="P0" w:default="0"') +
        ['paragraph', 'character', 'table', 'numbering']
          .flatMap((type) => ['1', '2'].map((at) => style(`w:styleId="${type}${at}" w:type="${type}" w:default="1"`)))
          .join(''),
    )
    expect([read.defaultParagraph, read.defaultCharacter, read.defaultTable]).toEqual([
      ...['paragraph1', 'character1', 'table1'],
    ])
    expect([read.byId.get('P0')?.isDefault, read.byId.get('paragraph2')?.isDefault]).toEqual([false, true])
    const none = styles(style('w:styleId="A"'))
    expect([none.defaultParagraph, none.byId.get('A')?.isDefault]).toEqual([undefined, false])
  })

  test('have formats, conditions and document defaults', () => {
    const read = styles(
      '<w:docDefaults><w:rPrDefault><w:rPr><w:b/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:keepNext/></w:pPr></w:pPrDefault></w:docDefaults>' +
        style(
          'w:styleId="T" w:type="table"',
          '<w:rPr><w:i/></w:rPr><w:tblPr><w:bidiVisual/></w:tblPr><w:tcPr><w:noWrap/></w:tcPr><w:trPr><w:tblHeader/></w:trPr>' +
            '<w:tblStylePr w:type="firstRow"><w:pPr><w:keepLines/></w:pPr></w:tblStylePr>',
        ),
    )
    expect([read.docRun, read.docParagraph]).toEqual([{ bold: true }, { keepNext: true }])
    expect(read.byId.get('T')).toMatchObject({
      ...{ run: { italic: true }, table: { bidi: true }, cell: { noWrap: true }, row: { header: true }, paragraph: {} },
    })
    expect(read.byId.get('T')?.conditions.get('firstRow')).toMatchObject({ paragraph: { keepLines: true }, run: {} })
    expect(readStyles(undefined, source.theme)).toMatchObject({ docRun: {}, docParagraph: {} })
  })

  test('of paragraphs inherit the frame of the style they are based on, except for their own attributes', () => {
    const { frames } = styles(
      style('w:styleId="A"', `<w:basedOn w:val="B"/>${framed('w:w="1" w:x="2"')}`) +
        style('w:styleId="B"', `<w:basedOn w:val="A"/>${framed('w:w="3" w:y="4"')}`) +
        style('w:styleId="C"', '<w:basedOn w:val="B"/>') +
        style('w:styleId="D"') +
        style('w:styleId="E" w:type="table"', framed('w:w="9"')),
    )
    expect(Object.fromEntries(frames)).toEqual({
      A: { 'w:w': '1', 'w:x': '2', 'w:y': '4' },
      B: { 'w:w': '3', 'w:y': '4', 'w:x': '2' },
      C: { 'w:w': '3', 'w:y': '4', 'w:x': '2' },
    })
  })
})
