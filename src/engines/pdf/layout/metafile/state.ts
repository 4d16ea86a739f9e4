import type { Matrix, Outline } from '../../frame/frame.ts'
import { identity } from '../../frame/matrix.ts'
import type { Area, Point } from './figures.ts'
import { type Brush, blackPen, type Font, type GdiObject, type Pen, systemFont, whiteBrush } from './objects.ts'

/** How logical units become device units: MapMode ([MS-EMF] 2.1.21). */
export const MapMode = { text: 1, isotropic: 7, anisotropic: 8 } as const

/** The state that records set and save. Members are replaced, never changed, so a shallow copy is enough to save it. */
export interface State {
  mode: number
  window: Area
  viewport: Area
  world: Matrix
  pen: Pen
  brush: Brush
  font: Font
  textColor: string
  backColor: string
  /** TextAlignmentMode flags. */
  align: number
  evenOdd: boolean
  /** In points. */
  clip: Outline | undefined
  /** The current position, in logical units. */
  position: Point
}

export function initialState(): State {
  return {
    mode: MapMode.text,
    window: { x: 0, y: 0, width: 1, height: 1 },
    viewport: { x: 0, y: 0, width: 1, height: 1 },
    world: identity,
    pen: blackPen,
    brush: whiteBrush,
    font: systemFont,
    textColor: '000000',
    backColor: 'FFFFFF',
    align: 0,
    evenOdd: true,
    clip: undefined,
    position: { x: 0, y: 0 },
  }
}

export function select(state: State, object: GdiObject | undefined): void {
  if (object?.kind === 'pen') state.pen = object
  else if (object?.kind === 'brush') state.brush = object
  else if (object?.kind === 'font') state.font = object
}

/**
 * Millimetres per unit, by map mode: none, text, tenths and hundredths of a millimetre, hundredths and thousandths of
 * an inch, twips.
 */
const metricUnits: readonly number[] = [0, 0, 0.1, 0.01, 0.254, 0.0254, 25.4 / 1440]

/** From page space to device units ([MS-EMF] 3.1.1.2.3). */
export function mappingOf({ mode, window, viewport }: State, unitsPerMillimetre: number): Matrix {
  const metric = (metricUnits[mode] ?? 0) * unitsPerMillimetre
  // The metric modes count upwards.
  const [scaleX, scaleY] =
    mode >= MapMode.isotropic
      ? [viewport.width / (window.width || 1), viewport.height / (window.height || 1)]
      : metric > 0
        ? [metric, -metric]
        : [1, 1]
  return [scaleX, 0, 0, scaleY, viewport.x - window.x * scaleX, viewport.y - window.y * scaleY]
}
