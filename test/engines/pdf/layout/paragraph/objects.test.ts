import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../../src/core/limits.ts'
import { plainPng } from '../../documents.ts'
import {
  dump,
  dumpPaths,
  dumpShapes,
  dumpTexts,
  layoutOf,
  p,
  picture,
  textFrames,
  type WordParts,
  wordDocument,
} from '../../word.ts'

/* The small page: text from 50 to 250 pt across; Courier New 10 pt has 6 pt a character, Arial 10 pt lines of 11.5 pt. */
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
const media = { 'dot.png': plainPng(4, 4, [255, 0, 0]) }
const pageOf = (body: string, parts: WordParts = {}) => layoutOf(wordDocument(body, { media, ...parts })).pages[0]!
const linesOf = (body: string) => dump(pageOf(body))
const mode = (version: number) => ({
  settings: `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat>`,
})

describe('a picture', () => {
  const turned = (degrees: number, room = '<wp:effectExtent l="63500" t="38100" r="25400" b="12700"/>') =>
    `<w:p><w:r>${picture('dot', 40, 20)
      .replace('<pic:spPr/>', `<pic:spPr><a:xfrm rot="${degrees * 60_000}"/></pic:spPr>`)
      .replace('<wp:docPr', `${room}<wp:docPr`)}<w:t>x</w:t></w:r></w:p>`
  /** Where the text behind it begins and how high its line is, and where it is itself. */
  const placed = (degrees: number, version = 15, room?: string) => {
    const page = pageOf(turned(degrees, room) + p('next'), mode(version))
    const [behind, next] = textFrames(page)
    return [behind!.x - 50, Math.round(next!.y - behind!.y - 9.4 + 0.02), ...dumpShapes(page)].join(' ')
  }

  test('that is turned takes the room of its effects on its line, as wide as it then lies', () => {
    // 5, 3, 2 and 1 pt at the left, the top, the right and the bottom; the text's 2.1 pt are below the line.
    const upright = '47 2 image 55.0,53.0 40.0×20.0'
    const lying = '27 2 image 45.0,63.0 40.0×20.0'
    expect([44, 135, 180, 224, 315, -44].map((degrees) => placed(degrees))).toEqual(Array(6).fill(upright))
    expect([45, 90, 134, 225, 270, 314, -90].map((degrees) => placed(degrees))).toEqual(Array(7).fill(lying))
    // Before Word 2010 it was stated for the picture as it is.
    expect([placed(90, 14), placed(90, 12)]).toEqual([lying, upright])
    expect(placed(90, 15, '')).toBe('40 2 image 50.0,50.0 40.0×20.0')
    // Its line begins at 50 pt, and is as high as picture and room.
    const baseline = (degrees: number) => textFrames(pageOf(turned(degrees) + p('next'), mode(15)))[0]!.y
    expect([baseline(44), baseline(90)]).toEqual([74, 94])
  })

  test('is turned as its drawing says', () => {
    const rotations = [0, 44, -90].map((degrees) =>
      pageOf(turned(degrees)).frames.flatMap((frame) => (frame.kind === 'image' ? [frame.rotation] : [])),
    )
    expect(rotations).toEqual([[0], [44], [-90]])
  })

  test('is announced to readers as a figure with its description', () => {
    const { structure } = layoutOf(wordDocument(`<w:p><w:r>${picture('dot', 40, 20, 'A dot')}</w:r></w:p>`, { media }))
    expect(structure.filter(({ type }) => type === 'Figure')).toMatchObject([{ alt: 'A dot', parent: 0 }])
    // In a header it is decoration.
    const section =
      '<w:headerReference w:type="default" r:id="h"/><w:pgSz w:w="6000" w:h="8000"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="400" w:footer="400" w:gutter="0"/>'
    const headers = { h: `<w:p><w:r>${picture('dot', 40, 20)}</w:r></w:p>` }
    const inHeader = layoutOf(wordDocument(p('text'), { media, section, headers }))
    expect(inHeader.structure.map(({ type }) => type)).toEqual(['P'])
  })

  test('without an extent is nothing', () => {
    const flat = (width: number, height: number) =>
      dumpShapes(pageOf(`<w:p><w:r>${picture('dot', width, height)}</w:r></w:p>`))
    expect([flat(0, 20), flat(20, 0)]).toEqual([[], []])
    expect(flat(20, 10)).toHaveLength(1)
  })
})

