/** The changes that are planted in the sources of a project. */

import { sha256Hex } from '../../core/hash.ts'
import { readJson } from '../../core/json.ts'
import { changedLines } from '../../core/line-difference.ts'
import { LineIndex } from '../../core/positions.ts'
import { compileTransformer, watchTransformer } from '../../engines/declarative/declarative.ts'
import { compileTemplate, watchTemplate } from '../../engines/docx/docx.ts'
import { openForRetagging } from '../../engines/docx/retag.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { fragmentsOf } from '../../runner/job.ts'
import { addressedNodes } from '../coverage/watched.ts'
import type { Project, ProjectModel, ProjectSource } from '../project.ts'
import { contractChanges } from './contract-changes.ts'
import { type Edit, edited } from './edits.ts'
import { tagChanges } from './tag-changes.ts'
import { transformerChanges } from './transformer-changes.ts'

/** One source with one change in it. */
export interface Planted {
  /** Below the project's folder. */
  file: string
  /** JSON Pointer into the source, or a tag's place. */
  place: string
  /** Where cases that may notice reach it: there, or in the templates that include it. */
  reachedAt: readonly { file: string; place: string }[]
  line?: number
  what: string
  /** Tells it from all other changes of the file. */
  key: string
  /** Lines that go, with `-` before them, and lines that come, with `+`. */
  change(): readonly string[]
  /** The models that read the source, with the change. Undefined if what reads it refuses it. */
  models(): ReadonlyMap<ProjectModel, ProjectModel> | undefined
}

/** Every change of every source that a model reads, in the order of files and places. */
export function plantable(project: Project): Planted[] {
  const found = new Map<string, Planted[]>()
  const once = (source: ProjectSource, plant: () => Planted[]) => {
    if (!found.has(source.path)) found.set(source.path, plant())
  }
  for (const model of project.models) {
    once(model.contract, () => inContract(project, model.contract))
    for (const { node, parent } of addressedNodes(model.model.nodes)) {
      const transformer = model.transformers.get(node.transformer)
      const template = model.templates.get(node.template ?? '')
      const contract = parent === undefined ? model.contract : undefined
      if (transformer !== undefined) once(transformer, () => inTransformer(project, transformer, contract))
      if (template === undefined) continue
      once(template, () => inTemplate(project, template))
      for (const { slug } of template.fragments ?? []) {
        const fragment = model.templates.get(slug)
        if (fragment !== undefined) once(fragment, () => inTemplate(project, fragment))
      }
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, planted]) => planted)
}

function inContract(project: Project, source: ProjectSource): Planted[] {
  const text = String(source.content)
  return contractChanges(text).map((edit) => {
    return {
      ...described(source.path, text, edit),
      models() {
        const changed = edited(text, edit)
        if (!compileSchema(changed).ok) return undefined
        return changedModels(project, source, withContent(source, changed))
      },
    }
  })
}

function inTransformer(project: Project, source: ProjectSource, contract: ProjectSource | undefined): Planted[] {
  const text = String(source.content)
  const format = source.format === 'json' ? 'json' : 'yaml'
  const schema = contract === undefined ? undefined : readJson(String(contract.content))
  const watched = watchTransformer(text, format, schema?.ok === true ? { contract: schema.value } : {})
  const siblings = watched.ok ? watched.value.siblings : new Map<number, readonly string[]>()
  return transformerChanges(text, format, siblings).map((edit) => {
    return {
      ...described(source.path, text, edit),
      models: () => changedModels(project, source, withContent(source, edited(text, edit))),
    }
  })
}

function inTemplate(project: Project, source: ProjectSource): Planted[] {
  if (typeof source.content === 'string') return []
  const compiled = compileTemplate(source.content, undefined, fragmentsOf(source))
  const watched = watchTemplate(source.content, undefined, fragmentsOf(source))
  const opened = openForRetagging(source.content)
  if (!compiled.ok || !opened.ok || !watched.ok) return []
  // Tags of what it includes are planted in their own files.
  const tags = compiled.value.tags.filter(({ part }) => !part.includes('>'))
  const including = includingPlaces(project, source)
  const excerpts = new Map(
    watched.value.coverage.points.toReversed().map(({ place, excerpt, around }) => [place, around ?? excerpt]),
  )
  return tags.flatMap((tag) => {
    const place = `${tag.part}#${tag.paragraph}:${tag.position}`
    return tagChanges(tag, tags).flatMap(({ raw, what }): Planted[] => {
      const excerpt = excerpts.get(place) ?? tag.raw
      const [before, after] = excerpt.includes(tag.raw)
        ? [excerpt, excerpt.replace(tag.raw, () => raw)]
        : [tag.raw, raw]
      const models = () => {
        const bytes = opened.value(place, raw)
        if (bytes === undefined || !compileTemplate(bytes, undefined, fragmentsOf(source)).ok) return undefined
        return changedModels(project, source, { ...source, content: bytes, hash: sha256Hex(bytes) })
      }
      const change = () => [`-${before}`, `+${after}`]
      const reachedAt = [{ file: source.path, place }, ...including(place)]
      return [{ file: source.path, place, reachedAt, what, key: `${place} ${raw}`, change, models }]
    })
  })
}

