import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { type LoadedPicture, loadPicture, type PictureResult, type PictureTag } from './pictures.ts'
import { scalarText } from './values.ts'

/** The pictures of one composition. Loops often show the same one; it is read or drawn once. */
export class PictureStore {
  /** Pictures that are in the document, by content hash. */
  readonly used = new Map<string, LoadedPicture>()
  /** By kind of picture, then by value: a key made of both would copy megabytes. */
  private readonly loaded = new Map<string, Map<string | undefined, PictureResult>>()
  private codeChars = 0

  load(tag: PictureTag, value: JsonValue): PictureResult {
    const text = scalarText(value)
    const key = `${tag.kind} ${tag.symbology ?? ''}`
    const known = this.loaded.get(key) ?? new Map<string | undefined, PictureResult>()
    this.loaded.set(key, known)
    const before = known.get(text)
    if (before !== undefined) return before
    if (tag.kind !== 'image') this.codeChars += Math.max(limits.composeCodeLeastChars, text?.length ?? 0)
    const result: PictureResult =
      this.codeChars > limits.composeCodeChars
        ? { ok: false, message: 'is one code too many for a document', hint: 'Hand in fewer or shorter ones.' }
        : loadPicture(tag, value)
    known.set(text, result)
    return result
  }
}
