import type { Font } from '../font/library.ts'

/**
 * What layout hands to rendering: pure geometry in points, origin at the page's top left, y downwards. Rendering adds
 * nothing and moves nothing, so these frames are what tests look at.
 */
export interface TextLook {
  font: Font
  size: number
  color: string
  /** Horizontal scale of the glyphs, the font's own included. */
  scale: number
  /** The language that the text says it is in, as the document writes it; empty if it says none. */
  language: string
}

export interface TextFrame {
  kind: 'text'
  x: number
  /** The baseline, raised or lowered text included. */
  y: number
  width: number
  /** One character (code point) for each glyph, unless `units` gives the text of each glyph. */
  text: string
  /** Undefined if each glyph is the font's own for its character, as is nearly always so; see `glyphsOf`. */
  glyphs: number[] | undefined
  /**
   * The characters of each glyph, in the order of glyphs on the page, if text was shaped or reads from right to left.
   * In a cluster of several glyphs one has all the characters; marks without width are then undefined, and other glyphs
   * after the first are empty.
   */
  units?: (string | undefined)[]
  /** How far each glyph is above the baseline; undefined if none is. */
  rises?: number[]
  /** Extra advance after each glyph in points (justification, kerning, spacing), when there is any. */
  shifts: number[] | undefined
  /** A line around its letters; its width counts on the page, before any turn or stretch. */
  outline?: { color: string; width: number }
  look: TextLook
  node: number
}

export interface BoxFrame {
  kind: 'box'
  x: number
  y: number
  width: number
  height: number
  color: string
}

export interface LineFrame {
  kind: 'line'
  x1: number
  y1: number
  x2: number
  y2: number
  width: number
  color: string
  dash: 'solid' | 'dotted' | 'dashed' | 'wave'
}

export interface ImageFrame {
  kind: 'image'
  x: number
  y: number
  width: number
  height: number
  part: string
  crop: { left: number; top: number; right: number; bottom: number }
  rotation: number
  node: number
}

/** Where a link leads: out of the document, or to a bookmark in it. */
export type Link = { kind: 'uri'; uri: string } | { kind: 'internal'; bookmark: string }

export interface LinkFrame {
  kind: 'link'
  x: number
  y: number
  width: number
  height: number
  link: Link
  node: number
  text: string
}

export interface DestinationFrame {
  kind: 'destination'
  x: number
  y: number
  name: string
}

/** Frames drawn inside a rectangle and cut at it: rows of exact height, text boxes of fixed size. */
export interface ClipFrame {
  kind: 'clip'
  x: number
  y: number
  width: number
  height: number
  frames: Frame[]
}

/**
 * An outline. `ops` has one letter per step (`M` and `L` take one point, `C` takes three, `Z` none); `points`
 * alternates x and y, relative to the frame that carries the outline.
 */
export interface Outline {
  ops: string
  points: number[]
}

export type Paint =
  | { kind: 'solid'; color: string; opacity: number }
  /** From 0 to 1 along the line from (x1, y1) to (x2, y2), or outwards between two circles around (x2, y2). */
  | {
      kind: 'linear' | 'radial'
      stops: { at: number; color: string }[]
      x1: number
      y1: number
      x2: number
      y2: number
      opacity: number
    }

export interface Stroke {
  color: string
  opacity: number
  width: number
  /** Lengths of dashes and gaps in points; empty is a solid line. */
  dash: number[]
  cap: 'butt' | 'round' | 'square'
  join: 'miter' | 'round' | 'bevel'
  /** How long a mitre may be, in widths of the line; 10 if it is not stated. */
  miterLimit?: number
}

export interface PathFrame {
  kind: 'path'
  x: number
  y: number
  outline: Outline
  evenOdd: boolean
  fill?: Paint
  stroke?: Stroke
  node: number
}

/** From the coordinates of a frame's content to those of its surroundings: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Frames in a coordinate system of their own, turned, mirrored or scaled, and cut at an outline if there is one. */
export interface GroupFrame {
  kind: 'group'
  x: number
  y: number
  matrix: Matrix
  clip?: Outline
  /**
   * The figure that the frames make up: its extent in the group's own coordinates, and the part of the picture that the
   * frames draw, if any.
   */
  figure?: { node: number; width: number; height: number; part?: string }
  frames: Frame[]
}

export type Frame =
  | TextFrame
  | BoxFrame
  | LineFrame
  | ImageFrame
  | LinkFrame
  | DestinationFrame
  | ClipFrame
  | PathFrame
  | GroupFrame

export interface Page {
  width: number
  height: number
  /** The number shown by PAGE, and its text in the section's format. */
  number: number
  label: string
  frames: Frame[]
}

/** A node of the structure tree (PDF 32000-1, 14.8.4); `parent` -1 is the document. Frames name it by index. */
export interface StructureNode {
  type: string
  parent: number
  alt?: string
  scope?: 'Row' | 'Column'
  columnSpan?: number
  rowSpan?: number
  placement?: 'Block'
}

export interface OutlineEntry {
  title: string
  level: number
  page: number
  y: number
}

export interface Layout {
  pages: Page[]
  structure: StructureNode[]
  outline: OutlineEntry[]
}

export function glyphsOf({ glyphs, text, look }: TextFrame): readonly number[] {
  return glyphs ?? Array.from(text, (character) => look.font.face.glyph(character.codePointAt(0) ?? 0))
}

/** The node of frames that are no part of the content: headers, rules, backgrounds. */
export const ARTIFACT = -1

/** Moves frames in place; layout builds everything relative, and moves it once its place is known. */
export function moveFrames(frames: readonly Frame[], dx: number, dy: number): void {
  for (const frame of frames) {
    if (frame.kind === 'line') {
      frame.x1 += dx
      frame.x2 += dx
      frame.y1 += dy
      frame.y2 += dy
      continue
    }
    frame.x += dx
    frame.y += dy
    if (frame.kind === 'clip') moveFrames(frame.frames, dx, dy)
  }
}
