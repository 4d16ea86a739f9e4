import type { Binding } from '../../core/binding.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import { compileTemplate, earlierReading, missingFragment } from '../../engines/docx/docx.ts'
import { withSurroundings } from '../../engines/docx/surroundings.ts'
import type { FragmentGap, LinkedTemplate } from '../versions/fragments.service.ts'
import type { Content, Read, SourceText } from '../versions/versions.service.ts'
import { compiledModel, compiledSchema, compiledTemplate, compiledTransformer } from './compiled-sources.service.ts'

/** A draft to be checked by its engine. */
export interface ContentQuestion {
  kind: FamilyKind
  content: Content
}

/** Checks that the engine accepts a draft, for freezing. For templates, also returns their bindings. */
export function checkContent({ kind, content }: ContentQuestion): Outcome<Read> {
  if ('bytes' in content) {
    const template = compiledTemplate(content.bytes)
    const findings = withSurroundings(content.bytes, template.findings)
    if (!template.ok) return fail(...findings)
    const slugs = [...new Set(template.value.fragments.map(({ slug }) => slug))]
    return succeed({ bindings: [...template.value.bindings], fragments: slugs.length === 0 ? null : slugs }, findings)
  }
  const compiled = compileSource(kind, content)
  return compiled.ok ? succeed({ bindings: null, fragments: null }, compiled.findings) : compiled
}

/** Bindings of a frozen template and of those that it includes; each file was judged when it was frozen. */
export function linkedBindings({ bytes, reading, fragments }: LinkedTemplate): Outcome<Binding[]> {
  const compiled = compileTemplate(bytes, reading, fragments)
  return compiled.ok ? succeed([...compiled.value.bindings]) : fail(...compiled.findings)
}

/** Gaps among a frozen template's included templates, as findings at the template's own tags. */
export function gaps({ bytes, reading, gaps: found }: GapsQuestion): Finding[] {
  const compiled = compileTemplate(bytes, reading)
  const places = new Map(compiled.ok ? compiled.value.fragments.map(({ slug, path }) => [slug, path]) : [])
  const findings = found.map(({ code, chain: [slug = ''], message, hint }): Finding => {
    const path = places.get(slug)
    return { code, severity: 'error', message, hint, ...(path === undefined ? {} : { path }) }
  })
  return [...withSurroundings(bytes, findings)]
}

export interface GapsQuestion {
  bytes: Uint8Array
  reading: Reading
  gaps: readonly FragmentGap[]
}

/** Findings at the tags of a template that include these slugs, which don't exist. */
export function missingFragments({ bytes, slugs }: { bytes: Uint8Array; slugs: readonly string[] }): Finding[] {
  const template = compiledTemplate(bytes)
  const uses = template.ok ? template.value.fragments : []
  return [...withSurroundings(bytes, uses.filter(({ slug }) => slugs.includes(slug)).map(missingFragment))]
}

/** Warnings about parts of a frozen template or transformer that today's rules refuse or read differently. */
export function earlierFindings({
  kind,
  content,
  reading,
}: ContentQuestion & { reading: Reading }): readonly Finding[] {
  if (reading === newestReading) return []
  if ('bytes' in content) {
    const { findings } = compileTemplate(content.bytes, reading)
    return withSurroundings(
      content.bytes,
      findings.filter(({ code }) => code === earlierReading),
    )
  }
  if (kind !== 'transformer') return []
  const compiled = compiledTransformer(content, { reading })
  return compiled.ok ? compiled.value.earlier : []
}

/** Compiles a source text by itself, with its kind's engine. */
export function compileSource(kind: FamilyKind, { source, format }: SourceText): Outcome<unknown> {
  switch (kind) {
    case 'contract':
      return compiledSchema(source)
    case 'ingestion_model':
      return compiledModel({ source, format })
    case 'transformer':
      return compiledTransformer({ source, format })
    case 'template':
      throw new Error('a template has bytes, not source text')
  }
}
