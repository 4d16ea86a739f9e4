/** Expectations of cases that apply from an instant on: `cases/letter/ann.from-2027-01-01T00-00-00Z.expected/`. */
import { type Instant, parseInstant } from './instant.ts'
import { type CasePath, casePathOf, casesFolder, datedNameOf, expectedEnd } from './project-layout.ts'

/** The case that expectations are of, and from when on they count; undefined if that is always. */
export function datedCaseOf({ name }: Pick<CasePath, 'name'>): { name: string; from: Instant | undefined } {
  const dated = datedNameOf(name)
  const from = dated && parseInstant(dated.instant)
  return dated === undefined || from === undefined ? { name, from: undefined } : { name: dated.name, from }
}

/**
 * The paths that stored files of cases have at an instant: the newest expectations that apply by then replace all earlier
 * ones. Other expectations have no path.
 */
export function currentPaths(paths: readonly string[], at: Instant): Map<string, string> {
  const places = paths.map((path) => {
    const place = casePathOf(path)
    const dated = typeof place?.part === 'object' ? { ...datedCaseOf(place), part: place.part.expected } : undefined
    const isCounting = dated !== undefined && (dated.from === undefined || dated.from <= at)
    return { path, expectations: isCounting ? { ...dated, owner: `${place?.model}/${dated.name}` } : undefined }
  })
  const newest = new Map<string, Instant | ''>()
  for (const { expectations } of places) {
    if (expectations === undefined) continue
    const { owner, from = '' } = expectations
    if (from >= (newest.get(owner) ?? '')) newest.set(owner, from)
  }
  return new Map(
    places.flatMap(({ path, expectations }): [string, string][] => {
      if (expectations === undefined) return [[path, path]]
      const { owner, from = '', part } = expectations
      return newest.get(owner) === from ? [[path, `${casesFolder}/${owner}${expectedEnd}/${part}`]] : []
    }),
  )
}
