/** The sources of a project, each built to note what cases reach of it. */
import { Coverage, type ItemBounds } from '../../core/coverage.ts'
import { isJsonObject, type JsonObject, readJson, setMember } from '../../core/json.ts'
import { evaluateTransformer, watchTransformer } from '../../engines/declarative/declarative.ts'
import { watchTemplate } from '../../engines/docx/docx.ts'
import { type ModelNode, placesIn } from '../../engines/ingestion/ingestion-model.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { SchemaWatch } from '../../engines/schema/watch.ts'
import { fragmentsOf } from '../../runner/job.ts'
import type { CaseInput, NodeRun } from '../../suite/run.ts'
import type { ProjectModel, ProjectSource } from '../project.ts'

/** A source that notes what it is shown; `show` has the signature of its kind. */
export interface Watched<Show> {
  /** Below the project's folder. */
  file: string
  coverage: Coverage
  show: Show
}

/** A node of a model with the keys down to it, and its parent's. */
export interface AddressedNode {
  node: ModelNode
  address: string
  parent: string | undefined
  /** JSON Pointer of the node in its model. */
  path: string
}

/** All nodes of a model, parents before their children. */
export function addressedNodes(nodes: readonly ModelNode[], parent?: string, path = '/nodes'): AddressedNode[] {
  return nodes.flatMap((node, index) => {
    const at = { node, address: parent === undefined ? node.key : `${parent}/${node.key}`, parent }
    const here = `${path}/${index}`
    return [{ ...at, path: here }, ...addressedNodes(node.children, at.address, `${here}/children`)]
  })
}

/** The conditions of a model. For each, one case should find it true and another find it false. */
export function watchedModel(model: ProjectModel, text: string): Watched<(runs: readonly NodeRun[]) => void> {
  const coverage = new Coverage()
  const places = placesIn(text, model.path.endsWith('.json') ? 'json' : 'yaml')
  const conditions = addressedNodes(model.model.nodes).flatMap(({ node, address, parent, path }) => {
    if (node.when === undefined) return []
    const place = `${path}/when`
    const line = places(place)?.line
    const at = {
      place,
      ...(line === undefined ? {} : { line }),
      excerpt: `${node.key}: when ${JSON.stringify(node.when)}`,
    }
    const [yes, no] = ['is never true', 'is never false'].map((gap) => coverage.add({ ...at, gap }))
    return [{ address, parent, yes, no }]
  })
  return {
    file: model.path,
    coverage,
    show(runs) {
      const made = new Set(runs.filter(({ refusal }) => refusal === undefined).map(({ address }) => address))
      for (const { address, parent, yes, no } of conditions) {
        if (runs.some((run) => run.address === address)) coverage.hit(yes)
        else if (parent === undefined || made.has(parent)) coverage.hit(no)
      }
    },
  }
}

/** Undefined if the contract can't be used, which every case then tells. */
export function watchedContract({ path, content }: ProjectSource): Watched<(raw: string) => void> | undefined {
  const text = String(content)
  const compiled = compileSchema(text)
  if (!compiled.ok) return undefined
  const watch = new SchemaWatch(compiled.value, text)
  return {
    file: path,
    coverage: watch.coverage,
    show(raw) {
      const read = readJson(raw)
      if (read.ok) watch.see(read.value)
    },
  }
}

/** How many items a list has, by the tokens of its pointer, where that is known. */
export type ItemsAt = (tokens: readonly string[]) => ItemBounds | undefined

export interface WatchedTransformer extends Watched<(input: CaseInput) => void> {
  /** Items of lists in its output. */
  itemsAt: ItemsAt
}

/** @param contract types the transformer's input if it names one; absent for a child, which reads its parent's output */
export function watchedTransformer(
  { path, format, content }: ProjectSource,
  contract: ProjectSource | undefined,
): WatchedTransformer | undefined {
  const kind = format === 'json' ? 'json' : 'yaml'
  const text = String(content)
  const untyped = watchTransformer(text, kind)
  if (!untyped.ok) return undefined
  const schema = contract === undefined ? undefined : readJson(String(contract.content))
  const isTyped = schema?.ok === true && untyped.value.transformer.contract !== undefined
  const built = isTyped ? watchTransformer(text, kind, { contract: schema.value }) : untyped
  if (!built.ok) return undefined
  const { transformer, coverage, itemsAt } = built.value
  return {
    file: path,
    coverage,
    itemsAt,
    show({ raw, params }) {
      const read = readJson(raw)
      if (read.ok)
        evaluateTransformer(transformer, read.value, { params: taken(params, Object.keys(transformer.params)) })
    },
  }
}

/** @param itemsAt of the lists in whatever data it is given */
export function watchedTemplate(
  { path, content, fragments = [] }: ProjectSource,
  itemsAt: ItemsAt,
): Watched<(output: string) => void> | undefined {
  if (typeof content === 'string') return undefined
  const built = watchTemplate(content, itemsAt, fragmentsOf({ fragments }))
  if (!built.ok) return undefined
  const { coverage, compose } = built.value
  return {
    file: path,
    coverage,
    show(output) {
      const read = readJson(output)
      if (read.ok) compose(read.value)
    },
  }
}

/** Those of all params that a transformer declares. */
function taken(params: string | undefined, names: readonly string[]): JsonObject {
  const read = params === undefined ? undefined : readJson(params)
  const some: JsonObject = {}
  for (const name of names) {
    const value = read?.ok === true && isJsonObject(read.value) ? read.value[name] : undefined
    if (value !== undefined) setMember(some, name, value)
  }
  return some
}
