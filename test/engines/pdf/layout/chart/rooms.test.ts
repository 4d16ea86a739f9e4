import { describe, expect, test } from 'bun:test'
import {
  ASCENT,
  axis,
  DIGIT,
  data,
  drawn,
  hidden,
  ids,
  LINE,
  legend,
  look,
  paintedIn,
  placesOf,
  range,
  red,
  series,
  tenths,
  title,
  turned,
} from './made-charts.ts'

/** A tick is 4.25 pt long, and a label is 2.835 pt from it. */
const [TICK, GAP] = [4.25, 2.835]
const columns = (categories: string, values: string, list: readonly number[]) =>
  drawn(
    `<c:barChart><c:barDir val="col"/>${series(0, data(list), look(red))}${ids}</c:barChart>${categories}${values}`,
    {
      layout: '',
    },
  )
const ticks = (kind: string) => `<c:majorTickMark val="${kind}"/>`

describe('room for labels', () => {
  const bare = (inside: string) =>
    columns(axis('catAx', 1, 'b', hidden), axis('valAx', 2, 'l', inside, range(0, 10)), [5, 2])

  test('is as wide as the widest label with its tick, and as high above as half of the uppermost one', () => {
    const half = 0.75 / 2
    const line = (inside: string) => bare(inside).paths.find((path) => path.includes('878787')) ?? ''
    const place = (inside: string) =>
      [...line(inside).matchAll(/[ML](\S+),(\S+)/g)].map(([, x, y]) => [Number(x), Number(y)])
    // The chart keeps a fiftieth at each edge: 4 pt across and 2.4 pt upwards.
    const upright = (inside: string, label: number) =>
      expect(place(inside)).toEqual([
        tenths(50 + 4 + label + GAP + half, 50 + 2.4 + LINE / 2 + half),
        tenths(50 + 4 + label + GAP + half, 170 - 2.4 - LINE / 2 - half),
      ])
    upright('<c:majorUnit val="5"/>', 2 * DIGIT)
    upright('<c:majorUnit val="5"/><c:numFmt formatCode="000"/>', 3 * DIGIT)
    const without = '<c:majorUnit val="5"/><c:tickLblPos val="none"/>'
    expect(place(without)).toEqual([tenths(54 + half, 52.4), tenths(54 + half, 167.6)])
    expect(place(without + ticks('out')).map(([x]) => x)).toEqual(tenths(54 + TICK + half, 54 + half))
  })

  test('never takes more than two thirds of the chart from the plot', () => {
    const name = 'W'.repeat(60)
    const { paths } = drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data([1], [name]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', turned(-90))}${axis('valAx', 2, 'l', hidden, range(0, 1))}`,
      { layout: '' },
    )
    const [, top, bottom] = /^M\S+,(\S+) L\S+ L\S+,(\S+) /.exec(paintedIn(paths, red)[0] ?? '') ?? []
    expect(Number(bottom) - Number(top)).toBeCloseTo((120 - 4.8) / 3, 1)
  })

  test('is left for fewer values where their rounded labels would be the same', () => {
    const said = (format: string) =>
      columns(
        axis('catAx', 1, 'b', hidden),
        axis('valAx', 2, 'l', `<c:numFmt formatCode="${format}"/>`),
        [1, 2],
      ).texts.map((text) => text.split(' ')[1])
    expect(said('0.0')).toEqual(['0.0', '0.5', '1.0', '1.5', '2.0', '2.5'])
    expect(said('0')).toEqual(['0', '1', '2', '3'])
  })
})

test.each(['t', 'b', 'l', 'r'])(
  'the title of an axis at %s is outside of the plot, which gives way there alone',
  (at) => {
    const isUpright = at === 'l' || at === 'r'
    const bare = '<c:tickLblPos val="none"/>'
    const titled = (inside: string) => {
      const [names, values] = isUpright ? [bare, bare + inside] : [bare + inside, bare]
      const axes =
        axis('catAx', 1, isUpright ? 'b' : at, names) + axis('valAx', 2, isUpright ? at : 'l', values, range(0, 10))
      const { paths, texts } = drawn(
        `<c:barChart><c:barDir val="col"/><c:gapWidth val="0"/>${series(0, data([10]), look(red))}${ids}</c:barChart>${axes}`,
        { layout: '' },
      )
      const corners = [...(paintedIn(paths, red)[0] ?? '').matchAll(/(-?[\d.]+),(-?[\d.]+)/g)]
      const [xs, ys] = [corners.map(([, x]) => Number(x)), corners.map(([, , y]) => Number(y))]
      const edges = { l: Math.min(...xs), r: Math.max(...xs), t: Math.min(...ys), b: Math.max(...ys) }
      return { edges, place: placesOf(texts).T }
    }
    const [without, beside] = [titled('').edges, titled(title('T'))]
    const [x = Number.NaN, baseline = Number.NaN] = beside.place ?? []
    const { l, r, t, b } = beside.edges
    expect({ t: baseline < t, b: baseline - ASCENT > b, l: x < l, r: x > r }).toMatchObject({ [at]: true })
    for (const edge of ['t', 'b', 'l', 'r'] as const) {
      const gaveWay = Math.abs(beside.edges[edge] - without[edge]) > LINE / 2
      expect([edge, gaveWay]).toEqual([edge, edge === at])
    }
  },
)

test('the title of an axis takes its room beyond a legend, and none where the axis is deleted', () => {
  const plot = (inside: string) =>
    `<c:barChart><c:barDir val="col"/>${series(0, data([5, 2]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', hidden)}${axis('valAx', 2, 'l', title('T') + inside, range(0, 10))}`
  const said = (inside: string) => placesOf(drawn(plot(inside), { layout: '', after: legend('l') }).texts)
  expect(said('').T?.[0]).toBeGreaterThan(said('').S0?.[0] ?? 0)
  expect(said(hidden).T).toBeUndefined()
})
