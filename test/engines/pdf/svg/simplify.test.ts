import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { drawSimpleSvg, isSvg, type SimpleSvg, simplifySvg } from '../../../../src/engines/pdf/svg/simplify.ts'

const svg = (content: string, attributes = 'width="100" height="50"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`
const rect = '<rect width="10" height="5"/>'

function simple(text: string): SimpleSvg {
  const outcome = simplifySvg(text)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.simple
}

function refusal(text: string): string {
  const outcome = simplifySvg(text)
  return outcome.ok ? 'taken' : outcome.message
}

describe('a text is an SVG drawing', () => {
  test.each([
    ['by its root', svg(rect), true],
    [
      'behind a declaration, a type and a comment',
      `\ufeff<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY a "1">]><!-- <p> -->${svg(rect)}`,
      true,
    ],
    ['with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', true],
    ['but not in HTML', `<p>${svg(rect)}</p>`, false],
    ['but not as base64', btoa(svg(rect)), false],
    ['but not by a longer name', '<svgx/>', false],
  ])('%s', (_, text, expected) => {
    expect(isSvg(text)).toBe(expected)
  })
})

describe('the simple form of a drawing', () => {
  test('has outlines for shapes and text, resolved styles, and no scripts', () => {
    const { text } = simple(
      svg(`<style>.a{fill:#ff0000}</style><script>alert(1)</script><g onclick="x()">
        <circle class="a" r="4"/><text y="20">Äb</text></g>`),
    )
    expect(text).toContain('fill="#ff0000"')
    expect(text.match(/<path /g)).toHaveLength(2)
    expect(text).not.toMatch(/script|onclick|<text|<circle|class=/)
  })

  test.each([
    ['as stated', 'width="40mm" height="20mm" viewBox="0 0 4 2"', 151.18, 75.59],
    ['in proportion to the width', 'width="40mm" viewBox="0 0 100 60"', 151.18, 90.71],
    ['in proportion to the height', `height='60' width="100%" viewBox="0,0,100,50"`, 120, 60],
    ['of its view box', 'viewBox="0 0 30 20"', 30, 20],
  ])('has the size %s', (_, attributes, width, height) => {
    const { text } = simple(svg(rect, attributes))
    expect(Number(/ width="([^"]+)"/.exec(text)?.[1])).toBeCloseTo(width, 1)
    expect(Number(/ height="([^"]+)"/.exec(text)?.[1])).toBeCloseTo(height, 1)
  })

  test('is made of a root without any namespace, which must mean this one', () => {
    expect(simple(`<svg width="9" height="9">${rect}</svg>`).text).toContain('<path ')
  })

  test('sets text in the families of the program: the first that is there or has a twin, else the nearest', () => {
    const inFamily = (family: string) => simple(svg(`<text y="20" font-family="${family}">Quick</text>`)).text
    const [carlito, arimo] = [inFamily('Carlito'), inFamily('Arimo')]
    const [cousine, tinos] = [inFamily('Cousine'), inFamily('Tinos')]
    expect(new Set([carlito, arimo, cousine, tinos]).size).toBe(4)
    expect(inFamily('Nobody, Calibri, serif')).toBe(carlito)
    expect(inFamily('Nobody, monospace')).toBe(cousine)
    expect(inFamily('Segoe UI')).toBe(arimo)
    expect(simple(svg('<text y="20">Quick</text>')).text).toBe(tinos)
    const styled = (style: string) => simple(svg(`<style>text{${style}}</style><text y="20">Quick</text>`)).text
    expect(styled('font-family: "Courier New", serif')).toBe(cousine)
    const shorthand = styled("font:italic bold 16px/1.2 'Calibri', serif")
    expect(shorthand).toBe(styled('font-style:italic;font-weight:bold;font-size:16px;font-family:Carlito'))
    expect(shorthand).not.toBe(carlito)
    // The shorthand also takes back what a text would inherit.
    const within = (style: string) =>
      simple(svg(`<g style="${style}"><text y="20" style="font:16px Calibri">Quick</text></g>`)).text
    expect(within('font-weight:bold;font-style:italic')).toBe(within(''))
    expect(simple(svg(`<text y="20" font-family='Calibri'>Quick</text>`)).text).toBe(carlito)
    // What is written is not renamed.
    const written = (text: string) => simple(svg(`<text y="20">${text}</text>`)).text
    expect(written('font-family: Calibri')).not.toBe(written('font-family: Carlito'))
  })

  test('borrows signs from the fonts that lend them, and refuses text that no font has', () => {
    expect(simple(svg('<text y="20">☎ &#x2713;</text>')).text.match(/<path /g)).toHaveLength(1)
    expect(refusal(svg('<text>漢字 a</text>'))).toBe('is a drawing with text that no font of the program has: 漢 字')
  })

  test.each([
    [
      'a picture on another host',
      '<image href="http://x.example/a.png" width="3" height="3"/>',
      'http://x.example/a.png',
    ],
    ['a file', '<image xlink:href="/etc/passwd" width="3" height="3"/>', '/etc/passwd'],
    ['another drawing', "<use href='icons.svg#a'/>", 'icons.svg#a'],
  ])('is refused for what it would leave out: %s', (_, content, target) => {
    const text = svg(content, 'xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"')
    expect(refusal(text)).toBe(`is a drawing that refers to ${target}, which is not shown`)
    expect(refusal(text.replace(content, `<!-- ${content} -->`))).toBe('taken')
  })

  test('takes text that is there for those who do not show HTML, and refuses HTML alone', () => {
    const html = '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>'
    expect(refusal(svg(html))).toBe('is a drawing that holds HTML (foreignObject), which is not shown')
    expect(simple(svg(`<switch>${html}<text y="9">a</text></switch>`)).text).toContain('<path ')
  })

  test.each([
    ['broken', svg('<rect>'), /^is no SVG drawing that can be read \(.*expected 'rect' tag/],
    ['without area', svg(rect, 'width="0" height="9"'), /invalid size/],
    [
      'with entities in entities',
      `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;&c;">]>${svg('<text>&c;</text>')}`,
      /hold tags or other entities/,
    ],
    [
      'nested without end',
      svg('<g opacity=".5">'.repeat(9_000) + rect + '</g>'.repeat(9_000)),
      /512 deep in each other/,
    ],
    ['too long', svg(rect + ' '.repeat(limits.svgChars)), /more than 4194304 characters/],
  ])('says what is wrong with a drawing that is %s, and reads the next', (_, text, message) => {
    expect(refusal(text)).toMatch(message)
    expect(refusal(svg(rect))).toBe('taken')
  })

  test('has a picture in pixels whose longer side is as long as asked for', () => {
    const png = drawSimpleSvg(simple(svg(rect)), 40)!
    const view = new DataView(png.buffer, png.byteOffset)
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([40, 20])
    const tall = drawSimpleSvg(simple(svg(rect, 'width="10" height="30"')), 60)!
    expect(new DataView(tall.buffer, tall.byteOffset).getUint32(20)).toBe(60)
  })

  test('has fewer pixels where it would take longer to draw than there is time for', () => {
    const layers = '<g opacity=".9"><g opacity=".8"><rect clip-path="url(#c)" width="900" height="900"/></g></g>'
    const clips = '<clipPath id="c"><circle r="500"/></clipPath>'
    const png = drawSimpleSvg(simple(svg(clips + layers, 'width="900" height="900"')), 2_400)!
    expect(new DataView(png.buffer, png.byteOffset).getUint32(16)).toBe(1_800)
  })
})
