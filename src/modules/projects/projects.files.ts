import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { isSlug } from '../../core/ids.ts'
import { isJsonObject, readJson } from '../../core/json.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { projectKinds, projectPathOf } from '../../core/project-layout.ts'
import { readZip } from '../../engines/ooxml/zip.ts'
import { bytesOf, type Content } from '../versions/versions.service.ts'

/** A family's file in a project's archive. */
export interface ProjectFile {
  path: string
  kind: FamilyKind
  slug: string
  /** What a new family is called: a contract's title, else the slug. */
  name: string
  content: Content
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The configuration in a project's archive, what is named before what names it. Other files are left alone. Fails with every
 * finding, each with its file in `path`.
 */
export function readProjectArchive(archive: Uint8Array): Outcome<ProjectFile[]> {
  const zip = readZip(archive)
  if (!zip.ok) return zip
  const files: ProjectFile[] = []
  const findings: Finding[] = []
  for (const path of zip.value.names) {
    const place = projectPathOf(path)
    if (place === undefined) continue
    const file = readFile(path, place, zip.value.read(path))
    if (file.ok) files.push(file.value)
    else findings.push(...file.findings)
    if (files.length > limits.projectFamilies) return fail(tooMany)
  }
  const taken = Map.groupBy(files, ({ kind, slug }) => `${kind} ${slug}`)
  for (const [, [, second]] of taken) {
    if (second !== undefined)
      findings.push(refusal('project.twice', second.path, 'Another file is of the same family.', 'Keep one.'))
  }
  if (files.length === 0 && findings.length === 0) findings.push(nothing)
  if (findings.length > 0) return fail(...findings)
  return succeed(files.sort((one, other) => rankOf(one) - rankOf(other) || (one.path < other.path ? -1 : 1)))
}

function readFile(
  path: string,
  { kind, slug, format }: NonNullable<ReturnType<typeof projectPathOf>>,
  bytes: Outcome<Uint8Array>,
): Outcome<ProjectFile> {
  if (!bytes.ok) return fail(...bytes.findings.map((finding) => ({ ...finding, path })))
  if (!isSlug(slug)) {
    return fail(
      refusal('project.slug', path, `"${slug}" can't be a slug.`, 'Use lower-case letters, digits and single hyphens.'),
    )
  }
  const most =
    kind === 'contract' ? limits.contractSchemaBytes : kind === 'template' ? limits.artifactBytes : limits.sourceBytes
  if (bytes.value.length > most) {
    return fail(refusal('project.size', path, `The file has more than ${most} bytes.`, 'Make it smaller.'))
  }
  if (format === 'docx') return succeed({ path, kind, slug, name: slug, content: { bytes: bytes.value, format } })
  try {
    const source = utf8.decode(bytes.value)
    return succeed({
      path,
      kind,
      slug,
      name: kind === 'contract' ? titleOf(source, slug) : slug,
      content: { source, format },
    })
  } catch {
    return fail(refusal('project.encoding', path, 'The file is not UTF-8.', 'Save it as UTF-8.'))
  }
}

function titleOf(source: string, slug: string): string {
  const read = readJson(source)
  const title = read.ok && isJsonObject(read.value) ? read.value.title : undefined
  return typeof title === 'string' && title !== '' && [...title].length <= limits.familyNameChars ? title : slug
}

function rankOf({ kind }: ProjectFile): number {
  return projectKinds.indexOf(kind)
}

/** All bytes of the files, which a bound is set on. */
export function projectBytes(files: readonly ProjectFile[]): number {
  return files.reduce((sum, { content }) => sum + bytesOf(content).length, 0)
}

function refusal(code: string, path: string, message: string, hint: string): Finding {
  return { code, severity: 'error', path, message, hint }
}

const tooMany: Finding = {
  code: 'project.families',
  severity: 'error',
  message: `The project has more than ${limits.projectFamilies} files of configuration.`,
  hint: 'Divide it into several projects.',
}

const nothing: Finding = {
  code: 'project.empty',
  severity: 'error',
  message: 'The archive has no file of configuration.',
  hint: 'Pack the folders contracts, templates, transformers and models at its top level.',
}
