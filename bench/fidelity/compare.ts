/** How similar two PDFs look: pages, positions of words, line breaks, and ink. */

export interface Word {
  page: number
  x: number
  y: number
  bottom: number
  text: string
}

export interface Score {
  pages: readonly [own: number, peer: number]
  words: number
  /** Mean over all words: 1 if a word is within 1.5 pt of its place, ½ within 9 pt, else 0. */
  position: number
  /** Share of the peer's lines with the same words (F1). */
  lines: number
  /** Share of the ink that both have in the same place, over the first pages. */
  ink: number
}

const NEAR = 1.5
const CLOSE = 9
const INK_PAGES = 6
const INK_DPI = 40

export async function readWords(pdf: string): Promise<{ pages: number; words: Word[] }> {
  const html = await new Response(Bun.spawn(['pdftotext', '-bbox', pdf, '-'], { stderr: 'ignore' }).stdout).text()
  const words: Word[] = []
  let pages = 0
  for (const [, tag, x, y0, x1, y1, text] of html.matchAll(
    /<(page|word)(?: xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*))?/g,
  )) {
    if (tag === 'page') pages++
    else {
      const shown = plain(text ?? '')
      const word = { page: pages, x: Number(x), y: Number(y0), bottom: Number(y1), text: shown }
      if (fullWidth.test(shown)) words.push(...ideographsOf(word, Number(x1) - Number(x)))
      else if (shown !== '') words.push(word)
    }
  }
  return { pages, words }
}

const fullWidth = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/

/**
 * Splits East Asian text, which has no spaces: a whole line would count as one word, and a change of font within it as two. Each
 * ideograph counts as a word, and so do the Latin letters and digits between them. All ideographs have the same width, and
 * letters half of it.
 */
function ideographsOf(word: Word, width: number): Word[] {
  const parts = word.text.match(new RegExp(`${fullWidth.source}|[^${fullWidth.source.slice(1, -1)}]+`, 'g')) ?? []
  const units = (part: string) => (fullWidth.test(part) ? 1 : part.length / 2)
  const total = parts.reduce((sum, part) => sum + units(part), 0)
  let before = 0
  return parts.map((text) => {
    const x = word.x + (width * before) / total
    before += units(text)
    return { ...word, x, text }
  })
}

/**
 * Text without differences that say nothing about positions: leader dots may or may not join the words around them, and bullets
 * have different codes.
 */
function plain(text: string): string {
  return text.replace(/[.·_]{3,}/g, '').replace(/^[\ue000-\uf8ff•▪■●○◦‣➢►o]$/u, '•')
}

/**
 * Distance of two words. Files state their fonts' ascents and descents differently, and a word's box follows from these, so the
 * best of both edges and the middle counts.
 */
function distance(a: Word, b: Word): number {
  const top = a.y - b.y
  const bottom = a.bottom - b.bottom
  return Math.hypot(a.x - b.x, Math.min(Math.abs(top), Math.abs(bottom), Math.abs(top + bottom) / 2))
}

/** @param withInk also draws the pages, which takes most of the time */
export async function compare(own: string, peer: string, withInk: boolean): Promise<Score> {
  const [a, b] = await Promise.all([readWords(own), readWords(peer)])
  return {
    pages: [a.pages, b.pages],
    words: b.words.length,
    position: positions(a.words, b.words),
    lines: lineAgreement(a.words, b.words),
    ink: withInk ? await inkAgreement(own, peer, Math.min(a.pages, b.pages, INK_PAGES)) : Number.NaN,
  }
}

/** Pairs equal words of a page, nearest first; a word on another page scores nothing. */
function positions(own: readonly Word[], peer: readonly Word[]): number {
  const total = Math.max(own.length, peer.length)
  if (total === 0) return 1
  const waiting = new Map<string, Word[]>()
  for (const word of own) {
    const key = `${word.page} ${word.text}`
    const list = waiting.get(key)
    if (list) list.push(word)
    else waiting.set(key, [word])
  }
  let score = 0
  const pass = (words: readonly Word[], reach: number, worth: number): Word[] => {
    const left: Word[] = []
    for (const word of words) {
      const list = waiting.get(`${word.page} ${word.text}`)
      const at = list?.findIndex((other) => distance(other, word) <= reach) ?? -1
      if (!list || at < 0) left.push(word)
      else {
        list.splice(at, 1)
        score += worth
      }
    }
    return left
  }
  pass(pass(peer, NEAR, 1), CLOSE, 0.5)
  return score / total
}

function linesOf(words: readonly Word[]): Map<string, number> {
  const lines = new Map<string, number>()
  let text = ''
  let last: Word | undefined
  const close = () => {
    if (text !== '') lines.set(text, (lines.get(text) ?? 0) + 1)
    text = ''
  }
  for (const word of words) {
    if (!last || word.page !== last.page || Math.abs(word.y - last.y) > 4 || word.x < last.x) close()
    text += `${word.text} `
    last = word
  }
  close()
  return lines
}

function lineAgreement(own: readonly Word[], peer: readonly Word[]): number {
  const a = linesOf(own)
  const b = linesOf(peer)
  const size = (lines: Map<string, number>) => [...lines.values()].reduce((sum, count) => sum + count, 0)
  let shared = 0
  for (const [line, count] of a) shared += Math.min(count, b.get(line) ?? 0)
  const total = size(a) + size(b)
  return total === 0 ? 1 : (2 * shared) / total
}

interface Gray {
  width: number
  height: number
  data: Uint8Array
}

async function inkAgreement(own: string, peer: string, pages: number): Promise<number> {
  if (pages === 0) return 0
  const [a, b] = await Promise.all([rasterize(own, pages), rasterize(peer, pages)])
  let both = 0
  let either = 0
  for (const [index, page] of a.entries()) {
    const other = b[index]
    if (!other) continue
    const left = inkOf(page)
    const right = inkOf(other)
    for (let y = 0; y < Math.min(page.height, other.height); y++) {
      for (let x = 0; x < Math.min(page.width, other.width); x++) {
        const p = left[y * page.width + x]!
        const q = right[y * other.width + x]!
        both += Math.min(p, q)
        either += Math.max(p, q)
      }
    }
  }
  return either === 0 ? 1 : both / either
}

/** Ink blurred over neighbouring pixels, so that a shift of half a pixel counts half. */
function inkOf({ width, height, data }: Gray): Float32Array {
  const ink = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      let sum = 0
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) sum += 255 - data[(y + dy) * width + x + dx]!
      ink[y * width + x] = sum / 9
    }
  }
  return ink
}

async function rasterize(pdf: string, pages: number): Promise<Gray[]> {
  const child = Bun.spawn(['pdftoppm', '-gray', '-r', `${INK_DPI}`, '-f', '1', '-l', `${pages}`, pdf], {
    stderr: 'ignore',
  })
  const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer())
  const images: Gray[] = []
  let at = 0
  while (at < bytes.length) {
    const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(at, at + 40)).toString('latin1'))
    if (!head) break
    const width = Number(head[1])
    const height = Number(head[2])
    at += head[0].length
    images.push({ width, height, data: bytes.subarray(at, at + width * height) })
    at += width * height
  }
  return images
}
