import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import type { Frame } from '../../../src/engines/pdf/frame/frame.ts'
import { evaluateGeometry } from '../../../src/engines/pdf/layout/drawing/geometry.ts'
import { evaluateGuides } from '../../../src/engines/pdf/layout/drawing/guides.ts'
import { presetGeometry } from '../../../src/engines/pdf/read/drawing/geometry.ts'
import { presetShapes } from '../../../src/engines/pdf/read/drawing/presets.ts'
import { dumpPaths, dumpTexts, layoutOf, p, picture, renderingOf, wordDocument } from './word.ts'

/** A shape of 100 × 40 pt in line with the text, whose box therefore begins at 50, 50. */
function shape(properties: string, inside = '', options: { alt?: string; transform?: string } = {}): string {
  const alt = options.alt === undefined ? '' : ` descr="${options.alt}"`
  return (
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:docPr id="1" name="s"${alt}/><a:graphic><a:graphicData uri="x">` +
    `<wps:wsp><wps:spPr><a:xfrm${options.transform ?? ''}/>${properties}</wps:spPr>${inside}</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  )
}

const preset = (name: string, adjustments = '') =>
  `<a:prstGeom prst="${name}"><a:avLst>${adjustments}</a:avLst></a:prstGeom>`
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const blueLine = '<a:ln w="12700"><a:solidFill><a:srgbClr val="0000FF"/></a:solidFill></a:ln>'
const framesOf = (body: string) => layoutOf(wordDocument(body)).pages[0]!.frames
const pathsOf = (body: string) => dumpPaths(framesOf(body))

describe('geometries', () => {
  const names = presetShapes
    .trim()
    .split('\n')
    .map((line) => line.split('|')[0]!)

  test('every preset of the standard exists and has an outline of finite numbers, however flat the shape is', () => {
    expect(names.length).toBe(187)
    expect(new Set(names).size).toBe(187)
    for (const name of names) {
      for (const [width, height] of [
        [100, 60],
        [60, 100],
        [100, 0],
        [0, 0],
      ] as const) {
        const { paths } = evaluateGeometry(presetGeometry(name)!, width, height, new Map())
        expect(paths.length).toBeGreaterThan(0)
        for (const { outline } of paths) {
          expect(outline.points.every((value) => Number.isFinite(value))).toBe(true)
          const needed = [...outline.ops].reduce((sum, op) => sum + (op === 'C' ? 6 : op === 'Z' ? 0 : 2), 0)
          expect(outline.points.length).toBe(needed)
        }
      }
    }
  })

  test('presets stay near their box, except callouts and similar shapes', () => {
    const far =
      /callout|^(star|irregular|sun|cloud|heart|circularArrow|leftRightCircularArrow|swooshArrow|gear|chord|pie|arc|blockArc)/i
    for (const name of names.filter((entry) => !far.test(entry))) {
      const { paths } = evaluateGeometry(presetGeometry(name)!, 120, 90, new Map())
      for (const { outline } of paths) {
        for (let at = 0; at < outline.points.length; at += 2) {
          expect(outline.points[at]!).toBeWithin(-45, 165)
          expect(outline.points[at + 1]!).toBeWithin(-45, 135)
        }
      }
    }
  })

  test('an arrow follows its adjustments', () => {
    expect(pathsOf(shape(preset('rightArrow') + red))).toEqual([
      'M50,60 L130,60 L130,50 L150,70 L130,90 L130,80 L50,80 Z fill FF0000',
    ])
    const wide = '<a:gd name="adj1" fmla="val 100000"/><a:gd name="adj2" fmla="val 100000"/>'
    expect(pathsOf(shape(preset('rightArrow', wide) + red))).toEqual([
      'M50,50 L110,50 L110,50 L150,70 L110,90 L110,90 L50,90 Z fill FF0000',
    ])
  })

  test('round corners are curves, and an unknown preset is a rectangle and is reported', () => {
    expect(pathsOf(shape(preset('roundRect') + red))[0]).toStartWith('M50,56.7 C50,53 53,50 56.7,50 L143.3,50 C')
    const report = renderingOf(wordDocument(shape(preset('noSuchShape') + red))).report
    expect(report.some((finding) => finding.message.includes('a:prstGeom'))).toBe(true)
    expect(pathsOf(shape(preset('noSuchShape') + red))).toEqual(['M50,50 L150,50 L150,90 L50,90 Z fill FF0000'])
  })

  test('a custom geometry uses its own guides and its own grid', () => {
    const custom =
      '<a:custGeom><a:avLst/><a:gdLst><a:gd name="half" fmla="*/ w 1 2"/></a:gdLst><a:rect l="0" t="0" r="r" b="b"/>' +
      '<a:pathLst><a:path w="200" h="100"><a:moveTo><a:pt x="0" y="0"/></a:moveTo><a:lnTo><a:pt x="200" y="50"/></a:lnTo><a:close/></a:path>' +
      '<a:path fill="none"><a:moveTo><a:pt x="half" y="t"/></a:moveTo><a:lnTo><a:pt x="half" y="b"/></a:lnTo></a:path></a:pathLst></a:custGeom>'
    expect(pathsOf(shape(custom + red + blueLine))).toEqual([
      'M50,50 L150,70 Z stroke 0000FF 1',
      'M100,50 L100,90 stroke 0000FF 1',
    ])
  })
})

