/** A folder of configuration and cases as files, which `quire test` reads. */
import { basename } from 'node:path'
import { type Finding, fail, type Outcome, succeed } from '../core/finding.ts'
import type { SourceFormat } from '../core/formats.ts'
import { sha256Hex } from '../core/hash.ts'
import type { FamilyKind } from '../core/kinds.ts'
import {
  casesFolder,
  datedNameOf,
  expectedEnd,
  inputEndsFor,
  paramsEnd,
  projectLayout,
  projectPathOf,
  scheduledFolder,
  scheduledPathOf,
} from '../core/project-layout.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import { fragmentsWithin, includedSlugs } from '../engines/docx/fragments/within.ts'
import type { IngestionModel, ModelNode } from '../engines/ingestion/ingestion-model.ts'
import { compileModel } from '../modules/drafts/conditions.service.ts'
import type { SuiteModel, SuiteSource } from '../suite/run.ts'
import { type ContractFile, contractNamed, readContractFile } from './contract-files.ts'
import { type FileFinding, ProjectFolder } from './folder.ts'
import { ProjectMemory } from './memory.ts'

/** One file of configuration, as steps take it. */
export type ProjectSource = SuiteSource

/** A model with what its nodes name. */
export interface ProjectModel extends SuiteModel {
  slug: string
  path: string
  model: IngestionModel
}

/** One input of the folder `cases/<model>`, with what is expected of it beside it. */
export interface ProjectCase {
  model: ProjectModel
  /** The file's name without its ending. */
  name: string
  /** `cases/<model>/<name>`, below the project's folder; the files of a case begin with it. */
  stem: string
  /** The path of its input, below the project's folder. */
  input: string
  /** The path of its params, which need not be there. */
  params: string
  /** The instant that it runs for, with the configuration in force then; undefined for what is in force immediately. */
  from?: string
  /** Stems of what is expected of it before that instant, the latest first. */
  earlier?: readonly string[]
}

export interface Project {
  folder: string
  models: readonly ProjectModel[]
  cases: readonly ProjectCase[]
  /** Folders of what is expected from an instant on, with that instant. */
  dated: readonly DatedExpectations[]
}

export interface DatedExpectations {
  path: string
  instant: string
}

/**
 * Reads a project. The names in its models are resolved among its files: transformers and templates by slug, which is the
 * file's name, contracts as in `quire check`. Every finding has its file; if the project can't be used, one of them is an
 * error.
 *
 * @param memory what earlier readings compiled
 */
export function readProject(
  path: string,
  memory = new ProjectMemory(),
): { outcome: Outcome<Project>; findings: FileFinding[] } {
  const folder = new ProjectFolder(path)
  const { findings } = folder
  const contracts = readContracts(readSources(folder, 'contract').values(), memory, findings)
  const transformers = readSources(folder, 'transformer')
  const templates = withFragments(readSources(folder, 'template'), memory)
  const models: ProjectModel[] = []
  for (const source of readSources(folder, 'ingestion_model').values()) {
    const read = readModel(source, { contracts, transformers, templates, memory }, findings)
    if (read !== undefined) models.push(read)
  }
  memory.forgetRest()
  if (models.length === 0 && findings.length === 0) findings.push(noModels)
  const { cases, dated } = readCases(folder, models)
  const errors = findings.filter(({ severity }) => severity === 'error')
  return { outcome: errors.length > 0 ? fail(...errors) : succeed({ folder: path, models, cases, dated }), findings }
}

const noModels: FileFinding = {
  file: projectLayout.ingestion_model.folder,
  code: 'project.no_models',
  severity: 'error',
  message: 'The project has no ingestion model, so no case can be run.',
  hint: `Put one at ${projectLayout.ingestion_model.folder}/<name>.yaml, or let quire init make a project to start from.`,
}

/** What models name. */
export interface Sources {
  contracts: readonly ContractFile[]
  transformers: ReadonlyMap<string, ProjectSource>
  templates: ReadonlyMap<string, ProjectSource>
  memory: ProjectMemory
}

