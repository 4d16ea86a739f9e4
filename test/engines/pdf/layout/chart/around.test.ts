import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../../src/core/limits.ts'
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
  legend,
  look,
  noSign,
  paintedIn,
  placesOf,
  range,
  red,
  series,
  tenths,
  title,
  turned,
  widthOf,
} from './made-charts.ts'

/* What is around a plot. A pie shows what is left: it is 9.92 pt from the edges of its room, in its middle. */
const pie = (around: { before?: string; after?: string; size?: number } = {}) =>
  drawn(`<c:pieChart><c:varyColors val="0"/>${series(0, data([1, 1]), look(red))}</c:pieChart>`, {
    layout: '',
    ...around,
  })
/** The upper end, the middle across, and the lower end of the pie. */
function placeOf(paths: readonly string[]) {
  const [right = '', left = ''] = paintedIn(paths, red).filter((path) => path.includes('C'))
  const [, x, top] = /^M(\S+),(\S+) /.exec(right) ?? []
  const [, , bottom] = /^M(\S+),(\S+) /.exec(left) ?? []
  return { x: Number(x), top: Number(top), bottom: Number(bottom) }
}
const columns = (inside: string, around: Parameters<typeof drawn>[1] = {}) =>
  drawn(`<c:barChart><c:barDir val="col"/>${inside}${ids}</c:barChart>${hiddenAxes}`, { layout: '', ...around })
const two = series(0, data([5]), look(red)) + series(1, data([5]), look(blue))
const manual = (x: number, y: number, more = '') =>
  `<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="${x}"/><c:y val="${y}"/>${more}</c:manualLayout></c:layout>`

