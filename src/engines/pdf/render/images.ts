import { limits } from '../../../core/limits.ts'
import { contentKey, type RenderCache } from '../cache.ts'
import type { Report } from '../report.ts'
import { readBmp } from './bmp.ts'
import { readGif } from './gif.ts'
import { inkSpace } from './inks.ts'
import { readJpeg } from './jpeg.ts'
import { decodedBytes, type RasterImage, readPng, type Size, shrunkSize } from './png.ts'
import type { ObjectNumber, PdfFile } from './write.ts'

/** Where pictures come from. */
export interface PictureSource {
  read(part: string): Uint8Array | undefined
  /** The largest size at which each whole picture is drawn, in points. */
  drawn: ReadonlyMap<string, Size>
}

export interface PlacedImage {
  name: string
  ref: ObjectNumber
}

/** The document's pictures: each part becomes one image XObject, however often it is drawn. */
export class ImageSet {
  private readonly images = new Map<string, PlacedImage | undefined>()
  /** The colour space of pictures in four inks, once one is drawn. */
  private inks: ObjectNumber | undefined

  private decodedBytes = 0

  constructor(
    private readonly file: PdfFile,
    private readonly source: PictureSource,
    private readonly cache: RenderCache,
    private readonly report: Report,
  ) {}

  /** The picture of a part; undefined when it cannot be shown, which is then reported. */
  use(part: string): PlacedImage | undefined {
    if (this.images.has(part)) return this.images.get(part)
    const placed = this.embed(part)
    this.images.set(part, placed)
    return placed
  }

  private embed(part: string): PlacedImage | undefined {
    const bytes = this.source.read(part)
    this.decodedBytes += bytes ? decodedBytes(bytes) : 0
    if (this.decodedBytes > limits.renderImagesBytes) return this.refuse(part, tooMuch)
    const size = bytes && shrunkSize(bytes, this.source.drawn.get(part))
    const key = size === undefined ? 'picture' : `picture ${size.width}x${size.height}`
    const image = bytes && this.cache.once(contentKey(key, bytes), () => prepare(bytes, size))
    if (!image) return this.refuse(part, bytes ? unreadable : missing)
    const mask = image.mask
      ? this.file.addFiltered(`/Type/XObject/Subtype/Image${image.mask.entries}`, image.mask.data)
      : undefined
    if (image.inks) this.inks ??= inkSpace(this.file)
    const space = image.inks && this.inks ? `/ColorSpace ${this.inks} 0 R` : ''
    const entries = `/Type/XObject/Subtype/Image${image.entries}${space}${mask ? `/SMask ${mask} 0 R` : ''}`
    const ref = this.file.addFiltered(entries, image.data)
    return { name: `I${[...this.images.values()].filter(Boolean).length + 1}`, ref }
  }

  private refuse(part: string, { what, hint }: Refused): undefined {
    this.report.add('render.image_unreadable', `Picture ${part} ${what}; a gray box replaces it.`, part, hint)
  }

  resources(): string {
    let entries = ''
    for (const image of this.images.values()) if (image) entries += `/${image.name} ${image.ref} 0 R`
    return entries
  }
}

interface Refused {
  what: string
  hint: string
}

const kinds = 'Save the picture as PNG or JPEG.'
const unreadable: Refused = { what: 'is not a readable PNG, JPEG, GIF or BMP', hint: kinds }
const missing: Refused = { what: 'is missing', hint: kinds }
const tooMuch: Refused = {
  what: `is beyond the ${limits.renderImagesBytes / 1_048_576} MB that pictures of one document may take when they are decoded`,
  hint: 'Save pictures with fewer pixels, or as JPEG.',
}

function prepare(bytes: Uint8Array, size: Size | undefined): { value: RasterImage | undefined; bytes: number } {
  const value = readPng(bytes, size) ?? readJpeg(bytes) ?? readGif(bytes) ?? readBmp(bytes)
  return { value, bytes: value ? value.data.length + (value.mask?.data.length ?? 0) : 0 }
}
