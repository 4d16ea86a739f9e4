import { describe, expect, test } from 'bun:test'
import {
  ASCENT,
  axis,
  blue,
  DIGIT,
  data,
  drawn,
  green,
  hidden,
  ids,
  inner,
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
  turned,
} from './made-charts.ts'

/** A tick is 4.25 pt long, and a label is 2.835 pt from it. */
const [TICK, GAP] = [4.25, 2.835]
const columns = (categories: string, values: string, list: readonly (number | '')[] = [5, 2], layout = inner) =>
  drawn(
    `<c:barChart><c:barDir val="col"/>${series(0, data(list), look(red))}${ids}</c:barChart>${categories}${values}`,
    {
      layout,
    },
  )
const lines = (categories: string, values: string, list: readonly number[] = [5, 2, 4]) =>
  drawn(
    `<c:lineChart>${series(0, data(list), look(undefined, red) + noSign)}${ids}</c:lineChart>${categories}${values}`,
  )
const ticks = (kind: string) => `<c:majorTickMark val="${kind}"/>`
const categoriesIn = (inside: string, position = 'b', scaling = '') =>
  axis('catAx', 1, position, inside + look(undefined, blue), scaling)
const valuesIn = (inside: string, position = 'l', scaling = range(0, 10)) =>
  axis('valAx', 2, position, `<c:majorUnit val="5"/>${inside}${look(undefined, green)}`, scaling)

describe('ticks', () => {
  const across = (kind: string) => paintedIn(columns(categoriesIn(ticks('none')), valuesIn(ticks(kind))).paths, green)
  const upright = (kind: string) => paintedIn(columns(categoriesIn(ticks(kind)), valuesIn(ticks('none'))).paths, blue)

  test('of values reach out of the plot, into it, or both, at each step', () => {
    const line = 'M100,80 L100,140'
    expect(across('none')).toEqual([line])
    expect(across('out')).toEqual(['M100,140 L95.8,140', 'M100,110 L95.8,110', 'M100,80 L95.8,80', line])
    expect(across('in')).toEqual(['M104.3,140 L100,140', 'M104.3,110 L100,110', 'M104.3,80 L100,80', line])
    expect(across('cross')).toEqual(['M104.3,140 L95.8,140', 'M104.3,110 L95.8,110', 'M104.3,80 L95.8,80', line])
  })

  test('of names are between the categories, those at both ends among them', () => {
    const line = 'M100,140 L200,140'
    expect(upright('out')).toEqual(['M100,140 L100,144.3', 'M150,140 L150,144.3', 'M200,140 L200,144.3', line])
    expect(upright('in')).toEqual(['M100,135.8 L100,140', 'M150,135.8 L150,140', 'M200,135.8 L200,140', line])
    expect(upright('cross')).toEqual(['M100,135.8 L100,144.3', 'M150,135.8 L150,144.3', 'M200,135.8 L200,144.3', line])
  })

  test('reach to the other side where their axis is at the far end', () => {
    const far = '<c:crosses val="max"/>'
    const { paths } = columns(categoriesIn(far + ticks('cross'), 't'), valuesIn(far + ticks('out'), 'r'))
    expect(paintedIn(paths, green)).toEqual([
      'M200,140 L204.3,140',
      'M200,110 L204.3,110',
      'M200,80 L204.3,80',
      'M200,80 L200,140',
    ])
    expect(paintedIn(paths, blue)).toEqual([
      'M100,84.3 L100,75.8',
      'M150,84.3 L150,75.8',
      'M200,84.3 L200,75.8',
      'M100,80 L200,80',
    ])
  })

  test('of names are at the middle of categories if values are', () => {
    const middle = '<c:crossBetween val="midCat"/>'
    const { paths, texts } = lines(categoriesIn(ticks('out')), valuesIn(middle))
    expect(paintedIn(paths, blue).slice(0, 3)).toEqual([
      'M100,140 L100,144.3',
      'M150,140 L150,144.3',
      'M200,140 L200,144.3',
    ])
    const half = (DIGIT + 0.722 * 9.75) / 2
    expect(['C0', 'C1', 'C2'].map((name) => placesOf(texts)[name]?.[0])).toEqual(
      tenths(100 - half, 150 - half, 200 - half),
    )
    // A single category is in the middle.
    expect(placesOf(lines(categoriesIn(''), valuesIn(middle), [4]).texts).C0?.[0]).toBe(tenths(150 - half)[0])
  })

  test('keep labels away from the line of their axis', () => {
    const left = (kind: string) => placesOf(columns(categoriesIn(''), valuesIn(ticks(kind))).texts)['5']
    const below = (kind: string) => placesOf(columns(categoriesIn(ticks(kind)), valuesIn('')).texts).C0?.[1]
    const middle = 110 - LINE / 2 + ASCENT
    for (const kind of ['none', 'in']) {
      expect(left(kind)).toEqual(tenths(100 - GAP - DIGIT, middle))
      expect(below(kind)).toBe(tenths(140 + GAP + ASCENT)[0])
    }
    for (const kind of ['out', 'cross']) {
      expect(left(kind)).toEqual(tenths(100 - TICK - GAP - DIGIT, middle))
      expect(below(kind)).toBe(tenths(140 + TICK + GAP + ASCENT)[0])
    }
  })
})

