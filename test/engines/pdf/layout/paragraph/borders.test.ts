import { expect, test } from 'bun:test'
import { edge, extentOf } from '../../../../../src/engines/pdf/layout/paragraph/border.ts'
import type { Border } from '../../../../../src/engines/pdf/model/properties.ts'

const border = (style: string, width = 2): Border => ({ style, width, color: 'FF0000', space: 0 })

/** Widths across a border: strokes, and the gaps between them in brackets. */
function across(style: string, width?: number): string {
  const frames = edge(border(style, width), { x1: 10, y1: 40, x2: 110, y2: 40 })
  const shown: string[] = []
  let end: number | undefined
  for (const frame of frames) {
    if (frame.kind !== 'line') throw new Error(frame.kind)
    const [top, bottom] = [frame.y1 - frame.width / 2, frame.y1 + frame.width / 2]
    if (end !== undefined) shown.push(`(${rounded(top - end)})`)
    shown.push(`${rounded(frame.width)}`)
    end = bottom
  }
  return shown.join(' ')
}
const rounded = (value: number) => Math.round(value * 1_000) / 1_000
const dashOf = (style: string) => {
  const [frame] = edge(border(style), { x1: 10, y1: 40, x2: 110, y2: 40 })
  return frame?.kind === 'line' && frame.dash
}

test('A border has the strokes of its style, each as wide as the style has it (17.18.2)', () => {
  const styles: Record<string, string> = {
    ...{ single: '2', thick: '2', double: '2 (2) 2', doubleWave: '2 (2) 2', triple: '2 (2) 2 (2) 2' },
    ...{ thinThickSmallGap: '0.75 (0.75) 2', thickThinSmallGap: '2 (0.75) 0.75' },
    ...{ thinThickThinSmallGap: '0.75 (0.75) 2 (0.75) 0.75' },
    ...{ thinThickMediumGap: '1 (1) 2', thickThinMediumGap: '2 (1) 1', thinThickThinMediumGap: '1 (1) 2 (1) 1' },
    ...{ thinThickLargeGap: '0.75 (1.5) 2', thickThinLargeGap: '2 (1.5) 0.75' },
    ...{ thinThickThinLargeGap: '0.75 (1.5) 2 (1.5) 0.75' },
    ...{ threeDEmboss: '1 (2) 1', threeDEngrave: '1 (2) 1', outset: '0.75 (1.65) 1.65', inset: '1.65 (1.65) 0.75' },
    ...{ dotted: '2', dashed: '2', wave: '2', unknown: '2' },
  }
  expect(Object.fromEntries(Object.keys(styles).map((style) => [style, across(style)]))).toEqual(styles)
  // What is less than nothing is nothing.
  expect([across('outset', 0.25), across('inset', 0.25)]).toEqual(['0.75 (0) 0', '0 (0) 0.75'])
})

test('A border is as wide as its strokes and gaps, and its middle is on its edge', () => {
  for (const [style, extent] of [
    ['single', 2],
    ['thick', 2],
    ['triple', 10],
    ['thinThickLargeGap', 4.25],
    ['thickThinSmallGap', 3.5],
    ['outset', 4.05],
  ] as const) {
    expect([style, rounded(extentOf(border(style)))]).toEqual([style, extent])
    for (const upright of [false, true]) {
      const frames = upright
        ? edge(border(style), { x1: 40, y1: 10, x2: 40, y2: 110 })
        : edge(border(style), { x1: 10, y1: 40, x2: 110, y2: 40 })
      const lines = frames.flatMap((frame) => (frame.kind === 'line' ? [frame] : []))
      const places = lines.map((line) => (upright ? line.x1 : line.y1))
      const [first, last] = [lines[0]!, lines.at(-1)!]
      const outer = places[0]! - first.width / 2
      const inner = places.at(-1)! + last.width / 2
      expect([style, rounded(outer), rounded(inner)]).toEqual([
        style,
        rounded(40 - extent / 2),
        rounded(40 + extent / 2),
      ])
      // Along the edge they are as long as it is.
      for (const { x1, y1, x2, y2 } of lines)
        expect(upright ? [y1, y2, x2] : [x1, x2, y2]).toEqual([10, 110, upright ? x1 : y1])
    }
  }
})

test('A border is dotted or dashed by its style, and black where its colour is automatic', () => {
  const dashes = ['single', 'double', 'dotted', 'dashed', 'dashSmallGap', 'dotDash', 'dotDotDash', 'wave'].map(dashOf)
  expect(dashes.join(' ')).toBe('solid solid dotted dashed dashed dashed dashed solid')
  for (const style of ['single', 'dotted']) {
    const colors = ['auto', '00FF00'].map((color) => {
      const [frame] = edge({ ...border(style), color }, { x1: 0, y1: 0, x2: 9, y2: 0 })
      return frame?.kind === 'line' && frame.color
    })
    expect(colors).toEqual(['000000', '00FF00'])
  }
})
