/** Templates that a template includes, `{{> clause-liability}}`: which versions, and the bindings of all together. */
import type { Binding } from '../../core/binding.ts'
import { type Outcome, succeed } from '../../core/finding.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import { limits } from '../../core/limits.ts'
import type { Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { LruCache } from '../../runner/lru.ts'
import { readVersion, type VersionRow } from './versions.reads.ts'

/** A template's version, as needed for including it. */
export interface FragmentVersion extends PinnedFragment {
  /** Slugs that it includes itself. */
  includes: readonly string[]
  reading: Reading
}

/** Why a tag can't include its template: a sentence, and a remedy. */
export interface FragmentGap {
  code: string
  /** The slugs from the template's own tag to the gap. */
  chain: readonly string[]
  message: string
  hint: string
}

/** The version for a template's slug; or why there is none, as the rest of a sentence about it. */
export type FindFragment = (slug: string) => Promise<FragmentVersion | string>

/**
 * All versions that a template includes, directly or through others, by slug in order: one per slug, since a release is of one
 * instant. Reports circles, and versions that were frozen under other rules than the template: its rules apply to the whole.
 */
export async function resolveFragments(
  template: Pick<FragmentVersion, 'includes' | 'reading'>,
  find: FindFragment,
): Promise<{ fragments: PinnedFragment[]; gaps: FragmentGap[] }> {
  const known = new Map<string, FragmentVersion>()
  const gaps: FragmentGap[] = []
  const told = new Set<string>()
  /**
   * The greatest depth at which each was visited. What fits there also fits at a smaller depth; without this, there may be
   * millions of paths.
   */
  const depths = new Map<string, number>()
  const tell = (gap: FragmentGap) => {
    if (!told.has(gap.message)) gaps.push(gap)
    told.add(gap.message)
  }
  const visit = async (slug: string, before: readonly string[]): Promise<void> => {
    const chain = [...before, slug]
    if (before.includes(slug)) {
      return tell({
        code: 'docx.fragment_circle',
        chain,
        message: `Templates include each other in a circle: ${chain.join(' → ')}.`,
        hint: 'Take one of the tags out.',
      })
    }
    if (chain.length <= (depths.get(slug) ?? 0)) return
    const seen = known.get(slug)
    const isFull = seen === undefined && known.size >= limits.fragmentInclusions
    if (chain.length > limits.fragmentDepth || isFull) {
      return tell({
        code: 'docx.fragment_depth',
        chain,
        message: `Too many templates are included: ${chain.join(' → ')}.`,
        hint: `Include at most ${limits.fragmentInclusions}, ${limits.fragmentDepth} deep.`,
      })
    }
    const found = seen ?? (await find(slug))
    if (typeof found === 'string') {
      return tell({
        code: 'docx.fragment_missing',
        chain,
        message: `The included template "${slug}" ${found}.`,
        hint: 'Publish and activate it first.',
      })
    }
    if (found.reading !== template.reading) {
      return tell({
        code: 'docx.fragment_reading',
        chain,
        message: `The included template "${slug}" was frozen under other rules than the template.`,
        hint: 'Freeze and activate it anew.',
      })
    }
    known.set(slug, found)
    depths.set(slug, chain.length)
    for (const inner of found.includes) await visit(inner, chain)
  }
  for (const slug of template.includes) await visit(slug, [])
  const fragments = [...known.values()]
    .map(({ slug, versionId, contentHash }) => ({ slug, versionId, contentHash }))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1))
  return { fragments, gaps }
}

/** Files of pinned fragments, by slug. */
export async function loadFragments(
  connection: Connection,
  fragments: readonly PinnedFragment[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const { slug, versionId } of fragments) {
    const { bytes } = await readVersion(connection, versionId)
    if (bytes === null) throw new Error(`version ${versionId} of a template has no file`)
    files.set(slug, bytes)
  }
  return files
}

const linked = new LruCache<Outcome<Binding[]>>(limits.judgedContents)

/** A template with the files that it includes, by slug. */
export interface LinkedTemplate {
  bytes: Uint8Array
  reading: Reading
  fragments: ReadonlyMap<string, Uint8Array>
}

/**
 * Bindings of a frozen template and all that it includes.
 *
 * @param compile returns the bindings of all these files; the key identifies them
 */
export async function bindingsWith(
  connection: Connection,
  template: VersionRow,
  fragments: readonly PinnedFragment[],
  compile: (linked: LinkedTemplate, key: string) => Promise<Outcome<Binding[]>>,
): Promise<Outcome<Binding[]>> {
  if (fragments.length === 0 || template.bytes === null) return succeed(template.bindings ?? [])
  const key = [
    template.contentHash,
    template.reading,
    ...fragments.flatMap((each) => [each.slug, each.contentHash]),
  ].join(' ')
  const known = linked.get(key)
  if (known !== undefined) return known
  const files = await loadFragments(connection, fragments)
  const bindings = await compile({ bytes: template.bytes, reading: template.reading, fragments: files }, key)
  linked.set(key, bindings)
  return bindings
}
