import { shaded, tinted } from '../../frame/color.ts'
import type { PaintSource } from '../drawing/paint.ts'

/** The colours that a chart style (21.2.2.202) gives to series and points without colours of their own, and their line widths. */
export interface ChartColors {
  color(index: number): string
  /** In points. */
  lineWidth: number
}

/** The backgrounds of a chart (21.2.2.202), and the colours that contrast with them. */
export interface ChartGrounds {
  text: string
  area: string
  /** Undefined if the plot has the chart's own background. */
  plot: string | undefined
}

/** The styles come in rows of eight: grays, the six accents in turn, then each accent alone. */
const ROW = 8
const STYLES = 48
const DEFAULT_STYLE = 2
/** Office's colours of 2007, for documents without a theme. */
const accents = ['4F81BD', 'C0504D', '9BBB59', '8064A2', '4BACC6', 'F79646'] as const
/** Tints of the dark colour; those of the last row, whose ground is dark. */
const grays = [0.885, 0.55, 0.78, 0.925, 0.7, 0.3]
const lightGrays = [0.05, 0.55, 0.78, 0.15, 0.7, 0.3]
/** The range within which repeated colours are darkened and lightened. */
const REACH = 0.7

/** The colours of `count` series or points. */
export function chartColors(stated: number | undefined, count: number, source: PaintSource): ChartColors {
  const style = styleOf(stated)
  const place = (style - 1) % ROW
  const row = Math.floor((style - 1) / ROW)
  const dark = source.theme.colors.get('dk1') ?? '000000'
  const pattern =
    place === 0
      ? (row === 5 ? lightGrays : grays).map((share) => tinted(dark, share))
      : place === 1
        ? accents.map((_, at) => accentOf(source, at))
        : [accentOf(source, place - 2)]
  // Each round through the pattern is lighter than the one before; a single round leaves the colours unchanged.
  const rounds = Math.ceil(Math.max(1, count) / pattern.length)
  return {
    color(index) {
      const base = pattern[index % pattern.length] ?? dark
      const round = Math.min(rounds - 1, Math.floor(index / pattern.length))
      const change = ((round + 1) / (rounds + 1)) * 2 * REACH - REACH
      if (Math.abs(change) < 1e-9) return base
      return change < 0 ? shaded(base, 1 + change) : tinted(base, 1 - change)
    },
    lineWidth: row === 0 ? 2.25 : row === 3 ? 5.25 : 3.75,
  }
}

/** The last rows of styles have a tinted plot, or a dark chart with bright text. */
const TINTED_ROW = 4
const DARK_ROW = 5

export function chartGrounds(stated: number | undefined, source: PaintSource): ChartGrounds {
  const style = styleOf(stated)
  const row = Math.floor((style - 1) / ROW)
  const place = (style - 1) % ROW
  const color = (name: string, otherwise: string) => source.theme.colors.get(name) ?? otherwise
  const dark = color('dk1', '000000')
  if (row === DARK_ROW) return { text: color('lt1', 'FFFFFF'), area: dark, plot: tinted(dark, 0.95) }
  const hue = place < 2 ? dark : accentOf(source, place - 2)
  return {
    text: color('tx1', '000000'),
    area: color('bg1', 'FFFFFF'),
    plot: row === TINTED_ROW ? tinted(hue, 0.2) : undefined,
  }
}

function accentOf({ theme }: PaintSource, at: number): string {
  return theme.colors.get(`accent${at + 1}`) ?? accents[at] ?? accents[0]
}

function styleOf(stated: number | undefined): number {
  return stated !== undefined && stated >= 1 && stated <= STYLES ? Math.floor(stated) : DEFAULT_STYLE
}