/** The files of a kind by slug. What ends otherwise is somebody else's, such as a page of notes. */
export function readSources(folder: ProjectFolder, kind: FamilyKind): Map<string, ProjectSource> {
  const sources = new Map<string, ProjectSource>()
  const { folder: below } = projectLayout[kind]
  for (const name of folder.names(below)) {
    const path = `${below}/${name}`
    const found = projectPathOf(path)
    if (found === undefined) continue
    const { slug, format } = found
    const other = sources.get(slug)
    if (other !== undefined) folder.findings.push({ file: path, ...twice(other.path) })
    const source = readSource(folder, path, format)
    if (source !== undefined) sources.set(slug, source)
  }
  return sources
}

export function readSource(folder: ProjectFolder, path: string, format: SourceFormat): ProjectSource | undefined {
  const content = format === 'docx' ? folder.bytes(path) : folder.text(path)
  return content === undefined ? undefined : { path, hash: sha256Hex(content), format, content }
}

function twice(other: string): Finding {
  const message = `${other} is of the same family.`
  return { code: 'project.twice', severity: 'error', message, hint: 'Keep one of the two.' }
}

/** Each template with those that it includes; what isn't there is found when it is linked. */
export function withFragments(
  templates: ReadonlyMap<string, ProjectSource>,
  { inclusions }: ProjectMemory,
): Map<string, ProjectSource> {
  const fileOf = (slug: string) => {
    const content = templates.get(slug)?.content
    return typeof content === 'string' ? undefined : content
  }
  const hashes = new Map([...templates.values()].map(({ content, hash }) => [content, hash]))
  const slugsOf = (bytes: Uint8Array) => inclusions.of(hashes.get(bytes) ?? '', () => includedSlugs(bytes))
  return new Map(
    [...templates].map(([slug, source]) => {
      const within = typeof source.content === 'string' ? new Map() : fragmentsWithin(source.content, fileOf, slugsOf)
      const fragments = [...within].map(([name, content]) => ({ slug: name, hash: sha256Hex(content), content }))
      return [slug, fragments.length === 0 ? source : { ...source, fragments }]
    }),
  )
}

/** Those that can be used. */
export function readContracts(
  sources: Iterable<ProjectSource>,
  { contracts }: ProjectMemory,
  findings: FileFinding[],
): ContractFile[] {
  return [...sources].flatMap(({ path, hash, content }) => {
    const read = contracts.of(`${path} ${hash}`, () => readContractFile(path, String(content)))
    findings.push(...read.findings.map((finding) => ({ ...finding, file: path })))
    return read.ok ? [read.value] : []
  })
}

/** Undefined if a finding says why not. */
export function readModel(source: ProjectSource, sources: Sources, findings: FileFinding[]): ProjectModel | undefined {
  const file = source.path
  const text = {
    source: String(source.content),
    format: source.format === 'json' ? ('json' as const) : ('yaml' as const),
  }
  const { models } = sources.memory
  const key = `${text.format} ${source.hash}`
  const alone = models.of(key, () => compileModel(text))
  const named = alone.ok ? contractNamed(alone.value.contract, sources.contracts) : undefined
  const read =
    named === undefined ? alone : models.of(`${key} ${sha256Hex(named.text)}`, () => compileModel(text, named.schema))
  findings.push(...read.findings.map((finding) => ({ ...finding, file })))
  if (!read.ok) return undefined
  const model = read.value
  const slug = basename(file).replace(/\.[^.]+$/, '')
  if (named === undefined) {
    const known = sources.contracts.flatMap(({ names }) => names)
    findings.push({
      ...absent('contract', model.contract.name, known, projectLayout.contract.folder),
      file,
      path: '/contract',
    })
    return undefined
  }
  const known = { transformer: [...sources.transformers.keys()], template: [...sources.templates.keys()] }
  findings.push(...absentParts(model, known).map((finding) => ({ ...finding, file })))
  const contract = { path: named.path, hash: sha256Hex(named.text), format: 'json' as const, content: named.text }
  const { transformers, templates } = sources
  return { slug, path: file, model, contract, transformers, templates }
}