/** Where a tag of a template is in the templates that include it. */
function includingPlaces(
  project: Project,
  source: ProjectSource,
): (place: string) => { file: string; place: string }[] {
  const including = project.models.flatMap(({ templates }) =>
    [...templates.values()].flatMap(({ path, fragments = [] }) =>
      fragments.filter(({ slug }) => templates.get(slug)?.path === source.path).map(({ slug }) => ({ path, slug })),
    ),
  )
  const byPath = new Map(including.map(({ path, slug }) => [path, slug]))
  return (place) => [...byPath].map(([file, slug]) => ({ file, place: `${slug}>${place}` }))
}

function withContent(source: ProjectSource, content: string): ProjectSource {
  return { ...source, content, hash: sha256Hex(content) }
}

function described(file: string, text: string, edit: Edit): Omit<Planted, 'models'> {
  const { line } = new LineIndex(text).positionOf(edit.start)
  return {
    file,
    place: edit.at,
    reachedAt: [{ file, place: edit.at }],
    line,
    what: edit.what,
    // Without offsets, which a change elsewhere moves.
    key: `${edit.at} ${text.slice(edit.start, edit.end)} ${edit.text}`,
    change: () =>
      changedLines(text, edited(text, edit)).flatMap(({ lines }) => lines.filter((each) => /^[-+]/.test(each))),
  }
}

/** Undefined if a transformer of a changed model can't be compiled: then none of its cases would run. */
function changedModels(
  project: Project,
  source: ProjectSource,
  changed: ProjectSource,
): ReadonlyMap<ProjectModel, ProjectModel> | undefined {
  const swapped = (sources: ReadonlyMap<string, ProjectSource>) =>
    new Map([...sources].map(([slug, each]) => [slug, each.path === source.path ? changed : including(each, sources)]))
  const including = (each: ProjectSource, sources: ReadonlyMap<string, ProjectSource>): ProjectSource => {
    const { content, hash } = changed
    if (typeof content === 'string' || !includes(each, source.path, sources)) return each
    const fragments = (each.fragments ?? []).map((fragment) =>
      sources.get(fragment.slug)?.path === source.path ? { ...fragment, content, hash } : fragment,
    )
    return { ...each, fragments }
  }
  const models = new Map<ProjectModel, ProjectModel>()
  for (const model of project.models) {
    if (!readsFile(model, source.path)) continue
    const contract = model.contract.path === source.path ? changed : model.contract
    const transformers = swapped(model.transformers)
    const other = { ...model, contract, transformers, templates: swapped(model.templates) }
    if (typeof changed.content === 'string' && !compiles(other)) return undefined
    models.set(model, other)
  }
  return models
}

function readsFile({ contract, model, transformers, templates }: ProjectModel, file: string): boolean {
  if (contract.path === file) return true
  return addressedNodes(model.nodes).some(({ node }) => {
    const template = templates.get(node.template ?? '')
    if (transformers.get(node.transformer)?.path === file || template?.path === file) return true
    return template !== undefined && includes(template, file, templates)
  })
}

function includes(
  { fragments = [] }: ProjectSource,
  file: string,
  templates: ReadonlyMap<string, ProjectSource>,
): boolean {
  return fragments.some(({ slug }) => templates.get(slug)?.path === file)
}

function compiles({ contract, model, transformers }: ProjectModel): boolean {
  const schema = readJson(String(contract.content))
  return addressedNodes(model.nodes).every(({ node, parent }) => {
    const source = transformers.get(node.transformer)
    if (source === undefined) return true
    const format = source.format === 'json' ? 'json' : 'yaml'
    const untyped = compileTransformer(String(source.content), format)
    if (!untyped.ok) return false
    if (untyped.value.contract === undefined || parent !== undefined || !schema.ok) return true
    return compileTransformer(String(source.content), format, { contract: schema.value }).ok
  })
}
