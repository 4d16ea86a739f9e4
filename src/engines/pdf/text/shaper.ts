import harfbuzzFile from 'harfbuzzjs/dist/harfbuzz.wasm' with { type: 'file' }
import { readEmbedded } from '../../../core/embedded-file.ts'
import { limits } from '../../../core/limits.ts'
import type { Face } from '../font/face.ts'
import { endlessLookups } from './cursive.ts'

/** Glyphs in visual order, lengths in font design units. */
export interface ShapedGlyph {
  glyph: number
  /** Index of the first UTF-16 unit that the glyph, with others of the same cluster, represents. */
  cluster: number
  advance: number
  dx: number
  dy: number
}

export interface ShapeOptions {
  rightToLeft: boolean
  kern: boolean
  /** The text before and after in the paragraph, which letters may join with. */
  before: string
  after: string
  /** BCP 47 tag; empty when unknown. */
  language: string
}

interface Exports {
  memory: WebAssembly.Memory
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  free(at: number): void
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_font_create(face: number): number
  hb_font_destroy(font: number): void
  hb_font_set_scale(font: number, x: number, y: number): void
  hb_language_from_string(text: number, length: number): number
  hb_buffer_create(): number
  hb_buffer_reset(buffer: number): void
  hb_buffer_set_direction(buffer: number, direction: number): void
  hb_buffer_set_language(buffer: number, language: number): void
  hb_buffer_set_cluster_level(buffer: number, level: number): void
  hb_buffer_guess_segment_properties(buffer: number): void
  hb_buffer_add_utf16(buffer: number, text: number, length: number, itemAt: number, itemLength: number): void
  hb_buffer_get_length(buffer: number): number
  hb_buffer_get_glyph_infos(buffer: number, length: number): number
  hb_buffer_get_glyph_positions(buffer: number, length: number): number
  hb_shape(font: number, buffer: number, features: number, count: number): void
}

const LEFT_TO_RIGHT = 4
const RIGHT_TO_LEFT = 5
const READ_ONLY = 1
/** A letter and its marks are one cluster, so that text extraction gets them together, in logical order. */
const MONOTONE_GRAPHEMES = 0
const KERN_TAG = 0x6b65726e
/** Sizes of hb_glyph_info_t and hb_glyph_position_t in 32-bit words. */
const RECORD_WORDS = 5

interface LoadedFont {
  font: number
  face: number
  blob: number
  data: number
  bytes: number
}

/** One HarfBuzz in its own memory, with the fonts that were shaped with lately. */
class Shaper {
  private readonly exports: Exports
  private readonly buffer: number
  private readonly features: number
  private readonly fonts = new Map<Face, LoadedFont>()
  private fontBytes = 0
  private text = { at: 0, units: 0 }

  constructor() {
    const module = new WebAssembly.Module(readEmbedded(harfbuzzFile))
    const end = () => {
      throw new Error('HarfBuzz ended itself')
    }
    // Host functions: one for more memory; those for timers and for ending the process are not used by shaping.
    const env = {
      _emscripten_runtime_keepalive_clear: () => {},
      _setitimer_js: () => 0,
      _abort_js: end,
      emscripten_resize_heap: (bytes: number) => this.grow(bytes >>> 0),
    }
    const instance = new WebAssembly.Instance(module, { env, wasi_snapshot_preview1: { proc_exit: end } })
    // What the package's library exports is fixed by its version; a test shapes with every function.
    this.exports = instance.exports as unknown as Exports
    this.exports.__wasm_call_ctors()
    this.buffer = this.exports.hb_buffer_create()
    this.features = this.exports.malloc(16)
    new Uint32Array(this.exports.memory.buffer, this.features, 4).set([KERN_TAG, 0, 0, 0xffffffff])
  }

  private grow(bytes: number): number {
    if (bytes > limits.shaperBytes) return 0
    const missing = bytes - this.exports.memory.buffer.byteLength
    if (missing > 0) this.exports.memory.grow(Math.ceil(missing / 65_536))
    return 1
  }

  private load(face: Face): LoadedFont {
    let loaded = this.fonts.get(face)
    if (loaded) {
      this.fonts.delete(face)
      this.fonts.set(face, loaded)
      return loaded
    }
    const { exports } = this
    const { bytes } = face
    for (const [oldest, { bytes: size }] of this.fonts) {
      if (this.fontBytes + bytes.length <= limits.shaperFontBytes && this.fonts.size < limits.shaperFonts) break
      this.unload(oldest)
      this.fontBytes -= size
    }
    const data = exports.malloc(bytes.length)
    if (data === 0) throw new Error('HarfBuzz has no memory for the font')
    const memory = new Uint8Array(exports.memory.buffer)
    memory.set(bytes, data)
    const gpos = face.tables.get('GPOS')
    // No lookup has the type 0: HarfBuzz passes over it.
    for (const at of gpos ? endlessLookups(gpos) : []) memory.fill(0, data + at, data + at + 2)
    const blob = exports.hb_blob_create(data, bytes.length, READ_ONLY, 0, 0)
    const hbFace = exports.hb_face_create(blob, face.index)
    const font = exports.hb_font_create(hbFace)
    exports.hb_font_set_scale(font, face.unitsPerEm, face.unitsPerEm)
    loaded = { font, face: hbFace, blob, data, bytes: bytes.length }
    this.fonts.set(face, loaded)
    this.fontBytes += bytes.length
    return loaded
  }

