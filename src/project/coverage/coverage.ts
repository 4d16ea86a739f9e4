/** What the cases of a project reach of its configuration, by sources and by documents. */
import type { Coverage, CoveragePoint } from '../../core/coverage.ts'
import { asJsonText } from '../../engines/ingestion/read-input.ts'
import type { NodeRun } from '../../suite/run.ts'
import { ProjectFolder } from '../folder.ts'
import type { Project, ProjectCase, ProjectModel, ProjectSource } from '../project.ts'
import type { CaseResult } from '../test-cases.ts'
import type { CoverageColumn } from './columns.ts'
import {
  type AddressedNode,
  addressedNodes,
  type ItemsAt,
  type Watched,
  type WatchedTransformer,
  watchedContract,
  watchedModel,
  watchedTemplate,
  watchedTransformer,
} from './watched.ts'

export interface Count {
  reached: number
  of: number
}

export type Counts = Readonly<Record<CoverageColumn | 'all', Count>>

/** One source, and the numbers of its points that some case reached. */
export interface SourceCoverage {
  file: string
  points: readonly CoveragePoint[]
  reached: ReadonlySet<number>
}

/** A node of a model, which makes one document of each input. `counts` covers the sources that it reads. */
export interface DocumentCoverage {
  /** `<model>/<node>`, with the keys of its parents before its own. */
  document: string
  counts: Counts
}

export interface ProjectCoverage {
  sources: readonly SourceCoverage[]
  documents: readonly DocumentCoverage[]
  /** Counts of all sources, each once. */
  counts: Counts
}

/** The sources that one node reads. */
interface Document extends AddressedNode {
  contract: Watched<(raw: string) => void> | undefined
  transformer: WatchedTransformer | undefined
  template: Watched<(output: string) => void> | undefined
}

interface WatchedProjectModel {
  conditions: Watched<(runs: readonly NodeRun[]) => void>
  documents: readonly Document[]
}

/** What a case reached of each source. */
export type CaseCoverage = ReadonlyMap<Coverage, readonly number[]>

/** Measures the cases of one project, each when it has run. */
export class CoverageMeter {
  private readonly models: ReadonlyMap<ProjectModel, WatchedProjectModel>
  /** Models may share a source, which is watched once. */
  private readonly known = {
    contracts: new Map<string, Document['contract']>(),
    transformers: new Map<string, Document['transformer']>(),
    templates: new Map<string, Document['template']>(),
  }
  private readonly cases = new Map<ProjectCase, CaseCoverage>()
  /** The file of each source that was shown something. */
  private readonly files = new Map<Coverage, string>()

  constructor(private readonly project: Project) {
    this.models = new Map(project.models.map((model) => [model, this.watch(project, model)]))
  }

  /** Shows a case's values to sources that note what they reach of them. */
  measure({ testCase, input, runs }: CaseResult): void {
    const model = this.models.get(testCase.model)
    if (model === undefined) return
    const reached = new Map<Coverage, readonly number[]>()
    const keep = ({ coverage, file }: Watched<unknown>) => {
      reached.set(coverage, [...(reached.get(coverage) ?? []), ...coverage.take()])
      this.files.set(coverage, file)
    }
    model.conditions.show(runs)
    keep(model.conditions)
    const outputs = new Map(runs.map(({ address, output }) => [address, output]))
    for (const [index, document] of model.documents.entries()) {
      const { address, parent, contract, transformer, template } = document
      if (index === 0 && contract !== undefined) {
        contract.show(asJsonText(input.raw, testCase.model.model.input))
        keep(contract)
      }
      const run = runs.find((each) => each.address === address)
      if (run === undefined || run.refusal?.step === 'validate') continue
      const raw = parent === undefined ? asJsonText(input.raw, testCase.model.model.input) : outputs.get(parent)
      if (raw !== undefined && transformer !== undefined) {
        transformer.show({ raw, params: input.params })
        keep(transformer)
      }
      if (run.output !== undefined && template !== undefined) {
        template.show(run.output)
        keep(template)
      }
    }
    this.cases.set(testCase, reached)
  }

  /** What all cases that were measured reached together. */
  result(): ProjectCoverage {
    const reached = new Map<Coverage, Set<number>>()
    for (const each of this.cases.values()) {
      for (const [coverage, numbers] of each) {
        const known = reached.get(coverage) ?? new Set()
        for (const number of numbers) known.add(number)
        reached.set(coverage, known)
      }
    }
    const covered = (watched: Pick<Watched<unknown>, 'file' | 'coverage'> | undefined): SourceCoverage | undefined => {
      if (watched === undefined) return undefined
      const { file, coverage } = watched
      return { file, points: coverage.points, reached: reached.get(coverage) ?? new Set() }
    }
    const sources = new Map<Coverage, readonly [SourceCoverage, CoverageColumn]>()
    const documents = [...this.models].flatMap(([{ slug }, { conditions, documents }]) =>
      documents.map((document): DocumentCoverage => {
        const own: [SourceCoverage, CoverageColumn][] = []
        for (const [column, watched] of [
          ['model', conditions],
          ['contract', document.contract],
          ['transformer', document.transformer],
          ['template', document.template],
        ] as const) {
          const source = covered(watched)
          if (watched === undefined || source === undefined) continue
          own.push([source, column])
          sources.set(watched.coverage, [source, column])
        }
        return { document: `${slug}/${document.address}`, counts: countsOf(own) }
      }),
    )
    const all = [...sources.values()]
    return { sources: all.map(([source]) => source), documents, counts: countsOf(all) }
  }

