import type { Context } from '../layout/context.ts'
import type { Frame } from '../layout/frame.ts'
import type { Chart } from './model.ts'
export function layoutChart(_context: Context, _chart: Chart, _width: number, _height: number, _node: number): Frame[] {
  return []
}