/** The transformers and templates that a model names but the project lacks, each at its place in the model. */
export function absentParts(
  { nodes }: IngestionModel,
  known: Readonly<Record<'transformer' | 'template', readonly string[]>>,
): Finding[] {
  return withChildren(nodes).flatMap(({ node, path }) =>
    (['transformer', 'template'] as const).flatMap((kind) => {
      const name = node[kind]
      if (name === undefined || known[kind].includes(name)) return []
      return [{ ...absent(kind, name, known[kind], projectLayout[kind].folder), path: `${path}/${kind}` }]
    }),
  )
}

function absent(kind: string, name: string, known: Iterable<string>, folder: string): Omit<FileFinding, 'file'> {
  return {
    code: `project.no_${kind}`,
    severity: 'error',
    message: `The project has no ${kind} "${name}".`,
    hint: suggest(name, known) ?? `Its file belongs into the folder ${folder}.`,
  }
}

function withChildren(nodes: readonly ModelNode[], path = '/nodes'): { node: ModelNode; path: string }[] {
  return nodes.flatMap((node, index) => [
    { node, path: `${path}/${index}` },
    ...withChildren(node.children, `${path}/${index}/children`),
  ])
}

/** Cases of models that come later don't count yet. */
export function readCases(
  folder: ProjectFolder,
  models: readonly ProjectModel[],
): { cases: ProjectCase[]; dated: DatedExpectations[] } {
  const { findings } = folder
  const dated: DatedExpectations[] = []
  const later = folder.filesBelow(scheduledFolder).map(scheduledPathOf)
  const cases = folder.names(casesFolder).flatMap((slug) => {
    const below = `${casesFolder}/${slug}`
    const model = models.find((each) => each.slug === slug)
    const names = folder.names(below)
    const ends = inputEndsFor(model?.model.input?.format)
    const inputs = names.filter((name) => ends.some((end) => name.endsWith(end)) && !name.endsWith(paramsEnd))
    if (model === undefined && later.some((place) => place?.kind === 'ingestion_model' && place.slug === slug))
      return []
    if (model === undefined) {
      const hint =
        suggest(
          slug,
          models.map((each) => each.slug),
        ) ?? `Name the folder as a file of ${projectLayout.ingestion_model.folder}.`
      const message = `The project has no ingestion model "${slug}", so its cases can't be run.`
      findings.push({ file: below, code: 'project.no_model', severity: 'error', message, hint })
      return []
    }
    for (const name of names) {
      const owner = [paramsEnd, expectedEnd].find((end) => name.endsWith(end))
      if (owner === undefined) continue
      const isOf = (stem: string) => ends.some((end) => inputs.includes(stem + end))
      if (isOf(name.slice(0, -owner.length))) continue
      const from = owner === expectedEnd ? datedNameOf(name.slice(0, -owner.length)) : undefined
      if (from !== undefined && isOf(from.name)) {
        dated.push({ path: `${below}/${name}`, instant: from.instant })
        continue
      }
      const message = 'No input has this name, so what is expected here is never compared.'
      const hint = `Put ${name.slice(0, -owner.length)}${ends.at(-1)} beside it, or remove it.`
      findings.push({ file: `${below}/${name}`, code: 'project.no_input', severity: 'error', message, hint })
    }
    const taken = new Set<string>()
    return inputs.flatMap((file) => {
      const name = file.slice(0, file.lastIndexOf('.'))
      if (!taken.has(name)) {
        taken.add(name)
        const stem = `${below}/${name}`
        return [{ model, name, stem, input: `${below}/${file}`, params: `${stem}${paramsEnd}` }]
      }
      const message = 'Another input has this name, so what is expected could be of either.'
      const hint = 'Rename one of them.'
      findings.push({ file: `${below}/${file}`, code: 'project.two_inputs', severity: 'error', message, hint })
      return []
    })
  })
  return { cases, dated }
}
