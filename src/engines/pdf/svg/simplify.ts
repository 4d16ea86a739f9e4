import { limits } from '../../../core/limits.ts'
import { canDraw, tooMuchToRead } from './costs.ts'
import { withOwnFonts } from './fonts.ts'
import { attribute, type Element, elementsOf, piecesOf } from './markup.ts'
import { type Drawing, withDrawing } from './resvg.ts'

/**
 * A drawing of groups, outlines and what they refer to: styles are resolved, shapes and text are outlines, and scripts
 * and everything invisible are removed. It needs no font, and looks the same wherever it is shown.
 */
export interface SimpleSvg {
  text: string
  /** Its natural size, in pixels of 1/96 inch. */
  widthPx: number
  heightPx: number
}

/** `message` continues a sentence that begins with what the drawing is. */
export type SvgOutcome = { ok: true; simple: SimpleSvg } | { ok: false; message: string; hint: string }

/** Whether a text is an SVG drawing by its looks: XML with that root. */
export function isSvg(text: string): boolean {
  return /^\uFEFF?\s*</.test(text) && rootTag(text) !== undefined
}

/** The simple form of an SVG drawing (SVG 1.1, and of SVG 2 what resvg takes). */
export function simplifySvg(svg: string): SvgOutcome {
  if (svg.length > limits.svgChars) {
    const message = `is a drawing of more than ${limits.svgChars} characters`
    return { ok: false, message, hint: 'Draw it with fewer details, or give a PNG.' }
  }
  const elements = elementsOf(svg, limits.svgDepth)
  if (elements === undefined) {
    const message = `is a drawing whose groups are more than ${limits.svgDepth} deep in each other`
    return { ok: false, message, hint: 'Draw it with fewer groups, or give a PNG.' }
  }
  const tooMuch = tooMuchToRead(svg, elements)
  if (tooMuch !== undefined) return { ok: false, ...tooMuch }
  const outside = leftOut(elements)
  if (outside !== undefined) {
    const hint = 'Put what it shows into the drawing: pictures as data URIs, and text as text or outlines.'
    return { ok: false, message: `is a drawing that ${outside}, which is not shown`, hint }
  }
  const own = withOwnFonts(completed(svg))
  if (own.missing !== '') {
    const shown = [...own.missing].slice(0, 10).join(' ')
    const message = `is a drawing with text that no font of the program has: ${shown}`
    return { ok: false, message, hint: 'Turn the text of the drawing into outlines.' }
  }
  try {
    return withDrawing(own.svg, own.font === undefined ? {} : { font: own.font }, simpleForm)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `is no SVG drawing that can be read (${reason.slice(0, 200)})`
    return { ok: false, message, hint: 'Save the drawing as plain SVG 1.1.' }
  }
}

/**
 * Simple SVG as a PNG whose longer side has this many pixels, or down to a third of that if the drawing is heavy;
 * undefined if it takes too long even so, or resvg gives up on it.
 */
export function drawSimpleSvg(simple: SimpleSvg, wanted: number): Uint8Array | undefined {
  const { text, widthPx, heightPx } = simple
  const sides = [1, 3 / 4, 1 / 2, 1 / 3].map((share) => Math.ceil(wanted * share))
  const side = sides.find((each) => canDraw(text, simple, each))
  if (side === undefined) return undefined
  const fitTo = { mode: widthPx >= heightPx ? ('width' as const) : ('height' as const), value: side }
  try {
    return withDrawing(text, { fitTo }, (drawing) => {
      const image = drawing.render()
      const png = image.asPng()
      image.free()
      return png
    })
  } catch {
    return undefined
  }
}

function simpleForm(drawing: Drawing): SvgOutcome {
  if (drawing.imagesToResolve().length > 0) {
    const message = 'is a drawing with a picture that is not in the drawing itself'
    return { ok: false, message, hint: 'Put the picture into the drawing, as a data URI.' }
  }
  const text = drawing.toString()
  if (text.length > limits.svgSimpleChars) {
    const message = `is a drawing whose outlines take more than ${limits.svgSimpleChars} characters`
    return { ok: false, message, hint: 'Draw it with fewer details, or give a PNG.' }
  }
  return { ok: true, simple: { text, widthPx: drawing.width, heightPx: drawing.height } }
}

/** Both together have at most `limits.svgRootChars` characters. */
function rootTag(svg: string): { before: string; tag: string } | undefined {
  const head = svg.slice(0, limits.svgRootChars)
  for (const piece of piecesOf(head)) {
    const text = head.slice(piece.from, piece.to)
    if (piece.kind === 'other' || /^[\s\uFEFF]*$/.test(text)) continue
    const isRoot = piece.kind === 'tag' && piece.name === 'svg' && !piece.isEnd
    return isRoot ? { before: head.slice(0, piece.from), tag: text } : undefined
  }
  return undefined
}

/** What a drawing refers to or holds that resvg leaves out in silence. */
function leftOut(elements: Element): string | undefined {
  const waiting = [elements]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const { name, tag, children } = element
    if (name === 'image' || name === 'use' || name === 'feImage') {
      const target = attribute(tag, '(?:\\w+:)?href')?.trim()
      if (target !== undefined && !/^(?:#|data:)/i.test(target)) return `refers to ${target.slice(0, 80)}`
    }
    for (const [index, child] of children.entries()) {
      // In a `switch`, programs write HTML for browsers, followed by text for others.
      if (child.name !== 'foreignObject') waiting.push(child)
      else if (name !== 'switch' || index > 0) return 'holds HTML (foreignObject)'
    }
  }
  return undefined
}

/** Adds the SVG namespace to a root without any, and a missing width or height. */
function completed(svg: string): string {
  const found = rootTag(svg)
  if (found === undefined) return svg
  const { before, tag } = found
  const isNamed = /\sxmlns\s*=/.test(tag) || !tag.startsWith('<svg')
  const named = isNamed ? tag : `<svg xmlns="http://www.w3.org/2000/svg"${tag.slice(4)}`
  return before + withBothSides(named) + svg.slice(before.length + tag.length)
}

/** Gives a drawing that states only width or height the other in proportion, as browsers do; resvg would stretch it. */
function withBothSides(tag: string): string {
  const [, , boxWidth = 0, boxHeight = 0] =
    attribute(tag, 'viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? []
  if (!(boxWidth > 0 && boxHeight > 0)) return tag
  const [width, height] = [length(attribute(tag, 'width')), length(attribute(tag, 'height'))]
  if (width !== undefined && height === undefined) return withSide(tag, 'height', width, boxHeight / boxWidth)
  if (height !== undefined && width === undefined) return withSide(tag, 'width', height, boxWidth / boxHeight)
  return tag
}

function withSide(tag: string, name: string, { value, unit }: Length, ratio: number): string {
  const bare = tag.replace(new RegExp(String.raw`\s${name}\s*=\s*(?:"[^"]*"|'[^']*')`), '')
  return bare.replace(/^<[\w:-]+/, (start) => `${start} ${name}="${value * ratio}${unit}"`)
}

interface Length {
  value: number
  unit: string
}

/** An absolute length; undefined for percentages and for anything that is no length. */
function length(written: string | undefined): Length | undefined {
  // A number that is longer has none of these forms.
  if ((written?.length ?? 0) > 64) return undefined
  const match = /^\s*\+?((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(px|pt|pc|mm|cm|in)?\s*$/i.exec(written ?? '')
  if (match === null) return undefined
  return { value: Number(match[1]), unit: match[2] ?? '' }
}