  private unload(face: Face): void {
    const loaded = this.fonts.get(face)
    if (!loaded) return
    const { exports } = this
    exports.hb_font_destroy(loaded.font)
    exports.hb_face_destroy(loaded.face)
    exports.hb_blob_destroy(loaded.blob)
    exports.free(loaded.data)
    this.fonts.delete(face)
  }

  shape(face: Face, text: string, options: ShapeOptions): ShapedGlyph[] {
    const { exports, buffer } = this
    const { font } = this.load(face)
    const whole = options.before + text + options.after
    const at = this.place(whole)
    exports.hb_buffer_reset(buffer)
    exports.hb_buffer_set_cluster_level(buffer, MONOTONE_GRAPHEMES)
    exports.hb_buffer_add_utf16(buffer, at, whole.length, options.before.length, text.length)
    exports.hb_buffer_set_direction(buffer, options.rightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT)
    exports.hb_buffer_guess_segment_properties(buffer)
    const language = this.language(options.language)
    if (language !== 0) exports.hb_buffer_set_language(buffer, language)
    exports.hb_shape(font, buffer, this.features, options.kern ? 0 : 1)
    const count = exports.hb_buffer_get_length(buffer)
    const infos = exports.hb_buffer_get_glyph_infos(buffer, 0)
    const positions = exports.hb_buffer_get_glyph_positions(buffer, 0)
    const words = new Int32Array(exports.memory.buffer)
    const wordAt = (at: number) => words[at] ?? 0
    const glyphs: ShapedGlyph[] = []
    for (let index = 0; index < count; index++) {
      const info = infos / 4 + index * RECORD_WORDS
      const position = positions / 4 + index * RECORD_WORDS
      glyphs.push({
        glyph: wordAt(info),
        cluster: wordAt(info + 2) - options.before.length,
        advance: wordAt(position),
        dx: wordAt(position + 2),
        dy: wordAt(position + 3),
      })
    }
    return glyphs
  }

  /** The text as UTF-16 in HarfBuzz's memory; the room is kept for the next one. */
  private place(text: string): number {
    if (text.length > this.text.units) {
      if (this.text.at !== 0) this.exports.free(this.text.at)
      const units = Math.max(256, text.length)
      this.text = { at: this.exports.malloc(units * 2), units }
      if (this.text.at === 0) throw new Error('HarfBuzz has no memory for the text')
    }
    const view = new Uint16Array(this.exports.memory.buffer, this.text.at, text.length)
    for (let unit = 0; unit < text.length; unit++) view[unit] = text.charCodeAt(unit)
    return this.text.at
  }

  private readonly languages = new Map<string, number>()

  private language(tag: string): number {
    if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(tag)) return 0
    let language = this.languages.get(tag)
    if (language === undefined) {
      // HarfBuzz keeps every language it meets; documents name a handful.
      if (this.languages.size >= 64) return 0
      const at = this.exports.malloc(tag.length)
      new Uint8Array(this.exports.memory.buffer, at, tag.length).set(Buffer.from(tag, 'latin1'))
      language = this.exports.hb_language_from_string(at, tag.length)
      this.exports.free(at)
      this.languages.set(tag, language)
    }
    return language
  }
}

let shaper: Shaper | undefined
/** Words repeat, and shaping one takes some twenty microseconds. */
const shapedWords = new WeakMap<Face, Map<string, ShapedGlyph[] | undefined>>()

/**
 * Shapes one word of one script with HarfBuzz, which is loaded when the first word needs it. The same face, text and
 * options give the same glyphs on any machine. Undefined if HarfBuzz fails on the font: the caller then draws the
 * characters unshaped.
 */
export function shapeWord(face: Face, text: string, options: ShapeOptions): readonly ShapedGlyph[] | undefined {
  if (face.bytes.length > limits.shaperFontBytes) return undefined
  let words = shapedWords.get(face)
  if (!words || words.size >= limits.shapedWords) {
    words = new Map()
    shapedWords.set(face, words)
  }
  const key = `${text}\n${options.before}\n${options.after}\n${options.rightToLeft}${options.kern}${options.language}`
  if (words.has(key)) return words.get(key)
  let glyphs: ShapedGlyph[] | undefined
  try {
    shaper ??= new Shaper()
    glyphs = shaper.shape(face, text, options)
    if (!glyphs.every(({ glyph, cluster }) => glyph >= 0 && glyph < face.glyphCount && cluster >= 0)) glyphs = undefined
  } catch {
    // After a trap the state of its memory is unknown, so the next word starts with a new one.
    shaper = undefined
  }
  words.set(key, glyphs)
  return glyphs
}
