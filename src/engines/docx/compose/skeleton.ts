import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements } from '../../ooxml/xml.ts'
import type { ZipEntry } from '../../ooxml/zip-format.ts'
import type { CompiledPart } from '../program/program.ts'
import { hasTableOfContents } from '../scan/contents.ts'
import { strippedRelationships } from '../scan/external.ts'
import { greatestIds } from '../scan/greatest-ids.ts'
import { relationshipPart } from '../scan/parts.ts'
import type { CompileContext } from '../scan/scan.ts'
import { readThemeColors } from '../scan/theme-colors.ts'
import type { CompositionTemplate } from './composition.ts'
import { readNumbering } from './numbering.ts'
import { composedSettings } from './settings.ts'

/** What a composed document keeps from its template. */
export interface Skeleton extends CompositionTemplate {
  entries: readonly ZipEntry[]
  mainPart: string
  /** Whether the main document has a table of contents. */
  hasContents: boolean
  contentTypes: string
  contentTypesPart: string
  /** Parts that every composition changes in the same way. */
  fixed: ReadonlyMap<string, Uint8Array>
  /** Relationship parts by the compiled part they belong to. `text` is undefined if the package has none. */
  relationships: ReadonlyMap<string, { part: string; text: string | undefined; isChanged: boolean }>
}

const encoder = new TextEncoder()

export function skeletonOf(context: CompileContext, parts: CompiledPart[]): Skeleton {
  const { opened, styles } = context
  const contentTypesPart = opened.parts.find((part) => part.toLowerCase() === '[content_types].xml') ?? ''
  const main = opened.readXml(opened.mainPart)
  const uri = main.ok ? main.value.uri : ''
  const written = main.ok ? main.value.written : ''
  const relationships = new Map<string, { part: string; text: string | undefined; isChanged: boolean }>()
  for (const { part, links, external } of parts) {
    const gone = new Set([...links.map(({ id }) => id), ...external])
    relationships.set(part, { ...relationsWithout(opened, part, gone), isChanged: gone.size > 0 })
  }
  if (!relationships.has(opened.mainPart)) {
    relationships.set(opened.mainPart, { ...relationsWithout(opened, opened.mainPart, new Set()), isChanged: false })
  }
  const hasContents = main.ok && hasTableOfContents(main.value)
  const notes = parts.flatMap(({ part, notes }) => [...notes].map(([name, ops]) => [name, { part, ops }] as const))
  return {
    entries: opened.parts.flatMap((part) => opened.archive.entry(part) ?? []),
    mainPart: opened.mainPart,
    contentTypes: sourceOf(opened, contentTypesPart) ?? '',
    contentTypesPart,
    hasContents,
    fixed: fixedParts(opened, hasContents),
    relationships,
    greatestIds: greatestIds(opened, context.notes),
    numbering: readNumbering(opened, styles.lists, uri),
    styles,
    themeColors: readThemeColors(opened),
    uri,
    prefix: written.slice(0, written.indexOf(':') + 1),
    notes: new Map(notes),
  }
}

function sourceOf(opened: OoxmlPackage, part: string): string | undefined {
  const document = opened.readXmlDocument(part)
  return document.ok ? document.value.source : undefined
}

/** The relationship part of a part without some of its relationships. */
function relationsWithout(
  opened: OoxmlPackage,
  owner: string,
  gone: ReadonlySet<string>,
): { part: string; text: string | undefined } {
  const part = relationshipPart(opened, owner)
  const document = opened.readXmlDocument(part)
  if (!document.ok) return { part, text: undefined }
  const { root, source } = document.value
  let text = ''
  let at = 0
  for (const element of childElements(root, 'Relationship')) {
    if (!gone.has(element.attributes.Id ?? '')) continue
    text += source.slice(at, element.start)
    at = element.end
  }
  return { part, text: text + source.slice(at) }
}

function fixedParts(opened: OoxmlPackage, hasContents: boolean): Map<string, Uint8Array> {
  const fixed = new Map<string, Uint8Array>()
  const settings = composedSettings(opened, hasContents)
  if (settings === undefined) return fixed
  fixed.set(settings.part, encoder.encode(settings.text))
  const external = strippedRelationships(opened, settings.part)
  if (external.size > 0) {
    const { part, text } = relationsWithout(opened, settings.part, external)
    if (text !== undefined) fixed.set(part, encoder.encode(text))
  }
  return fixed
}
