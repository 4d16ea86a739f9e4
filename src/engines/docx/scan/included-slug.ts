import { slugRule } from '../../../core/list-filters.ts'
import { hardBlanks } from '../../../core/plain-text.ts'

const slugPattern = new RegExp(slugRule.pattern)

/** The slug of a tag that includes a template, given its inner text: `> clause-liability`; undefined for any other tag. */
export function includedSlug(inner: string): string | undefined {
  const source = inner.replace(hardBlanks, ' ').trim()
  const slug = source.startsWith('>') ? source.slice(1).trim() : ''
  return slugPattern.test(slug) && slug.length <= slugRule.maxLength ? slug : undefined
}
