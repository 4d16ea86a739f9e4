/** The tags of a template that include others, and the template without them. */
import type { Finding } from '../../../core/finding.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { PackageEdit } from '../../ooxml/package-edit.ts'
import { textualParts } from '../scan/parts.ts'
import { type Edit, edited } from './edits.ts'
import { findIncludes, mayInclude, readStory, type Story } from './includes.ts'

/** A tag that includes a template, and its place. */
export interface FragmentUse {
  slug: string
  path: string
}

/** The parts that may include templates. */
export function storiesOf(opened: OoxmlPackage): Story[] {
  const parts = textualParts(opened).filter(({ part, kind }) => {
    const type = (opened.contentType(part) ?? '').toLowerCase()
    return kind === 'word' && /\.(?:main|header|footer)\+xml$/.test(type)
  })
  return parts.flatMap(({ part }) => {
    const document = opened.readXmlDocument(part)
    if (!document.ok || !mayInclude(document.value.source)) return []
    return readStory(opened, part) ?? []
  })
}

/** The template with an empty paragraph for each inclusion: the form in which it is checked by itself. */
export function withoutFragments(opened: OoxmlPackage): { bytes: Uint8Array; fragments: FragmentUse[] } | undefined {
  const edit = new PackageEdit(opened, 'transitional')
  const fragments: FragmentUse[] = []
  for (const { root, source, part, ...story } of storiesOf(opened)) {
    const includes = findIncludes({ root, source, part, ...story })
    fragments.push(...includes.map(({ slug, place }) => ({ slug, path: place })))
    const edits = includes.map(({ paragraph: { element }, section, declares }): Edit => {
      const text = `<${element.written}${declares}>${section}</${element.written}>`
      return { start: element.start, end: element.end, text }
    })
    if (edits.length > 0) edit.setText(part, edited(source, { start: 0, end: source.length }, edits))
  }
  return fragments.length === 0 ? undefined : { bytes: edit.bytes(), fragments }
}

/** The finding about a tag whose template is missing. */
export function missingFragment({ slug, path }: FragmentUse): Finding {
  return {
    code: 'docx.fragment_missing',
    severity: 'error',
    message: `There is no template "${slug}" to include.`,
    hint: `Name the slug of a template: {{> ${slug}}} is the file ${slug}.docx.`,
    path,
  }
}
