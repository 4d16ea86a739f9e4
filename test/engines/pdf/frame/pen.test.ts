import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { Pen, polygon, polyline, rectangleOutline, transformOutline } from '../../../../src/engines/pdf/frame/pen.ts'

const drawn = (draw: (pen: Pen) => void) => {
  const pen = new Pen()
  draw(pen)
  const { ops, points } = pen.outline
  return { ops, points: points.map((value) => Math.round(value * 1e6) / 1e6 + 0) }
}

describe('A pen', () => {
  test('draws lines and curves step by step', () => {
    const outline = drawn((pen) => {
      expect(pen.isEmpty).toBe(true)
      pen.move(1, 2)
      pen.line(3, 4)
      pen.curve(5, 6, 7, 8, 9, 10)
      pen.close()
      expect(pen.isEmpty).toBe(false)
    })
    expect(outline).toEqual({ ops: 'MLCZ', points: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
  })

  test('goes back to the start of an outline when it closes it, and begins the next one there', () => {
    const outline = drawn((pen) => {
      pen.move(1, 2)
      pen.line(3, 4)
      pen.close()
      expect([pen.x, pen.y]).toEqual([1, 2])
      pen.close()
      pen.line(5, 6)
    })
    expect(outline).toEqual({ ops: 'MLZML', points: [1, 2, 3, 4, 1, 2, 5, 6] })
  })

  test('begins at the origin without a start, and closes nothing where nothing is drawn', () => {
    expect(drawn((pen) => pen.line(5, 6))).toEqual({ ops: 'ML', points: [0, 0, 5, 6] })
    expect(drawn((pen) => pen.curve(1, 2, 3, 4, 5, 6))).toEqual({ ops: 'MC', points: [0, 0, 1, 2, 3, 4, 5, 6] })
    expect(drawn((pen) => pen.close())).toEqual({ ops: '', points: [] })
  })

  test('makes a quadratic curve a cubic one with the same course', () => {
    const outline = drawn((pen) => {
      pen.move(3, 6)
      pen.quadratic(9, 30, 15, 0)
    })
    expect(outline).toEqual({ ops: 'MC', points: [3, 6, 7, 22, 11, 20, 15, 0] })
  })

  test('draws a rectangle clockwise', () => {
    expect(drawn((pen) => pen.rectangle(1, 2, 10, 20))).toEqual({ ops: 'MLLLZ', points: [1, 2, 11, 2, 11, 22, 1, 22] })
    expect(rectangleOutline(1, 2, 10, 20)).toEqual({ ops: 'MLLLZ', points: [1, 2, 11, 2, 11, 22, 1, 22] })
  })

  test('draws an ellipse in four quarters', () => {
    const k = (4 / 3) * (Math.SQRT2 - 1)
    const { ops, points } = drawn((pen) => pen.ellipse(100, 50, 20, 10))
    expect(ops).toBe('MCCCCZ')
    const quarter = [120, 50, 120, 50 + 10 * k, 100 + 20 * k, 60, 100, 60]
    expect(points.slice(0, 8)).toEqual(quarter.map((value) => Math.round(value * 1e6) / 1e6))
    expect([8, 14, 20].map((at) => points.slice(at + 4, at + 6))).toEqual([
      [80, 50],
      [100, 40],
      [120, 50],
    ])
  })

  test('draws an arc in steps of a quarter at most, either way, and at most once around', () => {
    const arc = (start: number, sweep: number) =>
      drawn((pen) => {
        pen.move(10 * Math.cos(start), 10 * Math.sin(start))
        pen.arc({ x: 0, y: 0, radiusX: 10, radiusY: 10 }, start, sweep)
      })
    expect(arc(0, Math.PI / 2).ops).toBe('MC')
    expect(arc(0, Math.PI / 2 + 0.01).ops).toBe('MCC')
    expect(arc(0, 0.1).ops).toBe('MC')
    expect(arc(0, 0).ops).toBe('MC')
    expect(arc(0, 20).ops).toBe('MCCCC')
    expect(arc(0, -20).ops).toBe('MCCCC')
    expect(arc(0, -Math.PI / 2).points.slice(-2)).toEqual([0, -10])
    expect(arc(Math.PI / 2, Math.PI / 2).points.slice(-2)).toEqual([-10, 0])
    expect(arc(0, Number.NaN).ops).toBe('M')
    expect(arc(Number.POSITIVE_INFINITY, 1).ops).toBe('M')
    // The middle of each piece is on the circle, to a thousandth.
    const { points } = arc(0.3, 2)
    for (let at = 0; at + 8 <= points.length; at += 6) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points.slice(at, at + 8)
      const middle = Math.hypot((x0 + 3 * x1 + 3 * x2 + x3) / 8, (y0 + 3 * y1 + 3 * y2 + y3) / 8)
      expect(middle).toBeCloseTo(10, 2)
    }
  })

  test('takes a place that is no number for the origin', () => {
    expect(drawn((pen) => pen.move(Number.NaN, Number.POSITIVE_INFINITY)).points).toEqual([0, 0])
  })

  test('leaves out the steps beyond the limit', () => {
    const { ops } = drawn((pen) => {
      for (let step = 0; step < limits.renderPathSteps - 2; step++) pen.line(step, step)
      pen.line(1, 1)
      expect(pen.outline.ops.length).toBe(limits.renderPathSteps)
      pen.line(1, 1)
      pen.move(1, 1)
      pen.curve(1, 1, 1, 1, 1, 1)
      pen.close()
    })
    expect(ops.length).toBe(limits.renderPathSteps)
  })
})

test('An outline is moved point by point', () => {
  expect(transformOutline({ ops: 'ML', points: [1, 2, 3, 4] }, [2, 3, 5, 7, 11, 13])).toEqual({
    ops: 'ML',
    points: [23, 30, 37, 50],
  })
})

test('A polyline begins with a move, and closes where it is asked to', () => {
  expect(polyline([1, 2, 3, 4, 5, 6])).toEqual({ ops: 'MLL', points: [1, 2, 3, 4, 5, 6] })
  expect(polygon([1, 2, 3, 4])).toEqual({ ops: 'MLZ', points: [1, 2, 3, 4] })
  expect(polygon([])).toEqual({ ops: '', points: [] })
})
