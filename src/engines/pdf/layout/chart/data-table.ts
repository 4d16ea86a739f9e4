import type { Frame } from '../../frame/frame.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Context } from '../context.ts'
import { type Box, type Caption, caption } from './caption.ts'
import { type Keyed, keyFrames, keyWidth } from './legend.ts'
import { straight } from './marks.ts'
import { namesOf, type Pair } from './pairs.ts'

/** The frame around a text, in font sizes, and the distance of a key to both of its sides (1 mm). */
const PADDING = { x: 0.18, y: 0.3 }
const KEY_GAP = 2.835

/** A table of the data that knows its size: columns below the categories of the plot, and one for names to the left. */
export interface SetTable {
  /** Width of the column of names. */
  names: number
  height: number
  /** Frames of the table below a plot. */
  below(plot: Box): Frame[]
}

/** Sets the table of a pair below a plot of the given width. */
export function setTable(context: Context, pair: Pair, width: number, node: number): SetTable | undefined {
  const { table, plots, count, category } = pair
  if (!table) return undefined
  const { look, line } = table
  const size = look.size ?? 10
  const [padX, padY] = [size * PADDING.x, size * PADDING.y]
  const column = width / count
  const set = (text: string) => caption(context, text, look, node, Math.max(size, column - 2 * padX))
  const name = namesOf(pair)
  const entries: Keyed[] = plots.flatMap((plot) => plot.series.map((series) => ({ plot, series, point: undefined })))
  const key = table.keys ? keyWidth(entries, size) : 0
  const indent = padX + (table.keys ? key + 2 * KEY_GAP : 0)
  const titles = entries.map(({ series }, at) =>
    caption(context, series.name === '' ? `Series ${at + 1}` : series.name, look, node, undefined, 0, 'left'),
  )
  const cells: Caption[][] = [
    Array.from({ length: count }, (_, at) => set(name(at))),
    ...entries.map(({ series: { values, labels, valueFormat } }) =>
      Array.from({ length: count }, (_, at) => {
        const value = values[at]
        return set(value === undefined ? '' : formatNumber(value, labels?.format ?? valueFormat))
      }),
    ),
  ]
  const heights = cells.map(
    (row, at) => Math.max(titles[at - 1]?.height ?? 0, ...row.map((cell) => cell.height)) + 2 * padY,
  )
  const names = indent + padX + Math.max(0, ...titles.map((title) => title.width))
  const tops = [0]
  for (const height of heights) tops.push(tops.at(-1)! + height)
  return {
    names,
    height: tops.at(-1)!,
    below(plot) {
      const frames: Frame[] = []
      const [left, right, top] = [plot.x, plot.x + plot.width, plot.y + plot.height]
      for (const [row, captions] of cells.entries()) {
        const y = top + tops[row]! + padY
        for (const [at, text] of captions.entries()) {
          const place = category?.isReversed ? count - 1 - at : at
          frames.push(...text.at(left + (place + 0.5) * column - text.width / 2, y))
        }
        const [title, entry] = [titles[row - 1], entries[row - 1]]
        if (!title || !entry) continue
        frames.push(...title.at(left - names + indent, y))
        const middle = top + (tops[row]! + tops[row + 1]!) / 2
        if (table.keys) frames.push(...keyFrames(entry, left - names + KEY_GAP, middle, key, size, node))
      }
      if (!line) return frames
      const [first, bottom] = [top + tops[1]!, top + tops.at(-1)!]
      const across = (y: number, from: number) => frames.push(...straight(from, y, right, y, line, node))
      const down = (x: number, from: number) => frames.push(...straight(x, from, x, bottom, line, node))
      if (table.outline) {
        across(top, left)
        across(first, left - names)
        across(bottom, left - names)
        down(left - names, first)
        down(left, top)
        down(right, top)
      }
      if (table.horizontal) for (const y of tops.slice(2, -1)) across(top + y, left - names)
      if (table.vertical) for (let at = 1; at < count; at++) down(left + at * column, top)
      return frames
    },
  }
}