test('a line that is drawn has an extent in one direction, and nothing has none', () => {
  const line = (width: number, height: number) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/><wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="x"><wps:wsp><wps:spPr><a:prstGeom prst="line"/><a:ln w="12700"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln></wps:spPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const drawn = (width: number, height: number) =>
    dumpPaths(pageOf(line(width, height)).frames).map((path) => path.split(' ')[1])
  expect(drawn(40, 0)).toHaveLength(1)
  expect(drawn(0, 40)).toHaveLength(1)
  expect(drawn(0, 0)).toEqual([])
})

describe('a frame of paragraphs', () => {
  const framed = (properties: string, ...texts: string[]) =>
    texts.map((text) => p(text, `<w:framePr w:hAnchor="margin" w:vAnchor="margin" ${properties}/>`, mono)).join('') +
    p('text')

  test('is as wide as its widest line where it states no width, and as wide as stated otherwise', () => {
    // Aligned to the right margin at 250: four letters are 24 pt.
    expect(linesOf(framed('w:xAlign="right" w:y="2000"', 'ab', 'abcd')).slice(1)).toEqual([
      '226.0,158.3 ab',
      '226.0,169.7 abcd',
    ])
    expect(linesOf(framed('w:xAlign="right" w:w="1000" w:y="2000"', 'ab'))[1]).toBe('200.0,158.3 ab')
    // A line is as wide as the text area at most.
    expect(linesOf(framed('w:xAlign="right" w:y="2000"', `${'a'.repeat(20)} ${'b'.repeat(20)}`)).slice(1)).toEqual([
      `130.0,158.3 ${'a'.repeat(20)}`,
      `130.0,169.7 ${'b'.repeat(20)}`,
    ])
  })

  test('is as high as its text, or at least or exactly as high as stated', () => {
    // Aligned to the bottom margin at 350.
    const first = (properties: string) =>
      linesOf(framed(`w:x="1" w:yAlign="bottom" ${properties}`, 'a', 'b', 'c'))[1]!.split(/[, ]/)[1]
    const natural = Number(first(''))
    expect(natural).toBeWithin(350 - 3 * 11.5 + 8, 350 - 3 * 11.3 + 9)
    expect(Number(first('w:h="1000" w:hRule="atLeast"'))).toBeCloseTo(300 + 8.3, 0)
    expect(Number(first('w:h="200" w:hRule="atLeast"'))).toBeCloseTo(natural, 1)
    expect(Number(first('w:h="1000" w:hRule="exact"'))).toBeCloseTo(300 + 8.3, 0)
    expect(Number(first('w:h="200" w:hRule="exact"'))).toBeCloseTo(340 + 8.3, 0)
  })

  test('of an exact height leaves out the lines that begin below it, and cuts the one that it ends in', () => {
    const page = pageOf(framed('w:x="1" w:y="2000" w:h="400" w:hRule="exact"', 'a', 'b', 'c'))
    const clips = page.frames.flatMap((frame) => (frame.kind === 'clip' ? [frame] : []))
    expect(clips.map(({ height, frames }) => [height, frames.length])).toEqual([[20, 2]])
    expect(dump(page).map((line) => line.split(' ')[1])).toEqual(['text', 'a', 'b'])
    const whole = pageOf(framed('w:x="1" w:y="2000" w:h="700" w:hRule="exact"', 'a', 'b', 'c'))
    expect(whole.frames.some(({ kind }) => kind === 'clip')).toBe(false)
  })

  test('brings the footnotes of its text to the page', () => {
    const body = `<w:p><w:pPr><w:framePr w:x="1" w:y="2000"/></w:pPr><w:r><w:t>a</w:t><w:footnoteReference w:id="2"/></w:r></w:p>${p('text')}`
    const footnotes = `<w:footnote w:id="2">${p('note')}</w:footnote>`
    expect(dump(pageOf(body, { footnotes }))).toContain('50.0,347.9 note')
  })
})

test('text boxes are drawn six deep, and deeper ones are left out', () => {
  const box = (inside: string) =>
    `<w:p><w:r><w:pict><v:shape style="width:100pt;height:100pt"><v:textbox><w:txbxContent>${inside}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
  const nested = (depth: number): string => (depth === 0 ? p('') : box(p(`d${depth}`) + nested(depth - 1)))
  const texts = (depth: number) =>
    dumpTexts(pageOf(nested(depth)).frames)
      .map((line) => line.split(' ')[1])
      .filter((text) => text !== '')
  expect(texts(3)).toEqual(['d3', 'd2', 'd1'])
  expect(texts(limits.renderBoxDepth + 2)).toHaveLength(limits.renderBoxDepth)
})
