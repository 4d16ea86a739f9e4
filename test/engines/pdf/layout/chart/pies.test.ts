import { describe, expect, test } from 'bun:test'
import {
  ASCENT,
  DIGIT,
  data,
  drawn,
  green,
  LINE,
  labels,
  look,
  paintedIn,
  placesOf,
  red,
  series,
  tenths,
} from './made-charts.ts'

/* Pies on a plot of 100 by 60 pt, whose middle is at (150, 110): as a whole they have a radius of 30 pt. */
const same = '<c:varyColors val="0"/>'
const pie = (values: readonly (number | '')[], inside = '', after = '') =>
  drawn(`<c:pieChart>${same}${series(0, data(values), look(red) + inside)}${after}</c:pieChart>`)
const values = (position: string) =>
  labels(`${position === '' ? '' : `<c:dLblPos val="${position}"/>`}<c:showVal val="1"/>`)
const corner = (path: string | undefined) =>
  /^M(\S+),(\S+) /
    .exec(path ?? '')
    ?.slice(1)
    .map(Number)
const tip = (path: string | undefined) =>
  /L(\S+),(\S+) Z$/
    .exec(path ?? '')
    ?.slice(1)
    .map(Number)
const extent = (paths: readonly string[]) => {
  const places = paths.flatMap((path) =>
    [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
  )
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

describe('a slice', () => {
  test('begins at the top, or at the angle that is stated, and the others follow clockwise', () => {
    const slices = (angle: string) => paintedIn(pie([1, 1, 2], '', angle).paths, red).map(corner)
    expect(slices('')).toEqual([
      [150, 80],
      [180, 110],
      [150, 140],
    ])
    expect(slices('<c:firstSliceAng val="90"/>')).toEqual([
      [180, 110],
      [150, 140],
      [120, 110],
    ])
    expect(slices('<c:firstSliceAng val="270"/>')[0]).toEqual([120, 110])
  })

  test('is as large as its value, whatever its sign, and nothing without one', () => {
    const slices = (...list: (number | '')[]) => paintedIn(pie(list).paths, red).map(corner)
    expect(slices(-1, 1, -2)).toEqual(slices(1, 1, 2))
    expect(slices(0.01, 0.01, 0.02)).toEqual(slices(1, 1, 2))
    expect(slices(1, '', 0, 1, 2)).toEqual(slices(1, 1, 2))
    expect(slices(0, 0)).toEqual([])
  })

  test('that is all of the pie is a circle, and others have their tip in the middle', () => {
    const [whole, ...others] = paintedIn(pie([3]).paths, red)
    expect(others).toEqual([])
    expect([whole?.includes('L'), whole?.endsWith('Z')]).toEqual([false, true])
    expect(paintedIn(pie([1, 3]).paths, red).map(tip)).toEqual([
      [150, 110],
      [150, 110],
    ])
  })

  test('that is pulled out moves by its share of the radius, and makes the pie smaller so that it has room', () => {
    const one = paintedIn(pie([1, 1], '<c:dPt><c:idx val="0"/><c:explosion val="50"/></c:dPt>').paths, red)
    // A radius of 20 pt; the right half moves 10 pt to the right.
    expect(one.map(tip)).toEqual([
      [160, 110],
      [150, 110],
    ])
    expect(one.map(corner)).toEqual([
      [160, 90],
      [150, 130],
    ])
    const all = paintedIn(pie([1, 1], '<c:explosion val="50"/>').paths, red)
    expect(all.map(tip)).toEqual([
      [160, 110],
      [140, 110],
    ])
    expect(extent(all)).toMatchObject({ left: 120, right: 180 })
  })

  test('of a ring has its hole in the middle, as wide as is stated', () => {
    const ring = (hole: number) =>
      extent(
        paintedIn(
          drawn(
            `<c:doughnutChart>${same}${series(0, data([1]), look(red))}<c:holeSize val="${hole}"/></c:doughnutChart>`,
          ).paths,
          red,
        ).map((path) => path.slice(path.lastIndexOf('M'))),
      )
    expect(ring(50)).toMatchObject({ left: 135, right: 165, top: 95, bottom: 125 })
    expect(ring(80)).toMatchObject({ left: 126, right: 174 })
  })

  test('of a pie is of its first series alone', () => {
    const two = drawn(
      `<c:pieChart>${same}${series(0, data([1, 1]), look(red))}${series(1, data([1, 1]), look(green))}</c:pieChart>`,
    )
    expect([paintedIn(two.paths, red).length, paintedIn(two.paths, green).length]).toEqual([2, 0])
  })
})

describe('the label of a slice', () => {
  const width = DIGIT
  const middle = 110 - LINE / 2 + ASCENT
  const right = (position: string) => placesOf(pie([4, 3, 1], values(position)).texts)['4']

  test('is within its end, at its end, or in its middle', () => {
    // Half of the pie, to the right: its end is at 180.
    expect(right('')).toEqual(tenths(180 - 2 - width, middle))
    expect(right('bestFit')).toEqual(tenths(180 - 2 - width, middle))
    expect(right('inEnd')).toEqual(tenths(180 - 2 - width, middle))
    expect(right('ctr')).toEqual(tenths(150 + 15 - width / 2, middle))
    // Labels outside leave room for two of their size at each side: the radius is 10.
    expect(right('outEnd')).toEqual(tenths(150 + 10 + 2, middle))
  })

  test('above or below the middle has its height within the end', () => {
    const texts = (position: string) =>
      placesOf(pie([4, 3, 1], values(position), '<c:firstSliceAng val="90"/>').texts)['4']
    expect(texts('inEnd')).toEqual(tenths(150 - width / 2, 140 - 2 - LINE + ASCENT))
    expect(texts('outEnd')).toEqual(tenths(150 - width / 2, 120 + 2 + ASCENT))
    expect(texts('ctr')).toEqual(tenths(150 - width / 2, 125 - LINE / 2 + ASCENT))
  })

  test('goes with a slice that is pulled out', () => {
    const pulled = pie([4, 3, 1], `<c:dPt><c:idx val="0"/><c:explosion val="50"/></c:dPt>${values('ctr')}`)
    expect(placesOf(pulled.texts)['4']).toEqual(tenths(160 + 10 - width / 2, middle))
  })

  test('of a ring is in the middle of its band', () => {
    const ring = drawn(
      `<c:doughnutChart>${same}${series(0, data([4, 3, 1]), look(red) + values(''))}<c:holeSize val="50"/></c:doughnutChart>`,
    )
    expect(placesOf(ring.texts)['4']).toEqual(tenths(150 + 22.5 - width / 2, middle))
  })

  test('tells the share of the whole in whole hundredths, or in its own format', () => {
    const shares = (inside: string) =>
      pie([1, 1, 1], labels(`${inside}<c:showPercent val="1"/>`)).texts.map((text) => text.replace(/^\S+ /, ''))
    expect(shares('')).toEqual(['33%', '33%', '33%'])
    expect(shares('<c:numFmt formatCode="0.0%"/>')).toEqual(['33.3%', '33.3%', '33.3%'])
    expect(shares('<c:numFmt formatCode="0.00"/>')).toEqual(['33%', '33%', '33%'])
  })

  test('says what it is asked for, in one order, with what is between', () => {
    const said = (inside: string, list: string = data([2, 2])) =>
      drawn(`<c:pieChart>${same}${series(0, list, look(red) + labels(inside))}</c:pieChart>`).texts.map((text) =>
        text.replace(/^\S+ /, ''),
      )
    const all = '<c:showVal val="1"/><c:showCatName val="1"/><c:showSerName val="1"/><c:showPercent val="1"/>'
    expect(said(`${all}<c:separator>; </c:separator>`)[0]).toBe('S0; C0; 2; 50%')
    expect(said('<c:showCatName val="1"/>')).toEqual(['C0', 'C1'])
    expect(said('<c:showSerName val="1"/>')).toEqual(['S0', 'S0'])
    // Categories without names are numbered.
    expect(said('<c:showCatName val="1"/>', data([2, 2]).replace(/<c:cat>.*<\/c:cat>/, ''))).toEqual(['1', '2'])
    expect(
      said('<c:showCatName val="1"/><c:showVal val="1"/><c:separator>; </c:separator>', data([2, 2], ['', 'B'])),
    ).toEqual(['2', 'B; 2'])
    expect(said('<c:showVal val="1"/>', data(['', 2]))).toEqual(['2'])
  })

  test('has a box that is 3 pt wider at each side, and 1.5 pt higher', () => {
    const boxed = pie([4, 3, 1], labels(`${look('ABCDEF')}<c:dLblPos val="ctr"/><c:showVal val="1"/>`))
    expect(placesOf(boxed.texts)['4']).toEqual(tenths(165 - width / 2, middle))
    const [left, top, wide, down] = [165 - width / 2 - 3, 110 - LINE / 2 - 1.5, width + 6, LINE + 3]
    expect(extent(paintedIn(boxed.paths, 'ABCDEF').slice(0, 1))).toEqual({
      left: tenths(left)[0] ?? 0,
      top: tenths(top)[0] ?? 0,
      right: tenths(left + wide)[0] ?? 0,
      bottom: tenths(top + down)[0] ?? 0,
    })
    const framed = pie([4, 3, 1], labels(`${look(undefined, 'ABCDEF')}<c:dLblPos val="ctr"/><c:showVal val="1"/>`))
    expect(paintedIn(framed.paths, 'ABCDEF')).toHaveLength(3)
  })
})

describe('a pie in depth', () => {
  const deep = (angle: number, inside = '', list: readonly number[] = [1, 1, 2]) =>
    drawn(`<c:pie3DChart>${same}${series(0, data(list), look('808080') + inside)}</c:pie3DChart>`, {
      before: `<c:view3D><c:rotX val="${angle}"/></c:view3D>`,
    })
  const everything = ({ paths }: { paths: readonly string[] }) =>
    paths.filter((path) => / fill /.test(path)).map((path) => path.replace(/ fill.*/, ''))

  test('fills the height of its plot together with its rim, or its width', () => {
    expect(extent(everything(deep(60)))).toMatchObject({ top: 80, bottom: 140 })
    const { left, right, top, bottom } = extent(everything(deep(30)))
    expect([top, bottom]).toEqual([80, 140])
    expect((left + right) / 2).toBeCloseTo(150, 1)
    const low = extent(everything(deep(10)))
    expect([low.left, low.right]).toEqual([100, 200])
    // A radius of 50: the ellipse is 50 sin 10° above and below its middle, and the rim a quarter of 50 cos 10° high.
    expect(low.bottom - low.top).toBeCloseTo(100 * Math.sin(Math.PI / 18) + 12.5 * Math.cos(Math.PI / 18), 0)
    expect((low.top + low.bottom) / 2).toBeCloseTo(110, 0)
  })

  test('has its labels and slices that are pulled out on the tilted disc', () => {
    const below = '<c:dPt><c:idx val="2"/><c:explosion val="50"/></c:dPt>'
    const tops = paintedIn(deep(30, below, [1, 1, 2]).paths, '808080')
    // The last half is to the left, so it moves to the left alone.
    expect(tip(tops[2])?.[1]).toBeCloseTo(tip(tops[0])?.[1] ?? 0, 1)
    const down = paintedIn(deep(30, '<c:dPt><c:idx val="0"/><c:explosion val="50"/></c:dPt>', [1, 1]).paths, '808080')
    expect((tip(down[0])?.[0] ?? 0) - (tip(down[1])?.[0] ?? 0)).toBeGreaterThan(10)
    const ring = (angle: string) =>
      placesOf(
        drawn(
          `<c:pie3DChart>${same}${series(0, data([4, 3, 1]), look('808080') + values('ctr'))}<c:firstSliceAng val="${angle}"/></c:pie3DChart>`,
          {
            before: '<c:view3D><c:rotX val="30"/></c:view3D>',
          },
        ).texts,
      )['4'] ?? []
    const [[x = 0, y = 0], [, lower = 0]] = [ring('0'), ring('90')]
    expect((lower - y) / (x - 150 + DIGIT / 2)).toBeCloseTo(0.5, 1)
  })
})

describe('a pie with a plot beside it', () => {
  const beside = (kind: string, inside: string, list: readonly number[] = [4, 3, 2, 1], own = '') =>
    drawn(
      `<c:ofPieChart><c:ofPieType val="${kind}"/>${same}${series(0, data(list), look(red) + own)}<c:splitType val="pos"/><c:splitPos val="2"/>${inside}</c:ofPieChart>`,
    )
  const sized = (gap: number, size: number) => `<c:gapWidth val="${gap}"/><c:secondPieSize val="${size}"/>`

  test('has a bar as wide as a radius and two high, in the middle of its height, with both in the middle of their plot', () => {
    const { paths } = beside('bar', sized(0, 100))
    const [, , , upper, lower] = paintedIn(paths, red)
    // Two radii for the pie and one for the bar: 90 of the 100 pt.
    expect([upper, lower]).toEqual(['M165,80 L195,80 L195,120 L165,120 Z', 'M165,120 L195,120 L195,140 L165,140 Z'])
    expect(tip(paintedIn(paths, red)[0])).toEqual([135, 110])
    // A gap of twice the bar, which is half as large: 2 radii, 1 and a half one.
    const [, , , small] = paintedIn(beside('bar', sized(200, 50)).paths, red)
    const radius = 100 / 3.5
    expect(extent([small ?? ''])).toMatchObject({
      left: tenths(200 - radius / 2)[0] ?? 0,
      right: 200,
      top: tenths(110 - radius / 2)[0] ?? 0,
    })
  })

  test('is as small as slices that are pulled out need', () => {
    const pies = paintedIn(beside('pie', sized(100, 50), [4, 3, 2, 1], '<c:explosion val="50"/>').paths, red)
    // One and a half radii to each side of the first, half a radius between, and half as many of the second: five of 20.
    const apex = (x: number, away: number, degrees: number) =>
      tenths(x + away * Math.cos((degrees / 180) * Math.PI), 110 + away * Math.sin((degrees / 180) * Math.PI))
    expect(pies.map(tip)).toEqual([
      apex(130, 10, 54 + 72),
      apex(130, 10, 54 + 144 + 54),
      apex(130, 10, 0),
      apex(185, 5, -90 + 120),
      apex(185, 5, -90 + 240 + 60),
    ])
    // With a bar they are four: 80 of 100 pt, because the pie would be too high.
    const bar = paintedIn(beside('bar', sized(100, 50), [4, 3, 2, 1], '<c:explosion val="50"/>').paths, red)
    expect(extent(bar.slice(3))).toMatchObject({ left: 180, right: 190, top: 100, bottom: 120 })
  })

  test('has a slice for all of it, which points to it, and none where no point is there', () => {
    const [, , other] = paintedIn(beside('pie', sized(100, 50)).paths, red)
    // Three tenths of the whole, half of them above the middle.
    const [x = 0, y = 0] = corner(other) ?? []
    const [middleX = 0, middleY = 0] = tip(other) ?? []
    expect(Math.atan2(middleY - y, x - middleX)).toBeCloseTo(0.3 * Math.PI, 1)
    const without = beside('pie', `${sized(100, 50)}<c:serLines>${look(undefined, green)}</c:serLines>`, [4, 3, 0, 0])
    expect([paintedIn(without.paths, red).length, paintedIn(without.paths, green).length]).toEqual([2, 0])
    expect(beside('pie', sized(100, 50), [0, 0, 0, 0]).paths).toEqual([])
    expect(paintedIn(beside('pie', sized(100, 50), [0.04, 0.03, 0.02, 0.01]).paths, red)).toEqual(
      paintedIn(beside('pie', sized(100, 50)).paths, red),
    )
  })

  test('is joined to it by lines to the upper and the lower end of the other', () => {
    const { paths } = beside('bar', `${sized(0, 100)}<c:serLines>${look(undefined, green)}</c:serLines>`)
    const [down, up] = [0.3 * Math.PI, -0.3 * Math.PI].map((angle) =>
      tenths(135 + 30 * Math.cos(angle), 110 + 30 * Math.sin(angle)).join(','),
    )
    expect(paintedIn(paths, green)).toEqual([`M${down} L165,140`, `M${up} L165,80`])
  })

  test('says Other for the slice of all of it, and has the labels of a bar in the middle of its parts', () => {
    const told = labels('<c:showCatName val="1"/><c:dLblPos val="ctr"/>')
    const { texts } = beside('bar', sized(0, 100), [4, 3, 2, 1], told)
    const places = placesOf(texts)
    expect(Object.keys(places)).toEqual(['C0', 'C1', 'Other', 'C2', 'C3'])
    const half = (DIGIT + 0.722 * 9.75) / 2
    expect([places.C2, places.C3]).toEqual([
      tenths(180 - half, 100 - LINE / 2 + ASCENT),
      tenths(180 - half, 130 - LINE / 2 + ASCENT),
    ])
    expect(places.Other?.[1]).toBe(tenths(110 - LINE / 2 + ASCENT)[0])
    // Categories without names are numbered in both.
    const numbered = drawn(
      `<c:ofPieChart><c:ofPieType val="bar"/>${same}${series(0, data([4, 3, 2, 1]).replace(/<c:cat>.*<\/c:cat>/, ''), look(red) + told)}</c:ofPieChart>`,
    )
    expect(Object.keys(placesOf(numbered.texts)).sort()).toEqual(['1', '2', '3', '4', 'Other'])
  })
})

test('a pie keeps 3.5 mm from the edges of a chart that states no place for it', () => {
  const { paths } = drawn(`<c:pieChart>${same}${series(0, data([1, 1]), look(red))}</c:pieChart>`, { layout: '' })
  expect(extent(paintedIn(paths, red))).toMatchObject({
    top: tenths(50 + 9.92)[0] ?? 0,
    bottom: tenths(170 - 9.92)[0] ?? 0,
  })
})
