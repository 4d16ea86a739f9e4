import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { dumpTexts, layoutOf, p, renderingOf, smallSection, type WordParts, wordDocument } from '../word.ts'

/** What is drawn of a document: every text with its place, on the only page. */
const textsOf = (body: string, parts: WordParts = {}) => dumpTexts(layoutOf(wordDocument(body, parts)).pages[0]!.frames)
/** The texts alone, in alphabetical order. */
const wordsOf = (body: string, parts: WordParts = {}) =>
  textsOf(body, parts)
    .map((text) => text.replace(/ at .*|^[-\d.,]+ /g, ''))
    .sort()
const remarksOn = (body: string, parts: WordParts = {}) =>
  renderingOf(wordDocument(body, parts)).report.flatMap(({ code, message }) =>
    code.startsWith('render.font') ? [] : `${code} ${message}`,
  )

const shape = (inside: string, place = '', text = '<wps:txbx><w:txbxContent>TEXT</w:txbxContent></wps:txbx>') =>
  `<wp:extent cx="1270000" cy="635000"/>${place}<a:graphic><a:graphicData><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/></a:xfrm></wps:spPr>${text.replace('TEXT', inside)}<wps:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"/></wps:wsp></a:graphicData></a:graphic>`
const floating = (inside: string, place = '<wp:wrapNone/>') =>
  `<w:r><w:drawing><wp:anchor>${shape(inside, place)}</wp:anchor></w:drawing></w:r>`
