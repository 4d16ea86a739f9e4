import type { Binding } from '../../core/binding.ts'
import { fileFormats } from '../../core/formats.ts'
import { contentHashOf } from '../../core/hash.ts'
import { formatInstant } from '../../core/instant.ts'
import type { DrawnPages } from '../../runner/job.ts'
import { canonicalStatus, familyToWire } from '../configuration/configuration.wire.ts'
import type { FamilyHead, FamilyRow } from '../families/families.reads.ts'
import type { VersionHead } from '../versions/versions.reads.ts'
import type { Template, TemplateDraft, TemplatePages, TemplateVersion } from './templates.model.ts'

export function templateVersionToWire(row: VersionHead): TemplateVersion {
  return {
    id: row.id,
    kind: 'template',
    family_id: row.familyId,
    number: row.number,
    byte_size: row.byteSize,
    content_hash: row.contentHash,
    source_revision: row.sourceRevision,
    status: canonicalStatus(row.status),
    bindings: row.bindings ?? [],
    ...(row.fragments === null ? {} : { fragments: row.fragments }),
    created_at: formatInstant(row.createdAt),
    created_by: row.createdBy,
    ...(row.publishedAt === null ? {} : { published_at: formatInstant(row.publishedAt) }),
  }
}

export function templateToWire(family: FamilyHead, versions: readonly VersionHead[]): Template {
  return { ...familyToWire(family), versions: versions.map(templateVersionToWire) }
}

/** What a file takes from outside: values, and other templates. */
export interface Taken {
  bindings: readonly Binding[]
  /** Slugs of the included templates. */
  fragments: readonly string[]
}

export function takenToWire(taken: Taken | undefined): Pick<TemplateDraft, 'bindings' | 'fragments'> {
  if (taken === undefined) return {}
  const { bindings, fragments } = taken
  return { bindings: [...bindings], ...(fragments.length === 0 ? {} : { fragments: [...fragments] }) }
}

/** @param taken undefined if the file has mistakes */
export function templateDraftToWire(row: FamilyRow, taken: Taken | undefined): TemplateDraft {
  const bytes = row.draftBytes
  if (bytes === null) throw new Error(`template ${row.id} has a draft without a file`)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    format: 'docx',
    media_type: fileFormats.docx.mediaType,
    byte_size: bytes.byteLength,
    content_hash: contentHashOf(bytes),
    revision: row.draftRevision,
    updated_at: formatInstant(row.draftUpdatedAt ?? row.updatedAt),
    ...takenToWire(taken),
  }
}

/** @param taken for an unsaved file, which only this request knows */
export function templatePagesToWire({ pages, totalPages }: DrawnPages, taken?: Taken): TemplatePages {
  return {
    total_pages: totalPages,
    ...takenToWire(taken),
    pages: pages.map(({ width, height, svg, marks }) => ({
      width,
      height,
      svg,
      marks: marks.map(({ place, pointer, ...box }) => {
        const [, part = '', paragraph = '0', position = '0'] = /^(.*)#(\d+):(\d+)$/.exec(place) ?? []
        const from = pointer === undefined ? {} : { pointer }
        return { part, paragraph: Number(paragraph), position: Number(position), ...from, ...box }
      }),
    })),
  }
}
