/** The cases of a project with what comes into force later. */
import { datedName, expectedEnd, scheduledPathOf } from '../core/project-layout.ts'
import { filesOf } from './affected.ts'
import { type FileFinding, ProjectFolder } from './folder.ts'
import type { ProjectMemory } from './memory.ts'
import {
  type Project,
  type ProjectCase,
  type ProjectModel,
  type ProjectSource,
  readCases,
  readContracts,
  readModel,
  readSource,
  readSources,
  withFragments,
} from './project.ts'
import { readSchedule, type Stage } from './schedule.ts'

export type LaterCases = Pick<Project, 'models' | 'cases'>

/**
 * The cases that scheduled files affect: once for each instant at which a file of theirs begins, with the configuration in
 * force then. If they can't be run, a finding is an error.
 */
export function readLater(
  { folder: path, dated }: Project,
  memory: ProjectMemory,
): { later: LaterCases; findings: FileFinding[] } {
  const folder = new ProjectFolder(path)
  const { findings } = folder
  const { stages } = readSchedule(folder)
  const inForce = new InForce(folder, memory)
  const later: { models: ProjectModel[]; cases: ProjectCase[] } = { models: [], cases: [] }
  const begun: string[] = []
  for (const stage of stages) {
    const models = inForce.begin(stage)
    const own = new Set(stage.paths)
    const reached = models.filter((model) => [...filesOf(model)].some((file) => own.has(file)))
    const stemAt = ({ stem }: ProjectCase, instant: string) => datedName(stem, instant)
    const cases = readCases(folder, models).cases.filter(({ model }) => reached.includes(model))
    later.models.push(...reached)
    later.cases.push(
      ...cases.map((each) => ({
        ...each,
        name: datedName(each.name, stage.when),
        stem: stemAt(each, stage.when),
        from: stage.when,
        earlier: [...begun.map((instant) => stemAt(each, instant)), each.stem],
      })),
    )
    begun.unshift(stage.when)
  }
  const known = new Set(begun)
  findings.push(...dated.filter(({ instant }) => !known.has(instant)).map(undated))
  return { later, findings }
}

/** What is in force, stage by stage. */
class InForce {
  readonly #sources
  /** Each with the contracts in force when the model began: a version once named stays named. */
  readonly #models = new Map<string, { source: ProjectSource; contracts: ReturnType<typeof readContracts> }>()

  constructor(
    private readonly folder: ProjectFolder,
    private readonly memory: ProjectMemory,
  ) {
    const read = (kind: Parameters<typeof readSources>[1]) => readSources(folder, kind)
    this.#sources = {
      contract: read('contract'),
      transformer: read('transformer'),
      template: read('template'),
      ingestion_model: read('ingestion_model'),
    }
    const contracts = this.#contracts()
    for (const [slug, source] of this.#sources.ingestion_model) this.#models.set(slug, { source, contracts })
  }

  /** All models that are in force from this stage on. */
  begin({ paths }: Stage): ProjectModel[] {
    const begun = new Map<string, ProjectSource>()
    for (const path of paths) {
      const place = scheduledPathOf(path)
      if (place === undefined) continue
      const source = readSource(this.folder, path, place.format)
      if (source === undefined) continue
      this.#sources[place.kind].set(place.slug, source)
      if (place.kind === 'ingestion_model') begun.set(place.slug, source)
    }
    const contracts = this.#contracts()
    for (const [slug, source] of begun) this.#models.set(slug, { source, contracts })
    const { transformer: transformers, template } = this.#sources
    const templates = withFragments(template, this.memory)
    const { memory, folder } = this
    return [...this.#models].flatMap(([slug, { source, contracts: named }]) => {
      const sources = { contracts: named, transformers: new Map(transformers), templates, memory }
      const model = readModel(source, sources, folder.findings)
      return model === undefined ? [] : [{ ...model, slug }]
    })
  }

  #contracts() {
    return readContracts(this.#sources.contract.values(), this.memory, this.folder.findings)
  }
}

function undated({ path, instant }: { path: string; instant: string }): FileFinding {
  const message = `Nothing of the project begins at ${instant}, so what is expected here is never compared.`
  const now = path.replace(/\.from-[^/]*$/, expectedEnd)
  const hint = `If it is in force by now, put it in the place of ${now}; else remove it.`
  return { file: path, code: 'project.no_instant', severity: 'warning', message, hint }
}
