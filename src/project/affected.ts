import { dirname } from 'node:path'
import type { ModelNode } from '../engines/ingestion/ingestion-model.ts'
import type { Project, ProjectCase, ProjectModel } from './project.ts'

/**
 * The cases whose results may differ after a change of files: their own files, or those that their model reads. A change
 * in the contracts' folder affects all cases, since it may change which file a name stands for.
 *
 * @param changed paths below the project's folder
 */
export function affectedCases(
  project: Pick<Project, 'models' | 'cases'>,
  changed: readonly string[],
): readonly ProjectCase[] {
  if (changed.some((path) => dirname(path) === 'contracts')) return project.cases
  const models = new Set(project.models.filter((model) => changed.some((path) => filesOf(model).has(path))))
  return project.cases.filter(
    ({ model, stem, input, params }) =>
      models.has(model) || changed.some((path) => path === input || path === params || path.startsWith(`${stem}.`)),
  )
}

/** The project as far as these cases go: with their models, and no others. */
export function projectOf(project: Project, cases: readonly ProjectCase[]): Project {
  const models = new Set(cases.map(({ model }) => model))
  return { ...project, models: project.models.filter((model) => models.has(model)), cases }
}

/** The paths of a model and of all that it reads. */
export function filesOf({ path, contract, model, transformers, templates }: ProjectModel): Set<string> {
  const files = new Set([path, contract.path])
  const add = (nodes: readonly ModelNode[]) => {
    for (const { transformer, template = '', children } of nodes) {
      for (const source of [transformers.get(transformer), templates.get(template)]) {
        if (source !== undefined) files.add(source.path)
        for (const { slug } of source?.fragments ?? []) files.add(templates.get(slug)?.path ?? '')
      }
      add(children)
    }
  }
  add(model.nodes)
  return files
}