const vml = (inside: string) =>
  `<w:r><w:pict><v:shape style="position:absolute;width:100pt;height:50pt"><v:textbox><w:txbxContent>${inside}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
const at = (from: string, x: number, y: number) =>
  `<wp:positionH relativeFrom="${from}"><wp:posOffset>${x * 12_700}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="${from === 'column' ? 'paragraph' : from}"><wp:posOffset>${y * 12_700}</wp:posOffset></wp:positionV><wp:wrapNone/>`
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const note = '<w:r><w:footnoteReference w:id="1"/></w:r>'
const footnote = (inside: string): WordParts => ({ footnotes: `<w:footnote w:id="1">${inside}</w:footnote>` })
const turned = (inside: string) =>
  `<w:tbl><w:tr><w:trPr><w:trHeight w:val="2000"/></w:trPr><w:tc><w:tcPr><w:textDirection w:val="btLr"/></w:tcPr>${inside}</w:tc></w:tr></w:tbl>${p('')}`
const framed = (inside: string) => `<w:p><w:pPr><w:framePr w:x="2000" w:y="2000"/></w:pPr>${inside}</w:p>${p('after')}`
const guided = (inside: string) =>
  `<w:p><w:r><w:ruby><w:rt>${run('guide')}</w:rt><w:rubyBase>${inside}${run('base')}</w:rubyBase></w:ruby></w:r></w:p>`

const withHeader = `<w:headerReference w:type="default" r:id="header1"/>${smallSection}`

describe('what floats inside of something that goes to its place as a whole is not lost', () => {
  const box = floating(p('boxed'))
  const line = `<w:p>${box}${run('line')}</w:p>`

  test('in a text box, of either kind, and in one inside of another', () => {
    expect(wordsOf(`<w:p>${floating(line)}</w:p>`)).toEqual(['boxed', 'line'])
    expect(wordsOf(`<w:p>${vml(line)}</w:p>`)).toEqual(['boxed', 'line'])
    const inner = `<w:p>${floating(line)}${run('outer')}</w:p>`
    expect(wordsOf(`<w:p>${floating(inner)}</w:p>`)).toEqual(['boxed', 'line', 'outer'])
  })

  test('in a footnote, a turned cell, a frame and a phonetic guide', () => {
    expect(wordsOf(`<w:p>${run('text')}${note}</w:p>`, footnote(line))).toEqual(['1', 'boxed', 'line', 'text'])
    expect(wordsOf(turned(line))).toEqual(['boxed', 'line'])
    expect(wordsOf(framed(`${box}${run('line')}`))).toEqual(['after', 'boxed', 'line'])
    expect(wordsOf(guided(box))).toEqual(['base', 'boxed', 'guide'])
  })

  test('nor is a framed paragraph there', () => {
    const frame = `<w:p><w:pPr><w:framePr/></w:pPr>${run('framed')}</w:p>${p('line')}`
    expect(wordsOf(`<w:p>${floating(frame)}</w:p>`)).toEqual(['framed', 'line'])
    expect(wordsOf(`<w:p>${run('text')}${note}</w:p>`, footnote(frame))).toEqual(['1', 'framed', 'line', 'text'])
  })

  test('its place is that in the story, and where it names the page that of its line, with a remark', () => {
    const inBox = (place: string) => `<w:p>${floating(`<w:p>${floating(p('boxed'), place)}${run('line')}</w:p>`)}</w:p>`
    const placed = (place: string) => textsOf(inBox(place)).find((text) => /boxed/.test(text))
    const origin = placed('<wp:wrapNone/>')
    expect(placed(at('column', 0, 0))).toBe(origin!)
    expect(placed(at('column', 20, 10))).not.toBe(origin)
    expect(remarksOn(inBox(at('column', 20, 10)))).toEqual([])
    expect(placed(at('page', 300, 700))).toBe(origin!)
    expect(remarksOn(inBox(at('page', 300, 700)))).toEqual([
      'render.unsupported wp:anchor is not supported; in a text box or note the object is beside its line.',
    ])
  })

  test('an object of a frame that is at a place on the page stays there', () => {
    const onPage = (body: string) => textsOf(body).find((text) => /boxed/.test(text))
    const object = floating(p('boxed'), at('page', 120, 200))
    expect(onPage(framed(`${object}${run('line')}`))).toBe(onPage(`<w:p>${object}</w:p>`)!)
  })

  test('text of a box and of a note flows around it, and the note is as high as it', () => {
    const wide = `<w:p>${floating(p('boxed'), '<wp:wrapTopAndBottom/>')}${run('line')}</w:p>`
    const [boxed, below] = ['boxed', 'line'].map((word) => {
      const found = textsOf(`<w:p>${run('text')}${note}</w:p>`, footnote(wide)).find((text) => text.includes(word))
      return Number(/,([\d.]+)/.exec(found!)![1])
    })
    expect(below! - boxed!).toBeGreaterThan(45)
    expect(below!).toBeLessThan(350)
  })

  test('boxes in boxes beyond the limit are left out with a remark', () => {
    let body = p('innermost')
    for (let level = 0; level <= limits.renderBoxDepth; level++)
      body = `<w:p>${floating(body)}${run(`l${level}`)}</w:p>`
    expect(wordsOf(body)).not.toContain('innermost')
    expect(wordsOf(body)).toContain('l1')
    expect(remarksOn(body)).toContain(
      `render.nesting Text boxes nested more than ${limits.renderBoxDepth} levels deep are left out.`,
    )
    const inHeader = wordDocument(p('text'), { section: withHeader, headers: { header1: body } })
    const paths = renderingOf(inHeader).report.flatMap(({ code, path }) => (code === 'render.nesting' ? [path] : []))
    expect(paths).toEqual(['word/header1.xml#w:txbxContent'])
  })
})

describe('text of shapes is not lost in silence', () => {
  test('of several in one picture of VML, which are all drawn', () => {
    const rect = (text: string) =>
      `<v:rect style="width:50pt;height:20pt"><v:textbox inset="0,0,0,0"><w:txbxContent>${p(text)}</w:txbxContent></v:textbox></v:rect>`
    const body = `<w:p><w:r><w:pict>${rect('one')}${rect('two')}</w:pict></w:r></w:p>`
    expect(wordsOf(body)).toEqual(['one', 'two'])
  })

  test('in a geometry that leaves its text no room', () => {
    const geometry = '<a:custGeom><a:rect l="l" t="99999999" r="r" b="0"/><a:pathLst/></a:custGeom>'
    expect(wordsOf(`<w:p>${floating(p('text')).replace('</wps:spPr>', `${geometry}</wps:spPr>`)}</w:p>`)).toEqual([
      'text',
    ])
  })

  test('that runs over from one box into the next: a remark says that it does not', () => {
    const linked = floating('').replace(/<wps:txbx>.*<\/wps:txbx>/, '<wps:linkedTxbx id="1" seq="1"/>')
    expect(remarksOn(`<w:p>${linked}</w:p>`)).toEqual([
      'render.unsupported wps:linkedTxbx is not supported; text that runs over into it from the box before is left out.',
    ])
    const next = `<w:p>${vml(p('x')).replace('<v:textbox>', '<v:textbox style="mso-next-textbox:#b">')}</w:p>`
    expect(remarksOn(next)).toEqual([
      'render.unsupported v:textbox is not supported; text that has no room in it and runs over into the next box is left out.',
    ])
  })
})

describe('a footnote that is referred to inside of something is not lost', () => {
  const parts = footnote(p('the note'))
  const line = `<w:p>${run('text')}${note}</w:p>`
  const group = (inside: string) =>
    `<w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><a:graphic><a:graphicData><wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/><a:chOff x="0" y="0"/><a:chExt cx="1270000" cy="635000"/></a:xfrm></wpg:grpSpPr><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/></a:xfrm></wps:spPr><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></wpg:wgp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

  test('in a text box of either kind, in a group, in a turned cell and under a phonetic guide', () => {
    const inline = `<w:p><w:r><w:drawing><wp:inline>${shape(line)}</wp:inline></w:drawing></w:r></w:p>`
    const bodies = [`<w:p>${floating(line)}</w:p>`, inline, `<w:p>${vml(line)}</w:p>`, `<w:p>${group(line)}</w:p>`]
    for (const body of bodies) expect(wordsOf(body, parts)).toEqual(['1', 'text', 'the note'])
    expect(wordsOf(turned(line), parts)).toEqual(['1', 'text', 'the note'])
    expect(wordsOf(guided(note), parts)).toContain('the note')
  })

  test('in a note or a header, which have no foot, it is named in a remark', () => {
    const second = `<w:footnote w:id="2"><w:p>${run('second')}${note}</w:p></w:footnote>`
    const noteInNote = `<w:p>${run('text')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
    expect(remarksOn(noteInNote, { footnotes: `${parts.footnotes}${second}` })).toEqual([
      'render.unsupported w:footnoteReference is not supported; the note of a note is left out.',
    ])
    const section = '<w:headerReference w:type="default" r:id="header1"/><w:pgSz w:w="6000" w:h="8000"/>'
    expect(remarksOn(p('body'), { ...parts, headers: { header1: line }, section })).toEqual([
      'render.unsupported w:footnoteReference is not supported; the note of a header or footer is left out.',
    ])
  })
})