describe('formulas', () => {
  const value = (formula: string) =>
    evaluateGuides(100, 50, [{ name: 'x', formula: formula.split(' ') }], new Map()).get('x')!

  test('give the values that the standard states', () => {
    expect(value('*/ w 1 4')).toBe(25)
    expect(value('+- r 10 b')).toBe(60)
    expect(value('pin 10 5 20')).toBe(10)
    expect(value('?: 0 1 2')).toBe(2)
    expect(value('mod 3 4 0')).toBe(5)
    expect(value('at2 1 1')).toBeCloseTo(2_700_000)
    expect(value('sin 10 5400000')).toBeCloseTo(10)
    expect(value('cat2 10 0 1')).toBeCloseTo(0)
  })

  test('formulas that cannot be computed are 0: division by zero, negative roots, unknown words, self-references', () => {
    for (const formula of [
      '*/ 1 1 0',
      'sqrt -1',
      'nonsense 1 2',
      'val',
      '+- x x 0',
      '+- later 0 0',
      '*/ 1e308 1e308 1',
    ])
      expect(value(formula)).toBe(0)
  })

  test('an adjustment replaces the geometry’s own value', () => {
    expect(evaluateGuides(1, 1, [{ name: 'adj', formula: ['val', '5'] }], new Map([['adj', 7]])).get('adj')).toBe(7)
  })
})

