import { Pen } from '../../frame/pen.ts'
import type { Geometry, ShapePath, Step } from '../../model/geometry.ts'
import { evaluateGuides, guideValue } from './guides.ts'

export interface EvaluatedShape {
  paths: ShapePath[]
  /** The box for text, in the shape's coordinates. */
  text: { left: number; top: number; right: number; bottom: number }
}

/** Formulas count in EMU; a point has 12,700. */
const EMU = 12_700

/** Evaluates a geometry for an extent in points. */
export function evaluateGeometry(
  geometry: Geometry,
  width: number,
  height: number,
  adjustments: ReadonlyMap<string, number>,
): EvaluatedShape {
  const values = evaluateGuides(width * EMU, height * EMU, [...geometry.adjustments, ...geometry.guides], adjustments)
  const [left, top, right, bottom] = geometry.rectangle.map((word) => guideValue(word, values) / EMU)
  const paths: ShapePath[] = []
  for (const path of geometry.paths) {
    const scaleX = path.width ? width / path.width : 1 / EMU
    const scaleY = path.height ? height / path.height : 1 / EMU
    const pen = new Pen()
    for (const step of path.steps) takeStep(pen, step, values, scaleX, scaleY)
    paths.push({ outline: pen.outline, fill: path.fill, stroke: path.stroke })
  }
  return { paths, text: { left: left ?? 0, top: top ?? 0, right: right ?? width, bottom: bottom ?? height } }
}

function takeStep(
  pen: Pen,
  { op, args }: Step,
  values: ReadonlyMap<string, number>,
  scaleX: number,
  scaleY: number,
): void {
  const x = (index: number) => guideValue(args[index], values) * scaleX
  const y = (index: number) => guideValue(args[index], values) * scaleY
  if (op === 'M') pen.move(x(0), y(1))
  else if (op === 'L') pen.line(x(0), y(1))
  else if (op === 'C') pen.curve(x(0), y(1), x(2), y(3), x(4), y(5))
  else if (op === 'Q') pen.quadratic(x(0), y(1), x(2), y(3))
  else if (op === 'Z') pen.close()
  else if (op === 'A') {
    const [radiusX, radiusY] = [guideValue(args[0], values), guideValue(args[1], values)]
    const stated = guideValue(args[2], values)
    const start = parameterOf(stated, radiusX, radiusY)
    const sweep = parameterOf(stated + guideValue(args[3], values), radiusX, radiusY) - start
    const centreX = pen.x - radiusX * scaleX * Math.cos(start)
    const centreY = pen.y - radiusY * scaleY * Math.sin(start)
    pen.arc({ x: centreX, y: centreY, radiusX: radiusX * scaleX, radiusY: radiusY * scaleY }, start, sweep)
  }
}

/** The parameter, in radians, of the point where a ray from an ellipse's centre meets it; `angle` is in 60,000ths of a degree. */
function parameterOf(angle: number, radiusX: number, radiusY: number): number {
  const radians = (angle / 60_000) * (Math.PI / 180)
  const turns = Math.round(radians / (2 * Math.PI))
  const rest = radians - turns * 2 * Math.PI
  return turns * 2 * Math.PI + Math.atan2(Math.abs(radiusX) * Math.sin(rest), Math.abs(radiusY) * Math.cos(rest))
}
