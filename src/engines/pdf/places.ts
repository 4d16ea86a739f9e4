import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { Frame, Layout, TextFrame } from './frame/frame.ts'
import type { Report } from './report.ts'

/** Where pictures are drawn first, by their part, as a finding says it. */
export type PicturePlaces = ReadonlyMap<string, NonNullable<Finding['near']>>

/**
 * Adds to each finding the page that shows its subject, and the words there. A missing character is located by its
 * first occurrence, and a finding made while reading by the words of its paragraph or table.
 *
 * @returns the places of pictures, for findings made while pictures are written
 */
export function placeFindings(report: Report, layout: Layout): PicturePlaces {
  const pages = new Map<number, PageText>()
  const textOf = (page: number): PageText => {
    let text = pages.get(page)
    if (text === undefined) {
      text = new PageText(layout.pages[page]?.frames ?? [])
      pages.set(page, text)
    }
    return text
  }
  for (const finding of report.findings) {
    const code = report.characterOf(finding)
    const sought = code === undefined ? seekable(finding.near?.words ?? '') : String.fromCodePoint(code)
    if (sought === '') continue
    for (let page = 0; page < layout.pages.length; page++) {
      const words = textOf(page).wordsAt(sought)
      if (words === undefined) continue
      finding.near = { ...finding.near, words: finding.near?.words ?? words, page: page + 1 }
      break
    }
  }
  return picturePlaces(layout)
}

/** Adds places to findings about pictures that were made while the file was written; earlier findings have theirs already. */
export function placePictures(findings: readonly Finding[], places: PicturePlaces): void {
  for (const finding of findings) {
    const near = finding.near === undefined ? places.get(finding.path ?? '') : undefined
    if (near !== undefined) finding.near = near
  }
}

function picturePlaces({ pages }: Layout): PicturePlaces {
  const places = new Map<string, NonNullable<Finding['near']>>()
  for (const [page, { frames }] of pages.entries()) {
    let last: TextFrame | undefined
    visit(frames, (frame) => {
      if (frame.kind === 'text') last = frame
      if (frame.kind !== 'image' || places.has(frame.part)) return
      const words = last === undefined ? '' : shorten(last.text.trim())
      places.set(frame.part, { ...(words === '' ? {} : { words }), page: page + 1 })
    })
  }
  return places
}

function visit(frames: readonly Frame[], each: (frame: Frame) => void): void {
  for (const frame of frames) {
    if (frame.kind === 'clip' || frame.kind === 'group') visit(frame.frames, each)
    else each(frame)
  }
}

/** The text of a page without its blanks, which layout doesn't keep at the ends of lines. */
class PageText {
  private readonly frames: TextFrame[] = []
  private readonly text: string

  constructor(frames: readonly Frame[]) {
    visit(frames, (frame) => {
      if (frame.kind === 'text') this.frames.push(frame)
    })
    this.text = this.frames.map(({ text }) => dense(text)).join('')
  }

  /** The words of the line around these characters; undefined if the page does not have them. */
  wordsAt(sought: string): string | undefined {
    if (!this.text.includes(dense(sought))) return undefined
    const at = this.frames.findIndex(({ text }) => text.includes(sought))
    const own = this.frames[at]
    if (own === undefined) return ''
    const line = this.frames.filter(
      ({ y }, index) => Math.abs(y - own.y) < SAME_LINE && Math.abs(index - at) <= NEIGHBOURS,
    )
    return shorten(
      line
        .map(({ text }) => text)
        .join('')
        .trim(),
      sought,
    )
  }
}

/** Baselines so near belong to one line, in points; raised notes are further off. */
const SAME_LINE = 0.5
/** A line has a frame for each stretch of one look; a dozen on either side hold more text than is quoted. */
const NEIGHBOURS = 12

function dense(text: string): string {
  return text.replace(/\s+/g, '')
}

/** The beginning of some words: a paragraph may end on another page. */
function seekable(words: string): string {
  return dense(words.replace(/[…¶].*$/s, '')).slice(0, limits.findingWordsSought)
}

/** As much of a line as a finding quotes, around the text sought. */
function shorten(text: string, sought = ''): string {
  const characters = [...text]
  if (characters.length <= limits.findingWords) return text
  const at = sought === '' ? 0 : [...text.slice(0, Math.max(0, text.indexOf(sought)))].length
  const from = Math.max(0, Math.min(at - limits.findingWords / 2, characters.length - limits.findingWords))
  const shown = characters
    .slice(from, from + limits.findingWords)
    .join('')
    .trim()
  return `${from > 0 ? '…' : ''}${shown}${from + limits.findingWords < characters.length ? '…' : ''}`
}
