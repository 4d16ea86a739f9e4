import type { Finding } from '../../core/finding.ts'
import { compileTransformer } from '../../engines/declarative/declarative.ts'
import { compileIngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import type { ProjectFile } from './projects.files.ts'

/** A version that a source of the project names. */
export interface NamedNumber {
  /** The file that names it, and where. */
  path: string
  number: number
}

/**
 * Which version of each of the project's contracts and templates its own sources name. Sources name versions by number, and
 * a store that is given a project for the first time gets the numbers that the sources name, so that one project fits
 * several stores.
 */
export function namedNumbers(files: readonly ProjectFile[]): Map<ProjectFile, NamedNumber[]> {
  const numbers = new Map<ProjectFile, NamedNumber[]>()
  const add = (kind: 'contract' | 'template', named: { name: string; version: number } | undefined, path: string) => {
    const file = named && (find(kind, 'name', named.name) ?? find(kind, 'slug', named.name))
    if (named === undefined || file === undefined) return
    numbers.set(file, [...(numbers.get(file) ?? []), { path: `${path}#/${kind}`, number: named.version }])
  }
  const find = (kind: string, member: 'name' | 'slug', text: string) =>
    files.find((file) => file.kind === kind && file[member] === text)
  for (const { kind, path, content } of files) {
    if (!('source' in content)) continue
    const { source, format } = content
    if (kind === 'ingestion_model') {
      const compiled = compileIngestionModel(source, format)
      if (compiled.ok) add('contract', compiled.value.contract, path)
    }
    if (kind === 'transformer') {
      const compiled = compileTransformer(source, format)
      if (!compiled.ok) continue
      add('contract', compiled.value.contract, path)
      const { template } = compiled.value
      if (template !== undefined) add('template', { name: template.slug, version: template.version }, path)
    }
  }
  return numbers
}

/**
 * The number that a file's version must have.
 *
 * @param known the version of the family with this very content, if there is one
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