describe('lines of the grid', () => {
  const grid = (color: string) => `<c:majorGridlines>${look(undefined, color)}</c:majorGridlines>`

  test('run across the plot at each tick, below everything else', () => {
    const { paths } = columns(
      axis('catAx', 1, 'b', grid(blue)),
      axis('valAx', 2, 'l', `<c:majorUnit val="5"/>${grid(green)}`, range(0, 10)),
    )
    expect(paths.slice(0, 6)).toEqual([
      'M100,140 L200,140 stroke 00FF00 1',
      'M100,110 L200,110 stroke 00FF00 1',
      'M100,80 L200,80 stroke 00FF00 1',
      'M100,80 L100,140 stroke 0000FF 1',
      'M150,80 L150,140 stroke 0000FF 1',
      'M200,80 L200,140 stroke 0000FF 1',
    ])
  })

  test('of an axis that is deleted are still there, without its line and labels', () => {
    const { paths, texts } = columns(
      axis('catAx', 1, 'b', hidden),
      axis('valAx', 2, 'l', `${hidden}<c:majorUnit val="10"/>${grid(green)}`, range(0, 10)),
    )
    expect(paths.filter((path) => path.includes('stroke'))).toEqual([
      'M100,140 L200,140 stroke 00FF00 1',
      'M100,80 L200,80 stroke 00FF00 1',
    ])
    expect(texts).toEqual([])
  })
})

describe('an axis that runs backwards', () => {
  const backwards = '<c:orientation val="maxMin"/>'

  test('has its names from right to left, and the other axis at its right', () => {
    const { paths, texts } = columns(categoriesIn('', 'b', backwards), valuesIn(''))
    const half = (DIGIT + 0.722 * 9.75) / 2
    expect([placesOf(texts).C0?.[0], placesOf(texts).C1?.[0]]).toEqual(tenths(175 - half, 125 - half))
    expect(paintedIn(paths, green)).toEqual(['M200,80 L200,140'])
    expect(placesOf(texts)['5']?.[0]).toBe(tenths(200 + GAP)[0])
    expect(paintedIn(paths, red)[0]).toBe('M165,110 L185,110 L185,140 L165,140 Z')
  })

  test('has its values from top to bottom, and the other axis at its upper end', () => {
    const { paths, texts } = columns(categoriesIn(''), valuesIn('', 'l', backwards + range(0, 10)))
    expect([placesOf(texts)['0']?.[1], placesOf(texts)['10']?.[1]]).toEqual(
      tenths(80 - LINE / 2 + ASCENT, 140 - LINE / 2 + ASCENT),
    )
    expect(paintedIn(paths, blue)).toEqual(['M100,80 L200,80'])
    expect(placesOf(texts).C0?.[1]).toBe(tenths(80 - GAP - LINE + ASCENT)[0])
  })
})