describe('a title', () => {
  test('is in the middle, and the plot begins below it', () => {
    const { paths, texts } = pie({ before: title('Sales', 10) })
    const gap = 0.02 * 120 + 3.83
    expect(placesOf(texts).Sales).toEqual(tenths(150 - widthOf('Sales') / 2, 50 + gap + 3 + ASCENT))
    expect(placeOf(paths).top).toBeCloseTo(50 + gap + LINE + 6 + 9.92, 0)
    expect(placeOf(pie().paths).top).toBeCloseTo(50 + 9.92, 1)
  })

  test('may lie over the plot', () => {
    const over = title('Sales', 10).replace('</c:title>', '<c:overlay val="1"/></c:title>')
    const { paths, texts } = pie({ before: over })
    expect(placeOf(paths)).toEqual(placeOf(pie().paths))
    expect(placesOf(texts).Sales?.[1]).toBe(tenths(50 + 6.23 + 3 + ASCENT)[0])
  })

  test('has a larger frame where its font is larger', () => {
    const { texts, paths } = pie({ before: title('Sales', 20) })
    // 27 dots: 25 above the baseline with the gap, and 6 below.
    expect(placesOf(texts).Sales).toEqual(tenths(150 - widthOf('Sales', 20.25) / 2, 50 + 6.23 + 6 + 18.75))
    expect(placeOf(paths).top).toBeCloseTo(50 + 6.23 + 12 + 24.75 - 1.5 + 9.92, 0)
  })

  test('is broken at four fifths of the width less its frame, each line in the middle', () => {
    // 156.4 pt: a word of 12 letters of 5.42 pt is 65.1 pt, two with their blank 132.8.
    const word = 'a'.repeat(12)
    const { texts } = pie({ before: title(`${word} ${word} ${word}`) })
    expect(texts).toHaveLength(2)
    const [first, second] = texts.map((text) => text.split(' ')[0]?.split(',').map(Number) ?? [])
    expect(first?.[0]).toBeCloseTo(150 - widthOf(`${word} ${word}`) / 2, 0)
    expect(second?.[0]).toBeCloseTo(150 - widthOf(word) / 2, 0)
    expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeCloseTo(LINE, 0)
    const fits = (count: number) => pie({ before: title(`${'a'.repeat(count)} b`) }).texts.length
    // 26 letters are 141 pt with 8.1 for a blank and a b; 27 are 146.4 with the same, 28 too many.
    expect([fits(26), fits(27), fits(28)]).toEqual([1, 1, 2])
  })

  test('has no more lines than a chart can show', () => {
    const lines = pie({ before: title(Array.from({ length: 200 }, () => 'a'.repeat(20)).join(' ')) }).texts
    expect(lines).toHaveLength(limits.chartTextLines)
    const stated = pie({ before: title(Array.from({ length: 60 }, () => 'a').join('\n')) }).texts
    expect(stated.length).toBeLessThanOrEqual(limits.chartTextLines)
  })

  test('of an axis takes room as wide as itself, with its frame and its distance to the edge', () => {
    const none = '<c:tickLblPos val="none"/>'
    const plotIn = (position: string, inside: string) => {
      const isUpright = position === 'l' || position === 'r'
      const axes = isUpright
        ? axis('catAx', 1, 'b', hidden) + axis('valAx', 2, position, inside + none, range(0, 10))
        : axis('catAx', 1, position, inside + none) + axis('valAx', 2, 'l', hidden, range(0, 10))
      const column = `<c:barChart><c:barDir val="col"/>${series(0, data([10]), look(red))}<c:gapWidth val="0"/>${ids}</c:barChart>`
      const [path = ''] = paintedIn(drawn(column + axes, { layout: '' }).paths, red)
      const [, left, top, right, , , bottom] = /^M(\S+),(\S+) L(\S+),(\S+) L(\S+),(\S+) /.exec(path) ?? []
      return { l: Number(left), r: Number(right), t: Number(top), b: Number(bottom) }
    }
    const taken = (position: 'l' | 'r' | 't' | 'b') =>
      Math.abs(plotIn(position, title('T'))[position] - plotIn(position, '')[position])
    // A line and three tenths of its size at both sides.
    const across = LINE + 6
    expect(taken('l')).toBeCloseTo(across + 12.76, 0)
    expect(taken('r')).toBeCloseTo(across + 4, 0)
    expect(taken('b')).toBeCloseTo(across + 11.91, 0)
    expect(taken('t')).toBeCloseTo(across + 2.4, 0)
  })

  test('of an axis that is level is broken at a fifth of the width beside the plot, and at four fifths below it', () => {
    const words = 'aaaa bbbb cccc'
    const lines = (position: string) =>
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data([5]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', position === 'b' ? title(words, 10, '0') : hidden)}${axis('valAx', 2, 'l', position === 'l' ? title(words, 10, '0') : hidden, range(0, 10))}`,
      ).texts.filter((text) => /aaaa|bbbb|cccc/.test(text)).length
    // 40 pt less a frame of 1.8 pt at each side hold one of the words of 21.7 pt.
    expect([lines('l'), lines('b')]).toEqual([3, 1])
    // An upright one has four fifths of the height: 96 pt.
    const upright = (count: number) =>
      drawn(
        `<c:barChart><c:barDir val="col"/>${series(0, data([5]), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', hidden)}${axis('valAx', 2, 'l', title(`${'a'.repeat(count)} b`), range(0, 10))}`,
      ).texts.filter((text) => /a|b/.test(text.split(' ').slice(1).join(' '))).length
    expect([upright(14), upright(16)]).toEqual([1, 2])
  })
})

