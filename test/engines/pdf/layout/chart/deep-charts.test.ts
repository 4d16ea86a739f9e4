import { describe, expect, test } from 'bun:test'
import { renderChart } from '../../word.ts'

/* Charts in three dimensions, of 200 by 120 pt. Fronts keep the colour of the series; sides are darker, tops brighter. */
const cache = (values: readonly (string | number)[], kind: 'str' | 'num') =>
  `<c:${kind}Ref><c:${kind}Cache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
const fill = (color: string) => `<c:spPr><a:solidFill><a:srgbClr val="${color}"/></a:solidFill></c:spPr>`
const series = (at: number, color: string, values: readonly number[], inside = '') =>
  `<c:ser><c:idx val="${at}"/><c:tx>${cache([`S${at}`], 'str')}</c:tx>${fill(color)}${inside}<c:cat>${cache(
    values.map((_, index) => `C${index}`),
    'str',
  )}</c:cat><c:val>${cache(values, 'num')}</c:val></c:ser>`
const axis = (kind: string, id: number, position: string, inside = '') =>
  `<c:${kind}><c:axId val="${id}"/><c:axPos val="${position}"/>${inside}</c:${kind}>`
const view = (rotX: number, rotY: number) => `<c:view3D><c:rotX val="${rotX}"/><c:rotY val="${rotY}"/></c:view3D>`
const bars = (direction: string, grouping: string, ...all: string[]) =>
  `<c:bar3DChart><c:barDir val="${direction}"/><c:grouping val="${grouping}"/>${all.join('')}<c:axId val="1"/><c:axId val="2"/><c:axId val="3"/></c:bar3DChart>` +
  axis('catAx', 1, direction === 'col' ? 'b' : 'l') +
  axis('valAx', 2, direction === 'col' ? 'l' : 'b', '<c:majorGridlines/>') +
  axis('serAx', 3, 'b')
const pie = (inside = '') =>
  `<c:pie3DChart><c:varyColors val="0"/>${series(0, '808080', [1, 1, 1, 1], inside)}</c:pie3DChart>`

interface Shape {
  color: string
  left: number
  right: number
  top: number
  bottom: number
}
function shapesOf(plot: string, before = ''): Shape[] {
  return renderChart(plot, before).paths.flatMap((path) => {
    const color = / fill ([0-9A-F]{6})/.exec(path)?.[1]
    const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
    if (color === undefined) return []
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
    return [{ color, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }]
  })
}
const [dark, bright] = ['666666', '999999']

describe('columns in three dimensions', () => {
  test('have a side and a top, to the right of and above their front', () => {
    const shapes = shapesOf(bars('col', 'clustered', series(0, '808080', [2])), view(15, 20))
    const front = shapes.find(({ color }) => color === '808080')!
    const side = shapes.find(({ color }) => color === dark)!
    const top = shapes.find(({ color }) => color === bright)!
    expect(side.left).toBeCloseTo(front.right, 1)
    expect(side.bottom).toBeCloseTo(front.bottom, 1)
    expect(top.bottom).toBeCloseTo(front.top, 1)
    expect(top.right).toBeCloseTo(side.right, 1)
    const [across, up] = [side.right - side.left, top.bottom - top.top]
    expect(up / across).toBeCloseTo(Math.sin(Math.PI / 12) / Math.sin(Math.PI / 9), 1)
  })

  test('are deeper if they are seen more from the side', () => {
    const width = (rotY: number) => {
      const side = shapesOf(bars('col', 'clustered', series(0, '808080', [2, 1])), view(15, rotY)).find(
        ({ color }) => color === dark,
      )!
      return side.right - side.left
    }
    expect(width(40)).toBeGreaterThan(width(20) * 1.4)
  })

  test('are painted from left to right, and from bottom to top', () => {
    const fronts = (grouping: string, direction = 'col') =>
      shapesOf(
        bars(direction, grouping, series(0, '110000', [1, 1]), series(1, '220000', [1, 1])).replace(
          '</c:grouping>',
          '</c:grouping><c:overlap val="100"/>',
        ),
      )
        .map(({ color }) => color)
        .filter((color) => color === '110000' || color === '220000')
    expect(fronts('clustered')).toEqual(['110000', '220000', '110000', '220000'])
    expect(fronts('stacked')).toEqual(['110000', '220000', '110000', '220000'])
    expect(fronts('clustered', 'bar')).toEqual(['110000', '220000', '110000', '220000'])
    // Series that are behind each other: the last first.
    expect(fronts('standard')).toEqual(['220000', '220000', '110000', '110000'])
  })

  test('have the names of series behind each other beside their rows', () => {
    const plot = bars('col', 'standard', series(0, '110000', [1, 1]), series(1, '220000', [1, 1]))
    const places = ['S0', 'S1'].map((name) =>
      renderChart(plot)
        .texts.find((line) => line.endsWith(` ${name}`))!
        .split(' ')[0]!
        .split(',')
        .map(Number),
    )
    expect(places[1]![0]!).toBeGreaterThan(places[0]![0]!)
    expect(places[1]![1]!).toBeLessThan(places[0]![1]!)
  })

  test('replace a surface, with one row for each of its series', () => {
    const rows = series(0, '110000', [1, 1]) + series(1, '220000', [1, 1])
    const plot = bars('col', 'standard', rows).replaceAll('bar3DChart', 'surface3DChart')
    const fronts = shapesOf(plot).map(({ color }) => color)
    expect(fronts.filter((color) => color === '110000' || color === '220000')).toEqual([
      '220000',
      '220000',
      '110000',
      '110000',
    ])
  })

  test('are enclosed by walls if the document paints them', () => {
    const walls = `<c:floor>${fill('0000AA')}</c:floor><c:sideWall>${fill('0000BB')}</c:sideWall><c:backWall>${fill('0000CC')}</c:backWall>`
    const shapes = shapesOf(bars('col', 'clustered', series(0, '808080', [2])), walls)
    const wall = (name: string) => shapes.find(({ color }) => color === name)!
    const front = shapes.find(({ color }) => color === '808080')!
    expect(wall('0000BB').left).toBeLessThan(wall('0000CC').left)
    expect(wall('0000AA').bottom).toBeGreaterThanOrEqual(front.bottom)
    expect(wall('0000CC').right).toBeCloseTo(wall('0000AA').right, 1)
  })
})

describe('pies in three dimensions', () => {
  test('are seen from above at their angle, with a rim in front', () => {
    const extent = (rotX: number) => {
      const tops = shapesOf(pie(), view(rotX, 0)).filter(({ color }) => color === '808080')
      const width = Math.max(...tops.map(({ right }) => right)) - Math.min(...tops.map(({ left }) => left))
      const height = Math.max(...tops.map(({ bottom }) => bottom)) - Math.min(...tops.map(({ top }) => top))
      return height / width
    }
    expect(extent(30)).toBeCloseTo(0.5, 1)
    expect(extent(60)).toBeCloseTo(Math.sqrt(3) / 2, 1)
    const shapes = shapesOf(pie(), view(30, 0))
    const tops = shapes.filter(({ color }) => color === '808080')
    // Two of four slices have a rim that is seen, and nothing is cut.
    expect(shapes.filter(({ color }) => color === dark)).toHaveLength(2)
    expect(shapes.find(({ color }) => color === dark)!.bottom).toBeGreaterThan(
      Math.max(...tops.map(({ bottom }) => bottom)),
    )
    expect(shapes.some(({ color }) => color === '4D4D4D')).toBe(false)
  })

  test('show their cut sides if a slice is pulled out', () => {
    const shapes = shapesOf(pie('<c:explosion val="20"/>'), view(30, 0))
    expect(shapes.filter(({ color }) => color === '4D4D4D')).toHaveLength(8)
  })
})
