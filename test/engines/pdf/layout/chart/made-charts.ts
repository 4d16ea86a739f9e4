import { embeddedFonts } from '../../../../../src/engines/pdf/font/embedded.ts'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf } from '../../word.ts'

/*
 * Charts of 200 by 120 pt from (50, 50). A plot with the stated place `inner` has 100 by 60 pt from (100, 80), so its middle
 * is at (150, 110). Labels are in Arial 10 pt, measured as 13 dots of a screen: a line is 11.25 pt high, 9 of them above the
 * baseline, and a digit is 5.42 pt wide.
 */
export const DIGIT = 0.556 * 9.75
export const LINE = 11.25
export const ASCENT = 9

export const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache><c:ptCount val="${values.length}"/>${values.map((value, at) => (value === '' ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('')}</c:${kind}Cache></c:${kind}Ref>`
const fillOf = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`

/** Properties of a shape, a line of 1 pt among them; nothing is painted where no colour is named. */
export const look = (fill?: string, line?: string) =>
  `<c:spPr>${fill === undefined ? '<a:noFill/>' : fillOf(fill)}<a:ln w="12700">${line === undefined ? '<a:noFill/>' : fillOf(line)}</a:ln></c:spPr>`
export const [red, blue, green] = ['FF0000', '0000FF', '00FF00']

/** Names and values; an empty text is a point without a value. */
export const data = (values: readonly (number | '')[], names: readonly string[] = values.map((_, at) => `C${at}`)) =>
  `<c:cat>${cache('str', names)}</c:cat><c:val>${cache('num', values)}</c:val>`
export const points = (x: readonly number[], y: readonly number[], sizes?: readonly number[]) =>
  `<c:xVal>${cache('num', x)}</c:xVal><c:yVal>${cache('num', y)}</c:yVal>${sizes ? `<c:bubbleSize>${cache('num', sizes)}</c:bubbleSize>` : ''}`
export const series = (at: number, values: string, inside = '') =>
  `<c:ser><c:idx val="${at}"/><c:tx>${cache('str', [`S${at}`])}</c:tx>${inside}${values}</c:ser>`

export const inner =
  '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.25"/><c:y val="0.25"/><c:w val="0.5"/><c:h val="0.5"/></c:manualLayout></c:layout>'
export const axis = (kind: string, id: number, position: string, inside = '', scaling = '') =>
  `<c:${kind}><c:axId val="${id}"/><c:scaling>${scaling}</c:scaling><c:axPos val="${position}"/>${/majorTickMark/.test(inside) ? inside : `${inside}<c:majorTickMark val="none"/>`}</c:${kind}>`
export const range = (min: number, max: number) => `<c:max val="${max}"/><c:min val="${min}"/>`
export const hidden = '<c:delete val="1"/>'
export const ids = '<c:axId val="1"/><c:axId val="2"/>'
/** Axes that are not drawn: categories from left to right, values from 0 to 10 upwards. */
export const hiddenAxes = axis('catAx', 1, 'b', hidden) + axis('valAx', 2, 'l', hidden, range(0, 10))
export const valueAxes = axis('valAx', 1, 'b', hidden, range(0, 10)) + axis('valAx', 2, 'l', hidden, range(0, 10))
export const noSign = '<c:marker><c:symbol val="none"/></c:marker>'
export const labels = (inside: string) => `<c:dLbls>${inside}</c:dLbls>`
export const legend = (position: string, inside = '') =>
  `<c:legend><c:legendPos val="${position}"/>${inside}</c:legend>`
export const title = (says: string, size = 10, rotation = '', place = '') =>
  `<c:title><c:tx><c:rich><a:bodyPr${rotation === '' ? '' : ` rot="${rotation}"`}/><a:p><a:r><a:rPr sz="${size * 100}" b="0"/><a:t>${says}</a:t></a:r></a:p></c:rich></c:tx>${place}</c:title>`
/** The turn of labels, in degrees clockwise. */
export const turned = (degrees: number) => `<c:txPr><a:bodyPr rot="${degrees * 60_000}"/><a:p/></c:txPr>`

const text = (size: number) =>
  `<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size * 100}" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>`

export interface Around {
  /** What is before the plot area, as titles and views in three dimensions. */
  before?: string
  /** The place of the plot; its stated one where nothing is said. */
  layout?: string
  /** What is after the plot area, as a legend. */
  after?: string
  /** The size of all text, in points. */
  size?: number
}

/** Paths and texts of a chart without a ground of its own. */
export function drawn(plot: string, { before = '', layout = inner, after = '', size = 10 }: Around = {}) {
  const area = `<c:plotArea>${layout}${plot}${look()}</c:plotArea>`
  const docx = chartDocument(chartSpace(`<c:chart>${before}${area}${after}</c:chart>${look()}${text(size)}`))
  const frames = layoutOf(docx).pages[0]?.frames ?? []
  return { frames, paths: dumpPaths(frames), texts: dumpTexts(frames) }
}

/** Where each text begins: left, and its baseline. */
export function placesOf(texts: readonly string[]): Record<string, number[]> {
  return Object.fromEntries(
    texts.map((line): [string, number[]] => {
      const [place = '', ...words] = line.split(' ')
      return [words.join(' '), place.split(',').map(Number)]
    }),
  )
}

/** The paths that are painted in a colour, without what says so. */
export const paintedIn = (paths: readonly string[], color: string) =>
  paths.filter((path) => path.includes(` ${color}`)).map((path) => path.replace(/ (?:fill|stroke) .*$/, ''))

/** Numbers in tenths, as places are told. */
export const tenths = (...values: readonly number[]) => values.map((value) => Math.round(value * 10) / 10)

/** How wide a text is in Arial, at the size of whole dots that labels of 10 pt are measured at. */
export function widthOf(text: string, size = 9.75): number {
  const face = embeddedFonts().match('Arial')?.font.face
  return [...text].reduce((sum, sign) => sum + (face?.width(sign.codePointAt(0) ?? 0) ?? Number.NaN) * size, 0)
}