describe('looks', () => {
  test('turns and flips are around the centre of the shape', () => {
    const arrow = (transform: string) => pathsOf(shape(preset('rightArrow') + red, '', { transform }))[0]
    expect(arrow(' flipH="1"')).toBe('M150,60 L70,60 L70,50 L50,70 L70,90 L70,80 L150,80 Z fill FF0000')
    expect(arrow(' rot="5400000"')).toBe('M110,20 L110,100 L120,100 L100,120 L80,100 L90,100 L90,20 Z fill FF0000')
  })

  test('members of a group are placed and scaled by the group’s coordinates', () => {
    const child = (x: number) =>
      `<wps:wsp><wps:spPr><a:xfrm><a:off x="${x}" y="0"/><a:ext cx="50" cy="100"/></a:xfrm>${preset('rect')}${red}</wps:spPr></wps:wsp>`
    const group =
      '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:docPr id="1" name="g"/><a:graphic><a:graphicData uri="x"><wpg:wgp><wpg:grpSpPr>' +
      '<a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="508000"/><a:chOff x="100" y="0"/><a:chExt cx="200" cy="100"/></a:xfrm></wpg:grpSpPr>' +
      `${child(100)}${child(250)}</wpg:wgp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    expect(pathsOf(group)).toEqual([
      'M50,50 L75,50 L75,90 L50,90 Z fill FF0000',
      'M125,50 L150,50 L150,90 L125,90 Z fill FF0000',
    ])
  })

  test('gradients, opacity and dashes are kept in the file', () => {
    const gradient =
      '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FF0000"/></a:gs><a:gs pos="100000"><a:srgbClr val="0000FF"/></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>'
    const [frame] = framesOf(shape(preset('rect') + gradient))
    expect(frame).toMatchObject({
      kind: 'path',
      fill: {
        kind: 'linear',
        x1: 50,
        y1: 0,
        x2: 50,
        y2: 40,
        stops: [
          { at: 0, color: 'FF0000' },
          { at: 1, color: '0000FF' },
        ],
      },
    })
    const clear = '<a:solidFill><a:srgbClr val="00FF00"><a:alpha val="40000"/></a:srgbClr></a:solidFill>'
    expect(framesOf(shape(preset('rect') + clear))[0]).toMatchObject({ fill: { color: '00FF00', opacity: 0.4 } })
    const dashed = '<a:ln w="25400"><a:solidFill><a:srgbClr val="000000"/></a:solidFill><a:prstDash val="dash"/></a:ln>'
    expect(framesOf(shape(preset('rect') + dashed))[0]).toMatchObject({ stroke: { width: 2, dash: [8, 6] } })
  })

  test('a theme style gives fill and line to a shape that states none, but not to one that refuses them', () => {
    const style =
      '<wps:style><a:lnRef idx="1"><a:srgbClr val="112233"/></a:lnRef><a:fillRef idx="1"><a:srgbClr val="445566"/></a:fillRef><a:fontRef idx="minor"/></wps:style>'
    expect(pathsOf(shape(preset('rect'), style))[0]).toEndWith('fill 445566 stroke 112233 0.8')
    expect(pathsOf(shape(`${preset('rect')}<a:noFill/><a:ln><a:noFill/></a:ln>`, style))).toEqual([])
  })

  test('colours are modulated, tinted and shaded as stated', () => {
    const filled = (color: string) =>
      pathsOf(shape(`${preset('rect')}<a:solidFill>${color}</a:solidFill>`))[0]!.slice(-6)
    expect(filled('<a:srgbClr val="4F81BD"><a:lumMod val="75000"/></a:srgbClr>')).toBe('376092')
    expect(filled('<a:srgbClr val="000000"><a:lumMod val="65000"/><a:lumOff val="35000"/></a:srgbClr>')).toBe('595959')
    expect(filled('<a:prstClr val="red"/>')).toBe('FF0000')
    expect(filled('<a:sysClr val="windowText" lastClr="010203"/>')).toBe('010203')
  })

  test('an arrow head is at the end of its line, and the line stops inside it', () => {
    const line =
      '<a:ln w="25400"><a:solidFill><a:srgbClr val="000000"/></a:solidFill><a:tailEnd type="triangle"/></a:ln>'
    const [drawn, head] = pathsOf(shape(preset('straightConnector1') + line))
    expect(head).toEndWith('Z fill 000000')
    expect(head).toStartWith('M150,90 ')
    expect(drawn).toBe('M50,50 L145,88 stroke 000000 2')
  })
})

describe('the room for effects on the line', () => {
  const extent = (l: number, t: number, r: number, b: number) =>
    `<wp:effectExtent l="${l * 12700}" t="${t * 12700}" r="${r * 12700}" b="${b * 12700}"/>`
  const stated = (body: string, ...room: [number, number, number, number]) =>
    body.replace('<wp:docPr', `${extent(...room)}<wp:docPr`)

  test('keeps the text around a shape as far away as it states', () => {
    const body = shape(preset('rect') + red) + p('below')
    expect(pathsOf(body)).toEqual(['M50,50 L150,50 L150,90 L50,90 Z fill FF0000'])
    expect(pathsOf(stated(body, 4, 6, 8, 10))).toEqual(['M54,56 L154,56 L154,96 L54,96 Z fill FF0000'])
    const below = (text: string) => dumpTexts(framesOf(text)).map((line) => Number(line.split(/[, ]/)[1]))[0]!
    expect(below(stated(body, 4, 6, 8, 10)) - below(body)).toBeCloseTo(16)
  })

  test('is zero for charts, whatever they state', () => {
    const chart =
      '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:docPr id="1" name="c"/><a:graphic><a:graphicData uri="x"><c:chart/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    expect(pathsOf(chart)).toHaveLength(1)
    expect(pathsOf(stated(chart, 4, 6, 8, 10))).toEqual(pathsOf(chart))
  })

  test('is stated for a quarter-turned shape as it lies after the turn, from Word 2010 on', () => {
    const turned = stated(shape(preset('rect') + red, '', { transform: ' rot="5400000"' }), 0, 0, 0, 0.1)
    expect(pathsOf(turned)).toEqual(['M90,50 L90,150 L50,150 L50,50 Z fill FF0000'])
    const old = stated(shape(preset('rect') + red, '', { transform: ' rot="5400000"' }), -30, 30, -30, 30)
    const settings =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="12"/></w:compat>'
    const { frames } = layoutOf(wordDocument(old, { settings })).pages[0]!
    expect(dumpPaths(frames)).toEqual(['M90,50 L90,150 L50,150 L50,50 Z fill FF0000'])
  })

  test('is zero for an upright picture without effects, whatever it states', () => {
    const top = (properties: string) => {
      const run = picture('image1', 100, 50).replace('<pic:spPr/>', `<pic:spPr>${properties}</pic:spPr>`)
      const [frame] = framesOf(stated(`<w:p><w:r>${run}</w:r></w:p>`, 0, 6, 0, 0))
      return frame && 'y' in frame ? frame.y : undefined
    }
    expect(top('')).toBe(50)
    expect(top('<a:effectLst><a:outerShdw/></a:effectLst>')).toBe(56)
  })
})

describe('text in shapes', () => {
  const story = '<wps:txbx><w:txbxContent><w:p><w:r><w:t>Inside</w:t></w:r></w:p></w:txbxContent></wps:txbx>'

  test('is within the insets, and follows its anchor', () => {
    const at = (body: string) => dumpTexts(framesOf(shape(preset('rect') + red, `${story}<wps:bodyPr ${body}/>`)))
    expect(at('')).toEqual(['57.2,63.0 Inside'])
    expect(at('lIns="0" tIns="0"')).toEqual(['50.0,59.4 Inside'])
    expect(at('tIns="0" bIns="0" anchor="b"')).toEqual(['57.2,87.9 Inside'])
    expect(at('tIns="0" bIns="0" anchor="ctr"')).toEqual(['57.2,73.7 Inside'])
  })

  test('that starts below its shape is not on the page', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `<w:p><w:r><w:t>l${index}</w:t></w:r></w:p>`).join('')
    const long = `<wps:txbx><w:txbxContent>${lines}</w:txbxContent></wps:txbx>`
    const texts = dumpTexts(framesOf(shape(preset('rect') + red, `${long}<wps:bodyPr/>`)))
    expect(texts.map((text) => text.split(' ')[1])).toEqual(['l0', 'l1', 'l2', 'l3'])
    const growing = dumpTexts(framesOf(shape(preset('rect') + red, `${long}<wps:bodyPr><a:spAutoFit/></wps:bodyPr>`)))
    expect(growing).toHaveLength(9)
  })

  test('that does not fit starts at the top of its part of the shape, whatever its anchor', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `<w:p><w:r><w:t>l${index}</w:t></w:r></w:p>`).join('')
    const long = `<wps:txbx><w:txbxContent>${lines}</w:txbxContent></wps:txbx><wps:bodyPr tIns="0" bIns="0" anchor="ctr"/>`
    const texts = dumpTexts(framesOf(shape(preset('roundRect') + red, long)))
    expect(texts.map((text) => text.split(' ')[1])).toEqual(['l0', 'l1', 'l2', 'l3'])
  })

  test('keeps to the part of the shape that is meant for text', () => {
    const [text] = dumpTexts(framesOf(shape(preset('ellipse') + red, `${story}<wps:bodyPr lIns="0" tIns="0"/>`)))
    expect(text).toBe('64.6,65.3 Inside')
  })

  test('in a locked canvas is a shape of its own inside the shape, and is read there', () => {
    const body =
      '<a:txBody><a:bodyPr lIns="0" tIns="0"/><a:p><a:r><a:rPr sz="1000"/><a:t>inside</a:t></a:r></a:p></a:txBody>'
    const locked = (text: string) =>
      shape('').replace(
        /<wps:wsp>.*<\/wps:wsp>/,
        `<lc:lockedCanvas xmlns:lc="http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas"><a:sp><a:spPr><a:xfrm><a:off x="127000" y="0"/><a:ext cx="635000" cy="254000"/></a:xfrm></a:spPr>${text}</a:sp></lc:lockedCanvas>`,
      )
    const texts = dumpTexts(framesOf(locked(`<a:txSp>${body}<a:useSpRect/></a:txSp>`)))
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatch(/^60\.0,.* inside$/)
  })

  test('takes the colour of the style if it states none', () => {
    const style =
      '<wps:style><a:lnRef idx="0"/><a:fillRef idx="0"/><a:fontRef idx="minor"><a:srgbClr val="ABCDEF"/></a:fontRef></wps:style>'
    const [frame] = framesOf(shape(preset('rect') + red, style + story)).filter((entry) => entry.kind === 'text')
    expect(frame).toMatchObject({ look: { color: 'ABCDEF' } })
    const own = story.replace('<w:r>', '<w:r><w:rPr><w:color w:val="123456"/></w:rPr>')
    const [stated] = framesOf(shape(preset('rect') + red, style + own)).filter((entry) => entry.kind === 'text')
    expect(stated).toMatchObject({ look: { color: '123456' } })
  })

  test('reads upwards if the shape says so', () => {
    const [text] = dumpTexts(
      framesOf(shape(preset('rect') + red, `${story}<wps:bodyPr vert="vert270" lIns="0" tIns="0" bIns="0"/>`)),
    )
    expect(text).toBe('59.4,90.0 Inside')
  })

  test('a shape with a description is a figure with that text, and one without is decoration', () => {
    const tree = (alt?: string) => {
      const { pdf } = renderingOf(
        wordDocument(p('Before') + shape(preset('rect') + red, '', alt === undefined ? {} : { alt })),
      )
      return layoutOf(wordDocument(shape(preset('rect') + red, '', alt === undefined ? {} : { alt }))).structure.filter(
        (node) => node.type === 'Figure' && pdf.length > 0,
      )
    }
    expect(tree('A red box')).toMatchObject([{ type: 'Figure', alt: 'A red box' }])
    expect(tree()).toEqual([])
  })
})

describe('hostile drawings', () => {
  test('endlessly nested groups and countless shapes are cut off and reported', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? `<wps:wsp><wps:spPr>${preset('rect')}${red}</wps:spPr></wps:wsp>`
        : `<wpg:grpSp><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/><a:chExt cx="9" cy="9"/></a:xfrm></wpg:grpSpPr>${nested(depth - 1)}</wpg:grpSp>`
    const drawing = (content: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="508000"/><wp:docPr id="1" name="g"/><a:graphic><a:graphicData uri="x"><wpg:wgp><wpg:grpSpPr/>${content}</wpg:wgp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    const deep = renderingOf(wordDocument(drawing(nested(40))))
    expect(deep.report.some((finding) => finding.message.includes('too many shapes'))).toBe(true)
    const many = `<wps:wsp><wps:spPr>${preset('rect')}${red}</wps:spPr></wps:wsp>`.repeat(5_200)
    expect(
      renderingOf(wordDocument(drawing(many))).report.some((finding) => finding.message.includes('too many shapes')),
    ).toBe(true)
  })

  test('a path bomb is drawn up to the limit', () => {
    const steps = '<a:arcTo wR="100" hR="100" stAng="0" swAng="2000000000"/>'.repeat(60_000)
    const custom = `<a:custGeom><a:pathLst><a:path w="100" h="100"><a:moveTo><a:pt x="0" y="0"/></a:moveTo>${steps}</a:path></a:pathLst></a:custGeom>`
    const [frame] = framesOf(shape(custom + red))
    expect(frame?.kind === 'path' && frame.outline.ops.length).toBe(limits.renderPathSteps)
  })

  test('absurd numbers still leave a readable page', () => {
    for (const value of ['1e999', '-99999999999999999999', 'NaN', '', '0x10']) {
      const custom = `<a:custGeom><a:gdLst><a:gd name="g" fmla="*/ w ${value} 0"/></a:gdLst><a:pathLst><a:path w="${value}" h="${value}"><a:moveTo><a:pt x="g" y="${value}"/></a:moveTo><a:lnTo><a:pt/></a:lnTo><a:cubicBezTo/><a:arcTo wR="${value}"/></a:path></a:pathLst></a:custGeom>`
      const { pdf } = renderingOf(wordDocument(shape(custom + red + blueLine, '', { transform: ` rot="${value}"` })))
      expect(Buffer.from(pdf).toString('latin1')).not.toContain('NaN')
    }
  })
})

describe('text that is stretched to its shape', () => {
  const lettering = (warp: string, properties = '') =>
    framesOf(
      shape(
        `${preset('rect')}${properties}`,
        `<wps:txbx><w:txbxContent>${p('DRAFT', '', '<w:color w:val="C0C0C0"/><w:sz w:val="2"/>')}</w:txbxContent></wps:txbx>` +
          `<wps:bodyPr fromWordArt="1"><a:prstTxWarp prst="${warp}"/></wps:bodyPr>`,
      ),
    )
  const sizesOf = (frames: Frame[]): number[] =>
    frames.flatMap((frame) =>
      frame.kind === 'text'
        ? [frame.look.size]
        : frame.kind === 'group' || frame.kind === 'clip'
          ? sizesOf(frame.frames)
          : [],
    )

  test('fills it, in its colour, whatever its size', () => {
    const frames = lettering('textPlain')
    expect(dumpTexts(frames)).toEqual([expect.stringMatching(/ DRAFT$/)])
    expect(JSON.stringify(frames)).toContain('"color":"C0C0C0"')
    const matrices = JSON.stringify(frames).match(/"matrix":\[[^\]]+\]/g)!
    const [across, , , down] = JSON.parse(matrices.at(-1)!.slice(9)) as number[]
    const [size] = sizesOf(frames)
    // Its letters are 40 pt high with their room, though the text says 1 pt.
    expect(size! * down! * 1.15).toBeCloseTo(40, 0)
    expect(across).toBeGreaterThan(0)
  })

  test('keeps its size if it is not transformed, runs along a path, or is in a filled shape', () => {
    for (const frames of [lettering('textNoShape'), lettering('textArchUp'), lettering('textPlain', red)])
      expect(sizesOf(frames)).toEqual([1])
  })
})