describe('an axis crosses the other one', () => {
  const level = (inside: string, scaling = range(0, 10)) =>
    paintedIn(columns(categoriesIn(inside), valuesIn('', 'l', scaling)).paths, blue)[0]
  const upright = (inside: string, list: readonly number[] = [5, 2]) =>
    paintedIn(columns(categoriesIn(''), valuesIn(inside), list).paths, green)[0]
  const at = (value: number) => `<c:crossesAt val="${value}"/>`

  test('at a value, at its ends, or at the nearest end to a value beyond it', () => {
    expect(level(at(5))).toBe('M100,110 L200,110')
    expect(level(at(2.5))).toBe('M100,125 L200,125')
    expect([level(at(-3)), level(at(0)), level('<c:crosses val="min"/>')]).toEqual(
      new Array(3).fill('M100,140 L200,140'),
    )
    expect([level(at(30)), level(at(10)), level('<c:crosses val="max"/>')]).toEqual(
      new Array(3).fill('M100,80 L200,80'),
    )
  })

  test('at zero where nothing is said, or at the end that is nearest to it', () => {
    expect(level('', range(-5, 5))).toBe('M100,110 L200,110')
    expect(level('', range(5, 10))).toBe('M100,140 L200,140')
    expect(level('', range(-10, -5))).toBe('M100,80 L200,80')
    expect(level('<c:crosses val="autoZero"/>', range(-10, 5))).toBe('M100,100 L200,100')
  })

  test('before the category of that number', () => {
    expect([upright(at(1)), upright(at(2)), upright(at(3))]).toEqual([
      'M100,80 L100,140',
      'M150,80 L150,140',
      'M200,80 L200,140',
    ])
    expect([upright(at(-4)), upright(at(9))]).toEqual(['M100,80 L100,140', 'M200,80 L200,140'])
  })

  test('on the category of that number, where the values are on the categories', () => {
    const on = (number: number) =>
      paintedIn(lines(categoriesIn(''), valuesIn(`<c:crossBetween val="midCat"/>${at(number)}`)).paths, green)[0]
    expect([on(1), on(2), on(3)]).toEqual(['M100,80 L100,140', 'M150,80 L150,140', 'M200,80 L200,140'])
    expect([on(0), on(7)]).toEqual(['M100,80 L100,140', 'M200,80 L200,140'])
  })

  test('at a power of a logarithmic one, and at its lower end for what has none', () => {
    const powers = `<c:logBase val="10"/>${range(1, 100)}`
    expect(level(at(10), powers)).toBe('M100,110 L200,110')
    expect([level('', powers), level(at(0), powers), level(at(-5), powers)]).toEqual(
      new Array(3).fill('M100,140 L200,140'),
    )
  })

  test('of values across at a value as well', () => {
    const scatter = (inside: string) =>
      paintedIn(
        drawn(
          `<c:scatterChart>${series(0, points([2, 8], [2, 8]), look() + noSign)}${ids}</c:scatterChart>${axis('valAx', 1, 'b', hidden, range(0, 10))}${valuesIn(inside)}`,
        ).paths,
        green,
      )[0]
    expect([scatter(''), scatter(at(4)), scatter('<c:crosses val="max"/>')]).toEqual([
      'M100,80 L100,140',
      'M140,80 L140,140',
      'M200,80 L200,140',
    ])
  })
})

