import type { Finding } from '../../core/finding.ts'
import type { Instant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Judge } from '../drafts/judge.service.ts'
import type { Content } from '../versions/versions.service.ts'
import { askOfEach, askOfModel, askOfTransformer } from './projects.asking.ts'
import type { ProjectFile } from './projects.files.ts'

/** A version that a source of the project names. */
export interface NamedNumber {
  /** The file that names it, and the place. */
  path: string
  number: number
}

/**
 * Which version of each of the project's contracts and templates its own sources name. Sources name versions by number. A store
 * to which a project is applied for the first time gets the numbers that the sources name, so that one project fits several
 * stores.
 */
export async function namedNumbers(
  judge: Judge,
  files: readonly ProjectFile[],
): Promise<ReadonlyMap<ProjectFile, readonly NamedNumber[]>> {
  const numbers = new Map<ProjectFile, NamedNumber[]>()
  const namedInEach = await askOfEach(files, ({ kind, content }) => namedIn(judge, kind, content))
  for (const [index, { path, from }] of files.entries()) {
    for (const named of namedInEach[index] ?? []) {
      const found = namedFile(files, named, from)
      if (found === undefined) continue
      numbers.set(found, [...(numbers.get(found) ?? []), { path: `${path}#/${named.kind}`, number: named.version }])
    }
  }
  return numbers
}

/** The project's file that a source names, if it comes into force by this instant. */
export function namedFile(
  files: readonly ProjectFile[],
  { kind, reference }: Pick<Named, 'kind' | 'reference'>,
  from: Instant | undefined,
): ProjectFile | undefined {
  // A source that comes into force later may name files that begin with it or before it.
  const known = files.filter((each) => each.kind === kind && (each.from ?? '') <= (from ?? ''))
  return known.findLast(({ name }) => name === reference) ?? known.findLast(({ slug }) => slug === reference)
}

interface Named {
  kind: FamilyKind
  reference: string
  version: number
}

/** What a source names; nothing if it can't be read. */
async function namedIn(judge: Judge, kind: FamilyKind, content: Content): Promise<Named[]> {
  if (!('source' in content) || kind === 'contract') return []
  const asked = await (kind === 'transformer' ? askOfTransformer(judge, content) : askOfModel(judge, content))
  if (!asked.ok) return []
  const { contract, template } = { template: undefined, ...asked.value }
  return [
    ...(contract === undefined
      ? []
      : [{ kind: 'contract', reference: contract.name, version: contract.version } as const]),
    ...(template === undefined
      ? []
      : [{ kind: 'template', reference: template.slug, version: template.version } as const]),
  ]
}

/**
 * The number that a file's version must have.
 *
 * @param known number of the family's version with this very content, if any
 * @param latest the family's greatest number; 0 for a new family
 */
export function numberFor(
  file: ProjectFile,
  named: readonly NamedNumber[],
  { known, latest }: { known: number | undefined; latest: number },
): { number: number; findings: Finding[] } {
  const [first] = named
  const free = known ?? (first === undefined || first.number <= latest ? latest + 1 : first.number)
  const findings = named
    .filter(({ number }) => number !== free)
    .map(({ path, number }): Finding => {
      const { code, severity } = { code: 'project.version', severity: 'error' as const }
      const message = `It names version ${number}, and ${file.path} is version ${free}.`
      return { code, severity, path, message, hint: `Write ${free} there.` }
    })
  return { number: free, findings }
}
