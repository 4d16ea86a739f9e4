import type { Conformance } from '../../ooxml/namespaces.ts'
import type { Drawing, LoadedPicture } from './pictures.ts'

/** The relationships that one part gains while composing: one for each picture and each address. */
export class PartRelationships {
  /** Ids by the picture's hash. */
  readonly pictures = new Map<string, string>()
  /** Ids by the drawing's hash. */
  readonly drawings = new Map<string, string>()
  /** Ids by the address. */
  readonly links = new Map<string, string>()

  constructor(readonly conformance: Conformance) {}

  pictureId({ hash }: LoadedPicture): string {
    return idFor(this.pictures, hash, 'rIdQuire')
  }

  drawingId({ hash }: Drawing): string {
    return idFor(this.drawings, hash, 'rIdQuireSvg')
  }

  linkId(address: string): string {
    return idFor(this.links, address, 'rIdQuireLink')
  }
}

function idFor(ids: Map<string, string>, key: string, prefix: string): string {
  const known = ids.get(key)
  if (known !== undefined) return known
  const id = `${prefix}${ids.size + 1}`
  ids.set(key, id)
  return id
}