  /**
   * The cases that reached a place of a source, or the nearest measured place around it. If there is none, all cases
   * that ran the source.
   * @param place JSON Pointer into the source, or a tag's place in a template
   */
  casesAt(file: string, place: string): ProjectCase[] {
    const around = new Map(
      [...this.files].flatMap(([coverage, of]) =>
        of === file ? [[coverage, nearestPoints(coverage, place)] as const] : [],
      ),
    )
    return [...this.cases].flatMap(([testCase, reached]) => {
      const isThere = [...around].some(([coverage, wanted]) => {
        const numbers = reached.get(coverage)
        return numbers !== undefined && (wanted === undefined || numbers.some((number) => wanted.has(number)))
      })
      return isThere ? [testCase] : []
    })
  }

  private watch(project: Project, model: ProjectModel): WatchedProjectModel {
    const conditions = watchedModel(model, new ProjectFolder(project.folder).text(model.path) ?? '')
    const { contract } = model
    const { known } = this
    const documents = addressedNodes(model.model.nodes).map((at): Document => {
      const transformer = model.transformers.get(at.node.transformer)
      const template = at.node.template === undefined ? undefined : model.templates.get(at.node.template)
      const types = at.parent === undefined ? contract : undefined
      return {
        ...at,
        contract: once(known.contracts, contract.path, () => watchedContract(contract)),
        transformer: transformer && this.transformerOf(transformer, types),
        template:
          template && once(known.templates, template.path, () => watchedTemplate(template, this.listsOf(template))),
      }
    })
    return { conditions, documents }
  }

  private transformerOf(transformer: ProjectSource, types: ProjectSource | undefined): Document['transformer'] {
    const key = `${transformer.path} ${types?.path}`
    return once(this.known.transformers, key, () => watchedTransformer(transformer, types))
  }

  /** How many items the lists have that a template is given, by whichever transformer fills it. */
  private listsOf({ path }: ProjectSource): ItemsAt {
    const filling = this.project.models.flatMap((model) =>
      addressedNodes(model.model.nodes).flatMap(({ node, parent }) => {
        const transformer = model.transformers.get(node.transformer)
        if (transformer === undefined || node.template === undefined) return []
        if (model.templates.get(node.template)?.path !== path) return []
        return [this.transformerOf(transformer, parent === undefined ? model.contract : undefined)]
      }),
    )
    return (tokens) => {
      const bounds = filling.map((transformer) => transformer?.itemsAt(tokens)).filter((each) => each !== undefined)
      if (bounds.length < filling.length) return undefined
      return { min: Math.min(...bounds.map(({ min }) => min)), max: Math.max(...bounds.map(({ max }) => max)) }
    }
  }
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/** The points of a place, or of the nearest one around it that has some. */
function nearestPoints({ points }: Coverage, place: string): ReadonlySet<number> | undefined {
  for (let at = place; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
    const numbers = points.flatMap((point, number) => (point.place === at ? [number] : []))
    if (numbers.length > 0 || at.includes('#')) return new Set(numbers)
  }
  return undefined
}

function countsOf(sources: readonly (readonly [SourceCoverage, CoverageColumn])[]): Counts {
  const counts: Record<CoverageColumn | 'all', Count> = {
    model: { reached: 0, of: 0 },
    contract: { reached: 0, of: 0 },
    refusals: { reached: 0, of: 0 },
    transformer: { reached: 0, of: 0 },
    template: { reached: 0, of: 0 },
    all: { reached: 0, of: 0 },
  }
  for (const [{ points, reached }, column] of sources) {
    for (const [number, { byRefusal }] of points.entries()) {
      for (const each of [byRefusal ? 'refusals' : column, 'all'] as const) {
        counts[each].of++
        if (reached.has(number)) counts[each].reached++
      }
    }
  }
  return counts
}

/** In percent, never 100 while something is not reached; undefined if there is nothing to reach. */
export function percentOf({ reached, of }: Count): number | undefined {
  return of === 0 ? undefined : Math.floor((100 * reached) / of)
}

/** The points that no case reached, except those inside of others that none did. */
export function gapsOf({ points, reached }: SourceCoverage): CoveragePoint[] {
  return points.filter(
    ({ inside }, number) => !reached.has(number) && (inside.length === 0 || inside.some((each) => reached.has(each))),
  )
}
