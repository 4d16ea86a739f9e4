import { isUtf8 } from 'node:buffer'
import { leftByGit } from '../../core/checked-out.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { contentHashOf } from '../../core/hash.ts'
import { isSlug } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { isJsonObject, readJsonInParts } from '../../core/json.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import {
  activationsFile,
  casePathOf,
  familiesFile,
  projectKinds,
  projectPathOf,
  reviewedPathOf,
  scheduledPathOf,
} from '../../core/project-layout.ts'
import { inTurns, othersTurn } from '../../core/turns.ts'
import type { ZipArchive } from '../../engines/ooxml/zip.ts'
import type { Content } from '../versions/versions.service.ts'
import { readActivations, type ScheduledFiles } from './projects.activations.ts'
import { type FamilyTextsOf, familyTextsInParts } from './projects.texts.ts'

/** A family's file in a project's archive. */
export interface ProjectFile {
  path: string
  kind: FamilyKind
  slug: string
  /** Name for a new family: from `families.json`, else a contract's title, else the slug. */
  name: string
  /** The family's entry in `families.json`; undefined if there is none. */
  texts: { name: string; description: string } | undefined
  content: Content
  /** When it comes into force; undefined for when the project is applied. */
  from?: Instant
}

export interface ProjectArchive {
  /** Ordered so that each file comes after those that it names. */
  files: ProjectFile[]
  /** Files that come into force later: earliest first, then each after those that it names. */
  scheduled: ProjectFile[]
  /** Files of cases by path, in the form that `casePathOf` reads. */
  cases: ReadonlyMap<string, Uint8Array>
  /** Review texts next to templates, by the template's path. */
  reviews: ReadonlyMap<string, string>
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a project's archive; unknown files are ignored. Fails with all findings, each with its file in `path`. Other work runs
 * between the files.
 */
export async function readProjectArchive(archive: Uint8Array): Promise<Outcome<ProjectArchive>> {
  const { readZip } = await import('../../engines/ooxml/zip.ts')
  const zip = readZip(archive)
  if (!zip.ok) return zip
  const texts = await readTexts(
    zip.value.names.includes(familiesFile) ? await readEntry(zip.value, familiesFile) : undefined,
  )
  const findings: Finding[] = texts.ok ? [] : [...texts.findings]
  const files: ProjectFile[] = []
  const later = await readScheduled(zip.value)
  if (!later.ok) findings.push(...later.findings)
  const instants: ScheduledFiles = later.ok ? later.value : new Map()
  const scheduled: ProjectFile[] = []
  const cases = new Map<string, Uint8Array>()
  const reviews = new Map<string, string>()
  for (const path of zip.value.names) {
    const soon = scheduledPathOf(path)
    const place = projectPathOf(path) ?? soon
    const reviewed = reviewedPathOf(path)
    if (place === undefined && reviewed === undefined && casePathOf(path) === undefined) continue
    const bytes = await readEntry(zip.value, path)
    if (place !== undefined) {
      const file = await readFile(path, { ...place, texts: texts.ok ? texts.value : new Map() }, bytes)
      const from = instants.get(path)
      if (!file.ok) findings.push(...file.findings)
      else if (soon === undefined) files.push(file.value)
      else if (from !== undefined) scheduled.push({ ...file.value, from })
      else if (later.ok) findings.push(unscheduled(path))
      if (files.length + scheduled.length > limits.projectFamilies) return fail(tooMany)
    } else if (!bytes.ok) findings.push(...bytes.findings.map((finding) => ({ ...finding, path })))
    else if (reviewed !== undefined) reviews.set(reviewed, new TextDecoder().decode(bytes.value))
    else findings.push(...addCase(cases, path, bytes.value))
  }
  const taken = Map.groupBy([...files, ...scheduled], ({ kind, slug, from }) => `${kind} ${slug} ${from ?? ''}`)
  for (const [, [, second]] of taken) {
    if (second !== undefined)
      findings.push(refusal('project.twice', second.path, 'Another file is of the same family.', 'Keep one.'))
  }
  if (files.length + scheduled.length === 0 && findings.length === 0) findings.push(nothing)
  if (findings.length > 0) return fail(...findings)
  for (const each of [files, scheduled]) each.sort(inOrder)
  return succeed({ files, scheduled, cases, reviews })
}

/** An entry's content, read in slices. One that is too large isn't inflated at all. The caller adds the path to a refusal. */
async function readEntry(zip: ZipArchive, path: string): Promise<Outcome<Uint8Array>> {
  const size = zip.entry(path)?.inflatedBytes ?? 0
  const { bytes: most, hint } = mostOf(path)
  if (size > most) {
    const what = casePathOf(path)?.part === 'input' ? 'input' : 'file'
    return fail(refusal('project.size', path, `The ${what} has more than ${most} bytes.`, hint))
  }
  if (size > limits.projectInflatedHereBytes) return zip.readApart(path)
  await othersTurn()
  return zip.read(path)
}

function mostOf(path: string): { bytes: number; hint: string } {
  if (path === activationsFile) return { bytes: limits.sourceBytes, hint: 'Put off fewer files.' }
  if (path === familiesFile) return { bytes: limits.projectTextsBytes, hint: 'Shorten descriptions.' }
  const kind = (projectPathOf(path) ?? scheduledPathOf(path))?.kind
  const hint = 'Make it smaller.'
  if (kind === 'template') return { bytes: limits.artifactBytes, hint }
  if (kind !== undefined) return { bytes: kind === 'contract' ? limits.contractSchemaBytes : limits.sourceBytes, hint }
  const part = casePathOf(path)?.part
  if (part === 'input' || part === 'params')
    return { bytes: limits.payloadBytes, hint: 'No submission takes so much either; make it smaller.' }
  // A node's expected file is at most as large as what the node can make.
  return { bytes: part === undefined ? limits.projectTextsBytes : limits.artifactBytes, hint }
}

/** Order by instant, then each file after those that it names. */
function inOrder(one: ProjectFile, other: ProjectFile): number {
  const [from = '', otherFrom = ''] = [one.from, other.from]
  if (from !== otherFrom) return from < otherFrom ? -1 : 1
  return rankOf(one) - rankOf(other) || (one.path < other.path ? -1 : 1)
}

async function readScheduled(zip: ZipArchive): Promise<Outcome<ScheduledFiles>> {
  if (!zip.names.includes(activationsFile)) return succeed(new Map())
  const bytes = await readEntry(zip, activationsFile)
  return bytes.ok ? readActivations(bytes.value, new Set(zip.names)) : bytes
}

function unscheduled(path: string): Finding {
  const hint = 'Name it there with its instant, or remove it.'
  return refusal('project.unscheduled', path, `${activationsFile} does not say when it comes into force.`, hint)
}

async function readTexts(bytes: Outcome<Uint8Array> | undefined): Promise<Outcome<FamilyTextsOf>> {
  if (bytes === undefined) return succeed(new Map())
  return bytes.ok ? inTurns(familyTextsInParts(bytes.value)) : bytes
}

function addCase(cases: Map<string, Uint8Array>, path: string, bytes: Uint8Array): Finding[] {
  if (path.length > limits.projectPathChars) {
    const message = `The path has more than ${limits.projectPathChars} characters.`
    return [refusal('project.path', path.slice(0, limits.projectPathChars), message, 'Give the case a shorter name.')]
  }
  const left = leftByGit(bytes, true)
  if (left !== undefined) return [{ ...left, path }]
  if (typeof casePathOf(path)?.part === 'string' && !isUtf8(bytes)) return [notUtf8(path)]
  // Computed (and remembered) here, where other work can run in between; transactions need it later.
  contentHashOf(bytes)
  cases.set(path, bytes)
  return []
}

async function readFile(
  path: string,
  { kind, slug, format, texts: known }: NonNullable<ReturnType<typeof projectPathOf>> & { texts: FamilyTextsOf },
  bytes: Outcome<Uint8Array>,
): Promise<Outcome<ProjectFile>> {
  if (!bytes.ok) return fail(...bytes.findings.map((finding) => ({ ...finding, path })))
  if (!isSlug(slug)) {
    return fail(
      refusal('project.slug', path, `"${slug}" can't be a slug.`, 'Use lower-case letters, digits and single hyphens.'),
    )
  }
  const texts = known.get(`${kind} ${slug}`)
  const family = { path, kind, slug, texts }
  const left = leftByGit(bytes.value, format !== 'docx')
  if (left !== undefined) return fail({ ...left, path })
  if (format === 'docx') {
    // Copied: a stored entry is a view of the archive, and posting it to the judge would send the whole archive.
    return succeed({ ...family, name: texts?.name ?? slug, content: { bytes: bytes.value.slice(), format } })
  }
  try {
    const source = utf8.decode(bytes.value)
    const name = texts?.name ?? (kind === 'contract' ? await titleOf(source, slug) : slug)
    return succeed({ ...family, name, content: { source, format } })
  } catch {
    return fail(notUtf8(path))
  }
}

function notUtf8(path: string): Finding {
  return refusal('project.encoding', path, 'The file is not UTF-8.', 'Save it as UTF-8.')
}

async function titleOf(source: string, slug: string): Promise<string> {
  const read = await inTurns(readJsonInParts(source))
  const title = read.ok && isJsonObject(read.value) ? read.value.title : undefined
  return typeof title === 'string' && title !== '' && [...title].length <= limits.familyNameChars ? title : slug
}

function rankOf({ kind }: ProjectFile): number {
  return projectKinds.indexOf(kind)
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