describe('labels of an axis', () => {
  const placed = (position: string, inside = '') =>
    placesOf(columns(categoriesIn(inside), valuesIn(`<c:tickLblPos val="${position}"/><c:crossesAt val="2"/>`)).texts)[
      '5'
    ]

  test('are beside it, or at the lower or upper end of the other axis', () => {
    const middle = 110 - LINE / 2 + ASCENT
    expect(placed('nextTo')).toEqual(tenths(150 - GAP - DIGIT, middle))
    expect(placed('low')).toEqual(tenths(100 - GAP - DIGIT, middle))
    expect(placed('high')).toEqual(tenths(200 + GAP, middle))
    expect(placed('none')).toBeUndefined()
  })

  test('of names are below it, or at the lower or upper edge', () => {
    const below = (position: string) =>
      placesOf(columns(categoriesIn(`<c:tickLblPos val="${position}"/><c:crossesAt val="5"/>`), valuesIn('')).texts)
        .C0?.[1]
    expect([below('nextTo'), below('low'), below('high')]).toEqual(
      tenths(110 + GAP + ASCENT, 140 + GAP + ASCENT, 80 - GAP - LINE + ASCENT),
    )
  })

  test('take the format of the axis, of the values, or of shares', () => {
    const said = (plot: string, inside: string) =>
      drawn(
        `${plot}${axis('catAx', 1, 'b', hidden)}${axis('valAx', 2, 'l', `<c:majorUnit val="0.5"/>${inside}`, range(0, 1))}`,
      ).texts.map((text) => text.split(' ')[1])
    const formatted = data([1, 1]).replace('<c:numCache>', '<c:numCache><c:formatCode>0.000</c:formatCode>')
    const bars = (grouping: string) =>
      `<c:barChart><c:barDir val="col"/><c:grouping val="${grouping}"/>${series(0, formatted, look(red))}${ids}</c:barChart>`
    expect(said(bars('clustered'), '')).toEqual(['0.000', '0.500', '1.000'])
    expect(said(bars('percentStacked'), '')).toEqual(['0%', '50%', '100%'])
    expect(said(bars('percentStacked'), '<c:numFmt formatCode="0.0"/>')).toEqual(['0.0', '0.5', '1.0'])
    expect(said(bars('clustered'), '<c:numFmt formatCode="0.0" sourceLinked="1"/>')).toEqual([
      '0.000',
      '0.500',
      '1.000',
    ])
  })

  test('are the numbers of categories without names, and nothing for those that a list leaves out', () => {
    const named = (values: string) =>
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, values, look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b')}${axis('valAx', 2, 'l', hidden)}`,
      ).texts.map((text) => text.split(' ')[1])
    expect(named(data([3, 4]).replace(/<c:cat>.*<\/c:cat>/, ''))).toEqual(['1', '2'])
    expect(named(data([3, 4, 5], ['A', '', 'B']))).toEqual(['A', 'B'])
  })

  // The text runs to the right where it is turned by 0; the middle of the end that is nearer to the axis is at the tick.
  test.each([
    [-45, 'b', 'end'],
    [45, 'b', 'start'],
    [30, 'b', 'start'],
    [-60, 'b', 'end'],
    [-45, 't', 'start'],
    [45, 't', 'end'],
    [30, 't', 'end'],
  ] as const)('that are turned by %d° at %s touch their ticks with their %s', (degrees, position, nearer) => {
    const far = position === 't' ? '<c:crosses val="max"/>' : ''
    const { texts } = columns(
      categoriesIn(turned(degrees) + far, position),
      axis('valAx', 2, 'l', hidden, range(0, 10)),
    )
    const width = DIGIT + 0.722 * 9.75
    const angle = (degrees * Math.PI) / 180
    // From where the text begins, on its baseline, to the middle of that end.
    const [dx, dy] = [nearer === 'end' ? width : 0, LINE / 2 - ASCENT]
    const [x = 0, y = 0] = placesOf(texts).C0 ?? []
    const turnedX = x + dx * Math.cos(angle) - dy * Math.sin(angle)
    const turnedY = y + dx * Math.sin(angle) + dy * Math.cos(angle)
    expect(turnedX).toBeCloseTo(125, 0)
    // Its corner is at the distance of labels from the axis.
    const reach = (LINE / 2) * Math.cos(angle)
    expect(turnedY).toBeCloseTo(position === 'b' ? 140 + GAP + reach : 80 - GAP - reach, 0)
    // Where it is turned by a right angle, its middle is at the tick.
    const upright = placesOf(columns(categoriesIn(turned(-90)), axis('valAx', 2, 'l', hidden)).texts).C0 ?? []
    expect(upright[0]).toBe(tenths(125 - LINE / 2 + ASCENT)[0])
  })

  test('that are wider than their distance are turned by half a right angle, unless they have to stay level', () => {
    const scatter = (inside: string) =>
      drawn(
        `<c:scatterChart>${series(0, points([2, 8], [2, 8]), look() + noSign)}${ids}</c:scatterChart>${axis('valAx', 1, 'b', `<c:numFmt formatCode="0.00000000"/><c:majorUnit val="2"/>${inside}`, range(0, 10))}${axis('valAx', 2, 'l', hidden, range(0, 10))}`,
      ).texts
    // Ten characters of 51.5 pt at every 20 pt: turned, each needs 11.25 pt.
    const all = scatter('')
    expect(all.map((text) => text.split(' ')[1])).toEqual(
      ['0', '2', '4', '6', '8', '10'].map((digits) => `${digits}.00000000`),
    )
    expect(new Set(all.slice(0, 5).map((text) => text.split(' ')[0]?.split(',')[1])).size).toBe(1)
    const [first, second] = all.map((text) => Number(text.split(',')[0]))
    expect((second ?? 0) - (first ?? 0)).toBeCloseTo(20, 1)
    expect(scatter(turned(0)).map((text) => text.split(' ')[1])).toEqual(['0.00000000', '6.00000000'])
  })

  test('that are turned leave out as many as do not fit beside each other', () => {
    const shown = (count: number, degrees: number) =>
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data(new Array<number>(count).fill(1)), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', turned(degrees))}${axis('valAx', 2, 'l', hidden)}`,
      ).texts.map((text) => Number(text.split(' C')[1]))
    const every = (count: number, step: number) =>
      Array.from({ length: count }, (_, at) => at).filter((at) => at % step === 0)
    // A line of 11.25 pt needs 15.9 pt along the axis where it is turned by 45 degrees; so many ticks are on 100 pt.
    expect(shown(6, 45)).toEqual(every(6, 1))
    expect(shown(8, 45)).toEqual(every(8, 2))
    expect(shown(16, -45)).toEqual(every(16, 3))
    // Names of 12.5 pt and 17.9 pt, turned by 10 degrees, come below each other only where their ticks are 64.8 pt apart.
    expect(shown(7, 10)).toEqual(every(7, 1))
    expect(shown(10, 10)).toEqual(every(10, 2))
  })

  test('beside an upright axis leave out those that would be above each other', () => {
    const shown = (count: number) =>
      drawn(
        `<c:barChart><c:barDir val="bar"/>${series(0, data(new Array<number>(count).fill(1)), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'l')}${axis('valAx', 2, 'b', hidden)}`,
      ).texts.length
    // A line may be closer to the next by a twentieth: 60 pt hold five of 10.7 pt.
    expect([shown(5), shown(6), shown(11), shown(12)]).toEqual([5, 3, 6, 4])
  })
})
