import { limits } from '../../../core/limits.ts'
import { openPackage } from '../../ooxml/package.ts'
import { withoutFragments } from './uses.ts'

/** The slugs that a template includes directly, each once, in document order; none for a file that can't be opened. */
export function includedSlugs(template: Uint8Array): string[] {
  const opened = openPackage(template)
  const found = opened.ok ? withoutFragments(opened.value) : undefined
  return [...new Set(found?.fragments.map(({ slug }) => slug))]
}

/**
 * The templates that a template includes, at any depth, by slug in order. Missing ones are left out and circles end:
 * linking reports both.
 * @param fileOf the file of a template by its slug
 * @param slugsOf `includedSlugs`, or a cached form of it
 */
export function fragmentsWithin(
  template: Uint8Array,
  fileOf: (slug: string) => Uint8Array | undefined,
  slugsOf: (template: Uint8Array) => readonly string[] = includedSlugs,
): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  const wanted = [...slugsOf(template)]
  for (let slug = wanted.shift(); slug !== undefined && found.size < limits.fragmentInclusions; slug = wanted.shift()) {
    const bytes = found.has(slug) ? undefined : fileOf(slug)
    if (bytes === undefined) continue
    found.set(slug, bytes)
    wanted.push(...slugsOf(bytes))
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}
