/**
 * Draws the results that benches have saved: `bun bench/plots.ts` writes docs/images/figure-<name>.svg for each file of
 * bench/results. The same results give the same bytes. Each picture has its own background, one for light pages and one for dark
 * ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Bar, type BarPanel, type LinePanel, type Results, resultsFolder } from './results.ts'

const imagesFolder = join(import.meta.dir, '../docs/images')

/** Pixels. */
const width = 760
const edge = 24
const label = 190
const figureWidth = 150
const bar = { height: 18, gap: 8 }
const chart = { height: 150, axis: 38 }
const line = 20

const style = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}',
  '.title{font-size:16px;font-weight:600}.panel{font-weight:600}.quiet{fill:#59636e;font-size:12px}',
  '.ground{fill:#fff;stroke:#d1d9e0}.own{fill:#0b7285}.other{fill:#adb5bd}',
  '.axis{stroke:#d1d9e0}.path{fill:none;stroke:#0b7285;stroke-width:2}',
  '@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.quiet{fill:#9198a1}.ground{fill:#151b23;stroke:#3d444d}',
  '.own{fill:#3bc9db}.other{fill:#656c76}.axis{stroke:#3d444d}.path{stroke:#3bc9db}}',
].join('')

/** One file of results as a picture. */
export function drawResults(results: Results): string {
  const parts: string[] = []
  let y = edge + 14
  parts.push(text(edge, y, results.title, 'title'))
  for (const each of [results.method, `${results.command} — ${results.measured}`]) {
    y += line
    parts.push(text(edge, y, each, 'quiet'))
  }
  for (const panel of results.panels) {
    y += line * 2
    parts.push(text(edge, y, 'bars' in panel ? `${panel.title}, ${panel.unit}` : panel.title, 'panel'))
    y += 10
    const drawn = 'bars' in panel ? drawBars(panel, y) : drawLine(panel, y)
    parts.push(...drawn.parts)
    y = drawn.end
  }
  const height = Math.round(y + edge)
  const ground = `<rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>`
  const root = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"`
  return `${root} aria-label="${escaped(results.title)}"><style>${style}</style>${ground}\n${parts.join('\n')}\n</svg>\n`
}

interface Drawn {
  parts: string[]
  /** Where the next element may begin. */
  end: number
}

function drawBars({ bars, most, unit }: BarPanel, top: number): Drawn {
  const longest = width - 2 * edge - label - figureWidth
  const greatest = most ?? Math.max(...bars.map(({ value }) => value))
  const own = bars.find(({ isOwn }) => isOwn)
  const parts = bars.flatMap((each, index) => {
    const y = top + index * (bar.height + bar.gap)
    const length = Math.max(1, (each.value / greatest) * longest)
    const x = edge + label
    const shape = `<rect class="${each.isOwn ? 'own' : 'other'}" x="${x}" y="${y}" width="${short(length)}" height="${bar.height}" rx="2"/>`
    const told = `${figure(each.value)}${unit === 'ms' ? timesOf(each, own) : ''}`
    return [text(edge, y + 14, each.label), shape, text(x + length + 8, y + 14, told)]
  })
  return { parts, end: top + bars.length * (bar.height + bar.gap) }
}

function drawLine({ points, unit, along }: LinePanel, top: number): Drawn {
  const left = edge + 50
  const right = width - edge - 110
  const bottom = top + chart.height
  const furthest = Math.max(...points.map(({ at }) => at))
  const greatest = Math.max(...points.map(({ value }) => value))
  const places = points.map(({ at, value }) => ({
    x: left + (at / furthest) * (right - left),
    y: bottom - (value / greatest) * (chart.height - 20),
    at,
    value,
  }))
  const path = places.map(({ x, y }) => `L${short(x)} ${short(y)}`).join('')
  const parts = [
    `<path class="axis" fill="none" d="M${left} ${top}V${bottom}H${right}"/>`,
    `<path class="path" d="M${left} ${bottom}${path}"/>`,
    ...places.flatMap(({ x, y, at, value }) => [
      `<circle class="own" cx="${short(x)}" cy="${short(y)}" r="4"/>`,
      text(x, y - 10, `${figure(value)} ${unit}`, undefined, 'middle'),
      text(x, bottom + 18, figure(at), 'quiet', 'middle'),
    ]),
    text((left + right) / 2, bottom + chart.axis - 4, along, 'quiet', 'middle'),
  ]
  return { parts, end: bottom + chart.axis }
}

/** The ratio of its time to Quire's. */
function timesOf({ value, isOwn }: Bar, own: Bar | undefined): string {
  if (isOwn || own === undefined) return ''
  const times = value / own.value
  return `  (${figure(Number(times.toPrecision(times < 100 ? 2 : 3)))} ×)`
}

function text(x: number, y: number, content: string, kind?: string, anchor?: string): string {
  const attributes = `${kind === undefined ? '' : ` class="${kind}"`}${anchor === undefined ? '' : ` text-anchor="${anchor}"`}`
  return `<text x="${short(x)}" y="${short(y)}"${attributes}>${escaped(content)}</text>`
}

function figure(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 3 })
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** All pictures by path. */
export function drawAll(): Map<string, string> {
  const names = readdirSync(resultsFolder).filter((name) => name.endsWith('.json'))
  return new Map(
    names.sort().map((name) => {
      const results: Results = JSON.parse(readFileSync(join(resultsFolder, name), 'utf8'))
      return [join(imagesFolder, `figure-${basename(name, '.json')}.svg`), drawResults(results)]
    }),
  )
}

if (import.meta.main) {
  for (const [path, picture] of drawAll()) {
    await Bun.write(path, picture)
    console.log(path)
  }
}
