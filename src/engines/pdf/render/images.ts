import { contentKey, type RenderCache } from '../cache.ts'
import type { Report } from '../report.ts'
import { readBmp } from './bmp.ts'
import { readGif } from './gif.ts'
import { inkSpace } from './inks.ts'
import { readJpeg } from './jpeg.ts'
import { type RasterImage, readPng } from './png.ts'
import type { ObjectNumber, PdfFile } from './write.ts'

export interface PlacedImage {
  name: string
  ref: ObjectNumber
}

/** The document's pictures: each part becomes one image XObject, however often it is drawn. */
export class ImageSet {
  private readonly images = new Map<string, PlacedImage | undefined>()
  /** The colour space of pictures in four inks, once one is drawn. */
  private inks: ObjectNumber | undefined

  constructor(
    private readonly file: PdfFile,
    private readonly read: (part: string) => Uint8Array | undefined,
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
    const bytes = this.read(part)
    const image = bytes && this.cache.once(contentKey('picture', bytes), () => prepare(bytes))
    if (!image) {
      const what = bytes ? 'is not a readable PNG, JPEG, GIF or BMP' : 'is missing'
      this.report.add(
        'render.image_unreadable',
        `Picture ${part} ${what}; a gray box replaces it.`,
        part,
        'Save the picture as PNG or JPEG.',
      )
      return undefined
    }
    const mask = image.mask
      ? this.file.addFiltered(`/Type/XObject/Subtype/Image${image.mask.entries}`, image.mask.data)
      : undefined
    if (image.inks) this.inks ??= inkSpace(this.file)
    const space = image.inks && this.inks ? `/ColorSpace ${this.inks} 0 R` : ''
    const entries = `/Type/XObject/Subtype/Image${image.entries}${space}${mask ? `/SMask ${mask} 0 R` : ''}`
    const ref = this.file.addFiltered(entries, image.data)
    return { name: `I${[...this.images.values()].filter(Boolean).length + 1}`, ref }
  }

  resources(): string {
    let entries = ''
    for (const image of this.images.values()) if (image) entries += `/${image.name} ${image.ref} 0 R`
    return entries
  }
}

function prepare(bytes: Uint8Array): { value: RasterImage | undefined; bytes: number } {
  const value = readPng(bytes) ?? readJpeg(bytes) ?? readGif(bytes) ?? readBmp(bytes)
  return { value, bytes: value ? value.data.length + (value.mask?.data.length ?? 0) : 0 }
}