describe('a legend', () => {
  const [S, wide] = [widthOf('S0'), 12 + 4.4]

  test('has distances of a millimetre, or a share of its font where that is more', () => {
    const { texts, paths } = columns(two, { after: legend('r') })
    const width = 2 * 3.3 + 8.835 + S
    const height = 2 * 2.835 + 2 * LINE + 2.835
    const [x, y] = [250 - 5.95 - width, 50 + (120 - height) / 2]
    expect(placesOf(texts)).toEqual({
      S0: tenths(x + 3.3 + 8.835, y + 2.835 + ASCENT),
      S1: tenths(x + 3.3 + 8.835, y + 2.835 + LINE + 2.835 + ASCENT),
    })
    const [left, top] = tenths(x + 3.3, y + 2.835 + LINE / 2 - 3)
    expect(paintedIn(paths, red)[0]).toStartWith(`M${left},${top} `)
    const large = columns(two, { after: legend('r'), size: 20 })
    // 27 dots; 24.75 and 4.5 pt are a line of 23.25 pt.
    const line = 23.25
    const wider = 2 * 6.6 + wide + widthOf('S0', 20.25)
    const higher = 2 * 4 + 2 * line + 4
    const [x2, y2] = [250 - 5.95 - wider, 50 + (120 - higher) / 2]
    expect(placesOf(large.texts)).toEqual({
      S0: tenths(x2 + 6.6 + wide, y2 + 4 + 18.75),
      S1: tenths(x2 + 6.6 + wide, y2 + 4 + line + 4 + 18.75),
    })
    const [keyLeft, keyTop] = tenths(x2 + 6.6, y2 + 4 + line / 2 - 6)
    expect(paintedIn(large.paths, red)[0]).toStartWith(`M${keyLeft},${keyTop} `)
  })

  test('has its entries beside each other below the plot, with two thirds of its font between them', () => {
    const { texts } = columns(two, { after: legend('b'), size: 20 })
    const entry = wide + widthOf('S0', 20.25)
    const x = 150 - (2 * 6.6 + 2 * entry + 13.2) / 2 + 6.6 + wide
    const y = 170 - 0.85 - 4 - 23.25 + 18.75
    expect(placesOf(texts)).toEqual({ S0: tenths(x, y), S1: tenths(x + entry + 13.2, y) })
  })

  test('takes its room from the side where it is', () => {
    const whole = placeOf(pie().paths)
    const [across, down] = [2 * 3.3 + 8.835 + S + 5.95, 2 * 2.835 + LINE + 5.24]
    const at = (position: string) => placeOf(pie({ after: legend(position) }).paths)
    expect(at('r').x).toBeCloseTo(whole.x - across / 2, 0)
    expect(at('tr')).toEqual(at('r'))
    expect(at('l').x).toBeCloseTo(whole.x + across / 2, 0)
    expect(at('t').top).toBeCloseTo(whole.top + down, 0)
    expect(at('t').bottom).toBeCloseTo(whole.bottom, 1)
    expect(at('b').bottom).toBeCloseTo(whole.bottom - down, 0)
    expect(at('b').top).toBeCloseTo(whole.top, 1)
  })

  test('is in the upper right corner where it is to be there', () => {
    const placeIn = (position: string) => placesOf(pie({ after: legend(position) }).texts).S0
    const [x = 0] = placeIn('r') ?? []
    // The chart begins 50 pt from the edge of the page.
    expect(placeIn('tr')).toEqual(tenths(x, 50 + 0.85 + 2.835 + ASCENT))
  })

  test('is below a title where it is at the top', () => {
    const { texts } = pie({ before: title('Sales'), after: legend('t') })
    expect(placesOf(texts).S0?.[1]).toBeCloseTo(50 + 6.23 + LINE + 6 + 5.24 + 2.835 + ASCENT, 0)
  })

  test('has a ground and a frame around all of it', () => {
    const { paths } = columns(two, { after: legend('r', look('ABCDEF', 'ABCDEF')) })
    const [x, y] = [250 - 5.95 - (2 * 3.3 + 8.835 + S), 110 - (2 * 2.835 + 2 * LINE + 2.835) / 2]
    const [left, top, right, bottom] = tenths(x, y, 250 - 5.95, 220 - y)
    expect(paintedIn(paths, 'ABCDEF')).toEqual([
      `M${left},${top} L${right},${top} L${right},${bottom} L${left},${bottom} Z`,
    ])
  })

  test('beside the plot has as many columns as its height needs', () => {
    const many = (count: number) =>
      columns(
        Array.from({ length: count }, (_, at) => series(at, data([5]), look(red)).replace(`>S${at}<`, `>E${at}<`)).join(
          '',
        ),
        {
          after: legend('r'),
        },
      ).texts.map((text) => text.split(' ')[0]?.split(',')[0])
    // 120 pt hold eight lines with their distances.
    expect(new Set(many(8)).size).toBe(1)
    const nine = many(9)
    expect(new Set(nine).size).toBe(2)
    // Row by row: the second entry begins the second column.
    expect([nine[0] === nine[2], nine[0] === nine[1]]).toEqual([true, false])
  })

  test('is as wide as is stated, and breaks its names there', () => {
    const named = series(0, data([5]), look(red)).replace('>S0<', '>aaaaaa bbbbbb<') + series(1, data([5]), look(blue))
    const said = (inside: string, position = 'b') =>
      columns(named, { after: legend(position, inside) }).texts.map((text) => text.replace(/^\S+ /, ''))
    const stated = (w: number) => manual(0.1, 0.5, `<c:w val="${w}"/>`)
    expect(said('')).toEqual(['aaaaaa bbbbbb', 'S1'])
    // 60 pt without a key and the distances: 44.6 pt for words of 32.5.
    expect(said(stated(0.3))).toEqual(['aaaaaa', 'bbbbbb', 'S1'])
    expect(said(stated(0.45))).toEqual(['aaaaaa bbbbbb', 'S1'])
    expect(said(stated(0.3), 'r')).toEqual(['aaaaaa', 'bbbbbb', 'S1'])
    expect(said(stated(0.5), 'r')).toEqual(['aaaaaa bbbbbb', 'S1'])
  })

  test('has a line of 8 mm with its sign for what is drawn as a line', () => {
    const sign = `<c:marker><c:symbol val="square"/><c:size val="4"/>${look(green)}</c:marker>`
    const { paths, texts } = drawn(
      `<c:lineChart>${series(0, data([5]), look(undefined, red) + sign)}${ids}</c:lineChart>${hiddenAxes}`,
      { layout: '', after: legend('r') },
    )
    const x = 250 - 5.95 - 3.3 - S - 22.7 - 2.835
    const [from, to, middle] = tenths(x, x + 22.7, 110)
    expect(paintedIn(paths, red)[0]).toBe(`M${from},${middle} L${to},${middle}`)
    const [left, top] = tenths(x + 11.35 - 2, 108)
    expect(paintedIn(paths, green)[0]).toStartWith(`M${left},${top} `)
    expect(placesOf(texts).S0?.[0]).toBe(tenths(x + 22.7 + 2.835)[0])
    // Squares beside lines are in the middle of as much room.
    const both = drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data([5]), look(blue))}${ids}</c:barChart><c:lineChart>${series(1, data([5]), look(undefined, red) + noSign)}${ids}</c:lineChart>${hiddenAxes}`,
      { layout: '', after: legend('r') },
    )
    expect(paintedIn(both.paths, blue)[0]).toStartWith(`M${tenths(x + 11.35 - 3)[0]},`)
  })

  test('names the trends of a series behind all series, unless they are stacked', () => {
    const trend = `<c:trendline>${look(undefined, green)}<c:trendlineType val="linear"/></c:trendline>`
    const said = (grouping: string) =>
      drawn(
        `<c:barChart><c:barDir val="col"/><c:grouping val="${grouping}"/>${series(0, data([5, 6]), look(red) + trend)}${series(1, data([5]), look(blue))}${ids}</c:barChart>${hiddenAxes}`,
        { layout: '', after: legend('b') },
      )
    const clustered = said('clustered')
    expect(clustered.texts.map((text) => text.replace(/^\S+ /, ''))).toEqual(['S0', 'S1', 'Linear (S0)'])
    // Its key is a line without a sign.
    expect(paintedIn(clustered.paths, green)[0]).toMatch(/^M\S+ L\S+$/)
    expect(said('stacked').texts.map((text) => text.replace(/^\S+ /, ''))).toEqual(['S0', 'S1'])
  })

  test('lists series from above as they are stacked, beside the plot alone', () => {
    const said = (grouping: string, position: string, direction = 'col') =>
      drawn(
        `<c:barChart><c:barDir val="${direction}"/><c:grouping val="${grouping}"/>${two}${ids}</c:barChart>${hiddenAxes}`,
        { layout: '', after: legend(position) },
      ).texts.map((text) => text.replace(/^\S+ /, ''))
    expect(said('stacked', 'r')).toEqual(['S1', 'S0'])
    expect(said('stacked', 'l')).toEqual(['S1', 'S0'])
    expect(said('stacked', 'b')).toEqual(['S0', 'S1'])
    expect(said('clustered', 'r')).toEqual(['S0', 'S1'])
    expect(said('stacked', 'r', 'bar')).toEqual(['S0', 'S1'])
    expect(said('clustered', 'r', 'bar')).toEqual(['S1', 'S0'])
  })

  test('names no more points than can be told apart, and numbers those without a name', () => {
    const slices = (count: number) =>
      drawn(
        `<c:pieChart>${series(0, data(new Array<number>(count).fill(1)).replace(/<c:cat>.*<\/c:cat>/, ''))}</c:pieChart>`,
        {
          layout: '',
          after: legend('r'),
        },
      ).texts.map((text) => text.replace(/^\S+ /, ''))
    expect(slices(3)).toEqual(['1', '2', '3'])
    expect(slices(limits.chartLegendEntries + 5)).toHaveLength(limits.chartLegendEntries)
  })

  test('has a square for a net that is filled, and a line for another', () => {
    const key = (style: string) =>
      paintedIn(
        drawn(
          `<c:radarChart><c:radarStyle val="${style}"/>${series(0, data([5, 6, 7]), look(red, red) + noSign)}${ids}</c:radarChart>${hiddenAxes}`,
          {
            layout: '',
            after: legend('r'),
          },
        ).paths,
        red,
      )[0]
    expect(key('filled')?.endsWith('Z')).toBe(true)
    expect(key('standard')).toMatch(/^M\S+ L\S+$/)
  })
})

describe('names below a plot', () => {
  const named = (names: readonly string[], inside = turned(0)) =>
    drawn(
      `<c:barChart><c:barDir val="col"/>${series(0, data(new Array<number>(names.length).fill(1), names), look(red))}${ids}</c:barChart>${axis('catAx', 1, 'b', inside)}${axis('valAx', 2, 'l', hidden)}`,
    ).texts.map((text) => text.replace(/^\S+ /, ''))

  test('take as much of the distance of their ticks as leaves a twentieth between them', () => {
    // 23.75 pt of 25: the first name is 23.3 pt wide, the other 23.9.
    expect([widthOf('aaaC'), widthOf('aaaG')].map((width) => width <= 23.75)).toEqual([true, false])
    expect(named(['aaaC', 'b', 'c', 'd'])).toEqual(['aaaC', 'b', 'c', 'd'])
    expect(named(['aaaG', 'b', 'c', 'd'])).toEqual(['aaa', 'G', 'b', 'c', 'd'])
  })

  test('are broken at each sign where not even one has room', () => {
    const names = Array.from({ length: 20 }, (_, at) => (at === 0 ? 'WWW' : ''))
    expect(named(names)).toEqual(['W', 'W', 'W'])
  })

  test('are turned where a word that is not the first would have to be broken', () => {
    const turn = (names: readonly string[]) => named(names, '').join(' ')
    expect(turn(['aaaa', 'bbbb bbbb', 'c', 'd'])).toBe('aaaa bbbb bbbb c d')
    expect(turn(['aaaa', 'bbbbb', 'c', 'd'])).toBe('aaaa bbbbb c d')
    expect(turn(['aaaaa', 'b', 'c', 'd'])).toBe('aaaa a b c d')
  })
})

describe('a table of the data', () => {
  const table = (flags: string) => `<c:dTable>${flags}</c:dTable>`
  const all = '<c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/>'
  const upright = axis('catAx', 1, 'b', look()) + axis('valAx', 2, 'l', hidden, range(0, 10))
  const tabled = (inside: string, flags = '', axes = upright) =>
    drawn(`<c:barChart><c:barDir val="col"/>${inside}${ids}</c:barChart>${axes}${table(flags)}`)

  test('has its columns in the order of the categories, from right to left where they run so', () => {
    const one = series(0, data([5, 7]), look(red))
    const half = widthOf('5') / 2
    const rows = (axes: string) => {
      const places = placesOf(tabled(one, '', axes).texts)
      return [places['5']?.[0], places['7']?.[0]]
    }
    expect(rows(upright)).toEqual(tenths(125 - half, 175 - half))
    const backwards =
      axis('catAx', 1, 'b', look(), '<c:orientation val="maxMin"/>') + axis('valAx', 2, 'l', hidden, range(0, 10))
    expect(rows(backwards)).toEqual(tenths(175 - half, 125 - half))
  })

  test('shows values in the format of their labels, or of the data, and nothing without a value', () => {
    const cells = (inside: string, list = data([5, ''])) =>
      tabled(series(0, list, look(red) + inside)).texts.map((text) => text.replace(/^\S+ /, ''))
    const formatted = data([5, '']).replace('<c:numCache>', '<c:numCache><c:formatCode>0.00</c:formatCode>')
    expect(cells('', formatted)).toContain('5.00')
    expect(
      cells('<c:dLbls><c:numFmt formatCode="0.0"/><c:showVal val="1"/><c:dLblPos val="ctr"/></c:dLbls>', formatted),
    ).toContain('5.0')
    expect(cells('').sort()).toEqual(['5', 'C0', 'C1', 'S0'])
  })

  test('has rows as high as the most lines in one of them, with three tenths of the font above and below', () => {
    const name = series(0, data([5]), look(red)).replace('>S0<', '>one\ntwo<')
    const places = placesOf(tabled(name + series(1, data([6]), look(blue))).texts)
    // The row of names, then one of two lines.
    expect(places['5']?.[1]).toBe(tenths(140 + LINE + 6 + 3 + ASCENT)[0])
    expect(places['6']?.[1]).toBe(tenths(140 + LINE + 6 + 2 * LINE + 6 + 3 + ASCENT)[0])
    expect([places.one?.[1], places.two?.[1]]).toEqual(tenths(157.25 + 3 + ASCENT, 157.25 + 3 + LINE + ASCENT))
    expect(places.one?.[0]).toBe(places.two?.[0])
  })

  test('has its lines around it, between its rows and between its columns', () => {
    const inside = series(0, data([5, 7]), look(red)) + series(1, data([6, 8]), look(blue))
    const painted = (flags: string) => paintedIn(tabled(inside, flags).paths, '878787')
    const names = 1.8 * 2 + widthOf('S0')
    const [left] = tenths(100 - names)
    const [top, second, third, bottom] = ['140', ...tenths(140 + 17.25, 140 + 34.5, 140 + 51.75).map(String)]
    expect(painted('<c:showHorzBorder val="1"/>')).toEqual([`M${left},${third} L200,${third}`])
    expect(painted('<c:showVertBorder val="1"/>')).toEqual([`M150,${top} L150,${bottom}`])
    expect(painted('<c:showOutline val="1"/>')).toEqual([
      `M100,${top} L200,${top}`,
      `M${left},${second} L200,${second}`,
      `M${left},${bottom} L200,${bottom}`,
      `M${left},${second} L${left},${bottom}`,
      `M100,${top} L100,${bottom}`,
      `M200,${top} L200,${bottom}`,
    ])
    expect(painted(all)).toHaveLength(8)
    expect(painted('')).toEqual([])
  })

  test('has the keys of its series before their names, a millimetre from both sides', () => {
    const { paths, texts } = tabled(series(0, data([5]), look(red)), '<c:showKeys val="1"/>')
    // From the left: a key of 6 pt with its distances, and the padding of the name at both sides.
    const names = 6 + 2 * 2.835 + 3.6 + widthOf('S0')
    expect(paintedIn(paths, red)[0]).toStartWith(
      `M${tenths(100 - names + 2.835)[0]},${tenths(157.25 + 17.25 / 2 - 3)[0]} `,
    )
    expect(placesOf(texts).S0).toEqual(tenths(100 - names + 2 * 2.835 + 6 + 1.8, 157.25 + 3 + ASCENT))
    const without = placesOf(tabled(series(0, data([5]), look(red))).texts)
    expect(without.S0?.[0]).toBe(tenths(100 - 1.8 - widthOf('S0'))[0])
  })
})
