import { describe, expect, test } from 'bun:test'
import type { Frame, PathFrame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { levelGridLine, uprightGridLine } from '../../../../../src/engines/pdf/layout/chart/depth.ts'
import {
  ASCENT,
  axis,
  blue,
  data,
  drawn,
  green,
  hidden,
  hiddenAxes,
  ids,
  LINE,
  look,
  noSign,
  paintedIn,
  placesOf,
  points,
  range,
  red,
  series,
  tenths,
  valueAxes,
  widthOf,
} from './made-charts.ts'

const pathFrames = (frames: readonly Frame[]): PathFrame[] =>
  frames.flatMap((frame) =>
    frame.kind === 'path' ? [frame] : frame.kind === 'group' || frame.kind === 'clip' ? pathFrames(frame.frames) : [],
  )

describe('a net', () => {
  const net = (list: readonly (number | '')[], value: string, layout?: string, category = '') =>
    drawn(
      `<c:radarChart>${series(0, data(list), look(undefined, red) + noSign)}${ids}</c:radarChart>${axis('catAx', 1, 'b', category)}${value}`,
      layout === undefined ? {} : { layout },
    )
  const values = (inside: string, scaling = range(0, 10)) =>
    axis('valAx', 2, 'l', inside + look(undefined, blue), scaling)

  test('is as large as its names leave room for, in the middle of its plot', () => {
    // 30 pt less a line and 3 pt; then what a name of that width leaves of 50 pt.
    const radius = (name: string) =>
      paintedIn(
        drawn(
          `<c:radarChart>${series(0, data([1, 2, 3], [name, 'b', 'c']), look(undefined, red) + noSign)}${ids}</c:radarChart>${axis('catAx', 1, 'b')}${values('')}`,
        ).paths,
        blue,
      )[0]
    expect(radius('a')).toBe(`M150,110 L150,${tenths(110 - 15.75)[0]}`)
    const wide = 'a'.repeat(7)
    expect(radius(wide)).toBe(`M150,110 L150,${tenths(110 - (50 - widthOf(wide) - 3))[0]}`)
    // Never smaller than can be seen.
    expect(radius('a'.repeat(30))).toBe('M150,110 L150,106')
  })

  test('keeps its figure between its middle and its outermost ring', () => {
    expect(paintedIn(net([10, '', 20, -5], values('')).paths, red)).toEqual([
      'M150,94.3 L150,110 L150,125.8 L150,110 Z',
    ])
  })

  test('has its values left of its first spoke, in the format of the axis or of the data, unless they are hidden', () => {
    const said = (inside: string) => placesOf(net([10, 5, 5], values(`<c:majorUnit val="5"/>${inside}`)).texts)
    const place = (text: string, share: number) =>
      tenths(150 - widthOf(text) - 3, 110 - share * 15.75 - LINE / 2 + ASCENT)
    expect(said('')['5']).toEqual(place('5', 0.5))
    expect(said('<c:numFmt formatCode="0.0"/>')['10.0']).toEqual(place('10.0', 1))
    expect(Object.keys(said(hidden)).sort()).toEqual(['C0', 'C1', 'C2'])
    expect(Object.keys(said('<c:tickLblPos val="none"/>')).sort()).toEqual(['C0', 'C1', 'C2'])
    const formatted = data([10, 5, 5]).replace('<c:numCache>', '<c:numCache><c:formatCode>0.00</c:formatCode>')
    const own = drawn(
      `<c:radarChart>${series(0, formatted, look(undefined, red) + noSign)}${ids}</c:radarChart>${axis('catAx', 1, 'b')}${values('<c:majorUnit val="5"/>')}`,
    )
    expect(Object.keys(placesOf(own.texts))).toContain('5.00')
  })

  test('has as many rings as its values have room for', () => {
    const grid = `<c:majorGridlines>${look(undefined, green)}</c:majorGridlines>`
    const rings = (layout?: string) => paintedIn(net([13, 3, 7], values(grid, ''), layout).paths, green).length
    // A radius of 15.75 pt has room for one value, but there are two intervals; one of 43.35 pt has three.
    expect([rings(), rings('')]).toEqual([3, 4])
  })

  test('has spokes in the line of its axis, else of its grid, or none', () => {
    const grid = `<c:majorGridlines>${look(undefined, green)}</c:majorGridlines>`
    const spokes = (axisLine: string, inside: string) => {
      const { paths } = net([1, 2, 3], axis('valAx', 2, 'l', inside + axisLine, range(0, 10)))
      return [blue, green].map((color) => paintedIn(paths, color).filter((path) => !path.endsWith('Z')).length)
    }
    expect(spokes(look(undefined, blue), grid)).toEqual([3, 0])
    expect(spokes(look(), grid)).toEqual([0, 3])
    expect(spokes(look(), '')).toEqual([0, 0])
  })

  test('numbers its spokes where no series names them, and takes the names of the first that has any', () => {
    const said = (...lists: string[]) =>
      Object.keys(
        placesOf(
          drawn(
            `<c:radarChart>${lists.map((list, at) => series(at, list, look(undefined, red) + noSign)).join('')}${ids}</c:radarChart>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l', hidden, range(0, 10))}`,
          ).texts,
        ),
      )
    const bare = data([1, 2, 3]).replace(/<c:cat>.*<\/c:cat>/, '')
    expect(said(bare)).toEqual(['1', '2', '3'])
    expect(said(bare, data([1, 2, 3], ['X', 'Y', 'Z']))).toEqual(['X', 'Y', 'Z'])
  })
})

describe('columns in depth', () => {
  const [fill, rear] = ['808080', '0000CC']
  const two = series(0, data([5, 10]), look(fill)) + series(1, data([10, 5]), look(fill))
  const walls = `<c:floor>${look('0000AA')}</c:floor><c:sideWall>${look('0000BB')}</c:sideWall><c:backWall>${look(rear)}</c:backWall>`
  const grid = (color: string) => `<c:majorGridlines>${look(undefined, color)}</c:majorGridlines>`
  const deep = (seriesAxis = '', layout?: string) =>
    drawn(
      `<c:bar3DChart><c:barDir val="col"/><c:grouping val="standard"/>${two}<c:gapWidth val="100"/><c:gapDepth val="100"/>${ids}<c:axId val="3"/></c:bar3DChart>${axis('catAx', 1, 'b', grid(blue))}${axis('valAx', 2, 'l', `${grid(green)}<c:majorUnit val="5"/>`, range(0, 10))}${axis('serAx', 3, 'b', seriesAxis)}`,
      {
        ...(layout === undefined ? {} : { layout }),
        before: `<c:view3D><c:rotX val="30"/><c:rotY val="30"/></c:view3D>${walls}`,
      },
    )
  const corners = (path: string | undefined) =>
    [...(path ?? '').matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((found) => found.slice(1).map(Number))
  /** The front of the plot, and how far its back is to the right and above. */
  const frontOf = (paths: readonly string[]) => {
    const [[left = 0, bottom = 0] = [], [backLeft = 0, backBottom = 0] = [], , [right = 0] = []] = corners(
      paintedIn(paths, '0000AA')[0],
    )
    const [, , , [, top = 0] = []] = corners(paintedIn(paths, '0000BB')[0]).toReversed()
    return { left, right, top, bottom, dx: backLeft - left, dy: bottom - backBottom }
  }

  test('have a back, a side and a floor that meet at their edges', () => {
    const { paths } = deep()
    const { left, right, top, bottom, dx, dy } = frontOf(paths)
    const at = (x: number, y: number) => [expect.closeTo(x, 0), expect.closeTo(y, 0)]
    expect(corners(paintedIn(paths, rear)[0])).toEqual([
      at(left + dx, top - dy),
      at(right + dx, top - dy),
      at(right + dx, bottom - dy),
      at(left + dx, bottom - dy),
    ])
    expect(corners(paintedIn(paths, '0000BB')[0])).toEqual([
      at(left, top),
      at(left + dx, top - dy),
      at(left + dx, bottom - dy),
      at(left, bottom),
    ])
    expect(corners(paintedIn(paths, '0000AA')[0])).toEqual([
      at(left, bottom),
      at(left + dx, bottom - dy),
      at(right + dx, bottom - dy),
      at(right, bottom),
    ])
    // All of it is in the plot's place.
    expect([left, bottom]).toEqual([100, 140])
    expect(right + dx).toBeWithin(190, 200.1)
    expect(top - dy).toBeWithin(79.9, 90)
  })

  test('have lines of their grid along the side and the floor to the back, which end there', () => {
    const { paths } = deep()
    const { left, right, top, bottom, dx, dy } = frontOf(paths)
    const [level, upright] = [paintedIn(paths, green), paintedIn(paths, blue)]
    expect([level.length, upright.length]).toEqual([3, 3])
    expect(corners(level[2])).toEqual([
      [left, top],
      [left + dx, expect.closeTo(top - dy, 0)],
      [expect.closeTo(right + dx, 0), expect.closeTo(top - dy, 0)],
    ])
    expect(corners(upright[0])).toEqual([
      [left, bottom],
      [left + dx, expect.closeTo(bottom - dy, 0)],
      [left + dx, expect.closeTo(top - dy, 0)],
    ])
    const front = { x: 10, y: 20, width: 400, height: 200 }
    expect([levelGridLine(100, front, { x: 12, y: 8 }).ops, uprightGridLine(100, front, { x: 12, y: 8 }).ops]).toEqual([
      'MLL',
      'MLL',
    ])
  })

  test('are in the middle of their rows, with half of their gap before and behind them', () => {
    const { paths } = deep()
    const { left, bottom, dx, dy, right } = frontOf(paths)
    // Two rows of columns as deep as their gap: each is a quarter of the depth, an eighth behind the front of its row.
    const fronts = paintedIn(paths, fill).map((path) => corners(path))
    const column = (right - left) / 2 / 2
    const foot = (path: number[][] | undefined) => path?.[3]
    expect(foot(fronts[2])).toEqual([expect.closeTo(left + column / 2 + dx / 8, 0), expect.closeTo(bottom - dy / 8, 0)])
    expect(foot(fronts[0])).toEqual([
      expect.closeTo(left + column / 2 + (dx * 5) / 8, 0),
      expect.closeTo(bottom - (dy * 5) / 8, 0),
    ])
    expect((fronts[0]?.[1]?.[0] ?? 0) - (fronts[0]?.[0]?.[0] ?? 0)).toBeCloseTo(column, 0)
    const [side] = paintedIn(paths, '666666').map((path) => corners(path))
    expect([(side?.[1]?.[0] ?? 0) - (side?.[0]?.[0] ?? 0), (side?.[0]?.[1] ?? 0) - (side?.[1]?.[1] ?? 0)]).toEqual([
      expect.closeTo(dx / 4, 0),
      expect.closeTo(dy / 4, 0),
    ])
  })

  test('have the names of their rows 2.5 mm beside them, unless their axis is hidden', () => {
    const { paths, texts } = deep()
    const { right, bottom, dx, dy } = frontOf(paths)
    for (const [name, share] of [
      ['S0', 1 / 4],
      ['S1', 3 / 4],
    ] as const) {
      const [x = 0, y = 0] = placesOf(texts)[name] ?? []
      expect(x).toBeCloseTo(right + share * dx + 7.1, 0)
      expect(y).toBeCloseTo(bottom - share * dy - LINE / 2 + ASCENT, 0)
    }
    for (const without of [hidden, '<c:tickLblPos val="none"/>'])
      expect(Object.keys(placesOf(deep(without).texts))).not.toContain('S0')
    // They take their room from the plot.
    const widest = (seriesAxis: string) => {
      const front = frontOf(deep(seriesAxis, '').paths)
      return front.right + front.dx
    }
    expect(widest(hidden) - widest('')).toBeWithin(5, 20)
    const last = placesOf(deep('', '').texts).S1?.[0] ?? 0
    expect(last + widthOf('S1')).toBeLessThanOrEqual(250)
  })
})

describe('a gradient', () => {
  const gradient =
    '<c:spPr><a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FF0000"/></a:gs><a:gs pos="100000"><a:srgbClr val="0000FF"/></a:gs></a:gsLst><a:lin ang="0"/></a:gradFill><a:ln><a:noFill/></a:ln></c:spPr>'
  /** From where to where the colours run, in the chart. */
  const reach = (frames: readonly Frame[]) =>
    pathFrames(frames).flatMap(({ x, fill }) =>
      fill?.kind === 'linear' ? [[50 + x + fill.x1, 50 + x + fill.x2].map(Math.round)] : [],
    )

  test('reaches over its column, its slice, its bubble and its area', () => {
    const column = drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data([5, 2]), gradient)}${ids}</c:barChart>${hiddenAxes}`,
    )
    expect(reach(column.frames)).toEqual([
      [115, 135],
      [165, 185],
    ])
    const pie = drawn(`<c:pieChart><c:varyColors val="0"/>${series(0, data([1, 3]), gradient)}</c:pieChart>`)
    expect(reach(pie.frames)).toEqual([
      [120, 180],
      [120, 180],
    ])
    const bubble = drawn(
      `<c:bubbleChart>${series(0, points([5], [5], [1]), gradient)}${ids}</c:bubbleChart>${valueAxes}`,
    )
    expect(reach(bubble.frames)).toEqual([[143, 158]])
    const area = drawn(`<c:areaChart>${series(0, data([5, 2]), gradient)}${ids}</c:areaChart>${hiddenAxes}`)
    expect(reach(area.frames)).toEqual([[100, 200]])
  })

  test('reaches over each sign of a line', () => {
    const sign = (symbol: string) =>
      reach(
        drawn(
          `<c:lineChart>${series(0, data([5]), `${look()}<c:marker><c:symbol val="${symbol}"/><c:size val="8"/>${gradient}</c:marker>`)}${ids}</c:lineChart>${hiddenAxes}`,
        ).frames,
      )
    for (const symbol of ['circle', 'square', 'diamond', 'triangle', 'dash', 'dot'])
      expect([symbol, sign(symbol)]).toEqual([symbol, [[146, 154]]])
  })
})
