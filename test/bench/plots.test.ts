import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SaxesParser } from 'saxes'
import { drawAll, drawResults } from '../../bench/plots.ts'
import type { Results } from '../../bench/results.ts'

const pictures = [...drawAll()]
const results: Results = {
  title: 'Fish & "chips" <fried>',
  method: 'eaten',
  command: 'bun bench/fish.bench.ts',
  measured: '2026-11-23, 2 cores, load 1',
  panels: [
    {
      title: 'Portions',
      unit: 'ms',
      bars: [
        { label: 'Quire', value: 0.02, isOwn: true },
        { label: 'other', value: 40, isOwn: false },
      ],
    },
    { title: 'Shares', unit: '%', most: 100, bars: [{ label: 'Quire', value: 50, isOwn: true }] },
    {
      title: 'More',
      unit: 'ms',
      along: 'fish',
      points: [
        { at: 10, value: 1 },
        { at: 20, value: 2.5 },
      ],
    },
  ],
}

test('the committed pictures of figures are what the kept results draw', () => {
  expect(pictures.length).toBeGreaterThan(3)
  for (const [path, picture] of pictures) expect([path, readFileSync(path, 'utf8')]).toEqual([path, picture])
})

test('the page of figures shows every picture, each with words for those who do not see it', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/figures.md'), 'utf8')
  const shown = [...page.matchAll(/!\[([^\]]{20,})\]\(images\/(figure-[\w-]+\.svg)\)/g)].map(([, , name = '']) => name)
  expect(shown.sort()).toEqual(pictures.map(([path]) => basename(path)).sort())
})

test('a picture is well-formed, says what it measures, and nothing on it ends outside of its ground', () => {
  const picture = drawResults(results)
  const texts: string[] = []
  const boxes: { x: number; y: number; width: number; height: number }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name !== 'rect') return
    const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((key) => Number(attributes[key]))
    boxes.push({ x, y, width, height })
  })
  parser.on('text', (text) => text.trim() !== '' && texts.push(text))
  parser.write(picture).close()
  expect(texts).toContain('Fish & "chips" <fried>')
  expect(texts).toContain('40  (2,000 ×)')
  expect(texts).toContain('bun bench/fish.bench.ts — 2026-11-23, 2 cores, load 1')
  const [ground, tiny, longest, half] = boxes
  for (const { x, y, width, height } of boxes) {
    expect(x + width).toBeLessThanOrEqual((ground?.x ?? 0) + (ground?.width ?? 0))
    expect(y + height).toBeLessThanOrEqual((ground?.y ?? 0) + (ground?.height ?? 0))
  }
  // What is too small to be drawn is still seen, and a given end of the scale counts.
  expect([tiny?.width, (half?.width ?? 0) * 2]).toEqual([1, longest?.width ?? 0])
})

test('a picture can be read on light and on dark pages: it brings its ground and a colour for each', () => {
  const [, dark = ''] = drawResults(results).split('@media(prefers-color-scheme:dark){')
  for (const part of ['text', '.quiet', '.ground', '.own', '.other', '.axis', '.path']) {
    expect(dark.slice(0, dark.indexOf('</style>'))).toContain(`${part}{`)
  }
})
