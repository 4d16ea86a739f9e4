/** Pictures, charts and links of included templates: copies of their parts, and relationships to them. */
import type { OoxmlPackage } from '../../ooxml/package.ts'
import type { PackageEdit } from '../../ooxml/package-edit.ts'

/** The template that something is copied from. */
export interface PartOwner {
  slug: string
  opened: OoxmlPackage
}

export class CopiedParts {
  /** New names by the template and the part. */
  private readonly copies = new Map<string, string>()
  /** New ids by the template, the part and the id there, and the part that refers to it here. */
  private readonly relations = new Map<string, string>()

  constructor(private readonly edit: PackageEdit) {}

  /** The id, in `target`, of what `id` refers to in a part of the fragment; undefined if it refers to nothing. */
  relation(from: PartOwner, part: string, id: string, target: string): string | undefined {
    const key = [from.slug, part, id, target].join(' ')
    const known = this.relations.get(key)
    if (known !== undefined) return known
    const relation = from.opened.relationships(part).find((one) => one.id === id)
    if (relation === undefined) return undefined
    const { type, external } = relation
    const copy = external ? relation.target : this.copyOf(from, relation.target)
    if (copy === undefined) return undefined
    const fresh = this.edit.relate(target, { type, target: copy, external })
    this.relations.set(key, fresh)
    return fresh
  }

  /** A part with all that it refers to, under names of their own. */
  private copyOf(from: PartOwner, part: string): string | undefined {
    const key = `${from.slug} ${part}`
    const known = this.copies.get(key)
    if (known !== undefined) return known
    const bytes = from.opened.readBytes(part)
    if (!bytes.ok) return undefined
    const [, folder = '', extension = ''] = /^(.*\/)?[^/]*?(\.[A-Za-z0-9]+)?$/.exec(part) ?? []
    const name = this.edit.freeName(`${/^[\x21-\x7e]*$/.test(folder) ? folder : 'word/media/'}included`, extension)
    // Set first: parts that refer to each other end here.
    this.copies.set(key, name)
    this.edit.addPart(name, bytes.value, from.opened.contentType(part) ?? 'application/octet-stream')
    for (const { id, type, target, external } of from.opened.relationships(part)) {
      const copy = external ? target : this.copyOf(from, target)
      if (copy !== undefined) this.edit.relate(name, { id, type, target: copy, external })
    }
    return name
  }
}
