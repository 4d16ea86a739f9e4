/** A folder of configuration and cases as files, which `quire test` reads. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Finding, fail, type Outcome, succeed } from '../core/finding.ts'
import { sha256Hex } from '../core/hash.ts'
import type { FamilyKind } from '../core/kinds.ts'
import { projectLayout, projectPathOf } from '../core/project-layout.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import type { IngestionModel, ModelNode } from '../engines/ingestion/ingestion-model.ts'
import { compileModel } from '../modules/drafts/conditions.service.ts'
import type { Source } from '../runner/job.ts'
import { type ContractFile, contractNamed, readContractFile } from './contract-files.ts'

/** One file of configuration, as steps take it. */
export interface ProjectSource extends Source {
  path: string
}

/** A model with what its nodes name. */
export interface ProjectModel {
  slug: string
  path: string
  model: IngestionModel
  contract: ProjectSource
  transformers: ReadonlyMap<string, ProjectSource>
  templates: ReadonlyMap<string, ProjectSource>
}

/** One input of the folder `cases/<model>`, with what is expected of it beside it. */
export interface ProjectCase {
  model: ProjectModel
  /** The file's name without its ending. */
  name: string
  /** `cases/<model>/<name>`, below the project's folder; the files of a case begin with it. */
  stem: string
}

export interface Project {
  folder: string
  models: readonly ProjectModel[]
  cases: readonly ProjectCase[]
}

/** A finding and the file that it is about, below the project's folder. */
export interface FileFinding extends Finding {
  file: string
}

/** The ends of a case's files that are not its input. */
export const paramsEnd = '.params.json'
export const expectedEnd = '.expected'

const casesFolder = 'cases'

/**
 * Reads a project. What its models name is looked for among its files: transformers and templates by their slug, which is
 * the file's name, contracts as `quire check` does. Every finding has its file; one of them is an error where the project
 * can't be used.
 *
 * @throws Error for files that can't be read
 */
export function readProject(folder: string): { outcome: Outcome<Project>; findings: FileFinding[] } {
  const findings: FileFinding[] = []
  const contracts = readContracts(folder, findings)
  const transformers = readSources(folder, 'transformer')
  const templates = readSources(folder, 'template')
  const models: ProjectModel[] = []
  for (const source of readSources(folder, 'ingestion_model').values()) {
    const read = readModel(source, { contracts, transformers, templates }, findings)
    if (read !== undefined) models.push(read)
  }
  if (models.length === 0 && findings.length === 0) findings.push(noModels)
  const cases = readCases(folder, models, findings)
  const errors = findings.filter(({ severity }) => severity === 'error')
  return { outcome: errors.length > 0 ? fail(...errors) : succeed({ folder, models, cases }), findings }
}

const noModels: FileFinding = {
  file: projectLayout.ingestion_model.folder,
  code: 'project.no_models',
  severity: 'error',
  message: 'The project has no ingestion model, so no case can be run.',
  hint: `Put one at ${projectLayout.ingestion_model.folder}/<name>.yaml, or let quire init make a project to start from.`,
}

interface Sources {
  contracts: readonly ContractFile[]
  transformers: ReadonlyMap<string, ProjectSource>
  templates: ReadonlyMap<string, ProjectSource>
}

/** The names in a folder in the order of their code units; none where there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The files of a kind by slug. What ends otherwise is somebody else's, such as a page of notes. */
function readSources(folder: string, kind: FamilyKind): Map<string, ProjectSource> {
  const sources = new Map<string, ProjectSource>()
  const { folder: below } = projectLayout[kind]
  for (const name of namesIn(join(folder, below))) {
    const path = `${below}/${name}`
    const found = projectPathOf(path)
    if (found === undefined) continue
    const bytes = readFileSync(join(folder, path))
    const content = found.format === 'docx' ? new Uint8Array(bytes) : bytes.toString('utf8')
    sources.set(found.slug, { path, hash: sha256Hex(bytes), format: found.format, content })
  }
  return sources
}

function readContracts(folder: string, findings: FileFinding[]): ContractFile[] {
  return [...readSources(folder, 'contract').values()].flatMap(({ path, content }) => {
    const read = readContractFile(path, String(content))
    findings.push(...read.findings.map((finding) => ({ ...finding, file: path })))
    return read.ok ? [read.value] : []
  })
}

function readModel(source: ProjectSource, sources: Sources, findings: FileFinding[]): ProjectModel | undefined {
  const file = source.path
  const text = {
    source: String(source.content),
    format: source.format === 'json' ? ('json' as const) : ('yaml' as const),
  }
  const alone = compileModel(text)
  const named = alone.ok ? contractNamed(alone.value.contract, sources.contracts) : undefined
  const read = named === undefined ? alone : compileModel(text, named.schema)
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
  const nodes = withChildren(model.nodes)
  for (const { node, path } of nodes) {
    const wanted = [
      ['transformer', node.transformer],
      ['template', node.template],
    ] as const
    for (const [kind, name] of wanted) {
      const known = sources[`${kind}s`]
      if (name === undefined || known.has(name)) continue
      findings.push({ ...absent(kind, name, known.keys(), projectLayout[kind].folder), file, path: `${path}/${kind}` })
    }
  }
  const contract = { path: named.path, hash: sha256Hex(named.text), format: 'json' as const, content: named.text }
  const { transformers, templates } = sources
  return { slug, path: file, model, contract, transformers, templates }
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

function readCases(folder: string, models: readonly ProjectModel[], findings: FileFinding[]): ProjectCase[] {
  return namesIn(join(folder, casesFolder)).flatMap((slug) => {
    const below = `${casesFolder}/${slug}`
    if (slug.startsWith('.')) return []
    const model = models.find((each) => each.slug === slug)
    const names = namesIn(join(folder, below))
    const inputs = names.filter((name) => name.endsWith('.json') && !name.endsWith(paramsEnd))
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
      if (owner === undefined || inputs.includes(`${name.slice(0, -owner.length)}.json`)) continue
      const message = 'No input has this name, so what is expected here is never compared.'
      const hint = `Put ${name.slice(0, -owner.length)}.json beside it, or remove it.`
      findings.push({ file: `${below}/${name}`, code: 'project.no_input', severity: 'error', message, hint })
    }
    return inputs.map((file) => {
      const name = file.slice(0, -'.json'.length)
      return { model, name, stem: `${below}/${name}` }
    })
  })
}
