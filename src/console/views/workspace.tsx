/** A document's contract, transformer and template as drafts beside its live pages: chooses the document, and reads its parts. */

import { useMemo } from 'preact/hooks'
import { compileIngestionModel, type IngestionModel, type ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { named, useEvery } from '../api/every.ts'
import { firstFailed, useResource } from '../api/resource.ts'
import type { Contract, ContractItem, DefinitionFamily, Family, SourceDraft, Template } from '../api/types.ts'
import { rich, t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { changeQuery, place } from '../router.ts'
import { Space } from './workspace/space.tsx'

/** A node with those above it, outermost first. */
interface DocumentNode {
  node: ModelNode
  above: readonly ModelNode[]
  /** Its keys from the outermost on, as the address names it. */
  key: string
}

export function WorkspaceView({ parameters }: ViewProps) {
  const page = `/ingestion-models/${parameters.id}`
  const path = `/api/v1/ingestion-models/${encodeURIComponent(parameters.id ?? '')}`
  const family = useResource<DefinitionFamily>(path)
  const model = family.value.value
  const hasDraft = model !== undefined && model.draft_revision > 0
  const draft = useResource<SourceDraft>(hasDraft ? `${path}/draft` : undefined)
  const source = draft.value.value
  const compiled = useMemo(() => source && compileIngestionModel(source.source, source.format), [source])
  const failed = firstFailed(family, draft)
  const nodes = compiled?.ok === true ? nodesOf(compiled.value.nodes, []) : []
  const chosen =
    nodes.find(({ key }) => key === place.value.query.get('node')) ??
    nodes.find(({ node }) => node.template !== undefined) ??
    nodes[0]
  return (
    <div class="page page-wide workspace-page">
      <PageHead
        title={chosen?.node.label ?? t`Workspace`}
        parent={{ href: page, title: model?.name ?? t`Ingestion model` }}
      >
        {nodes.length > 1 && (
          <label class="filter">
            <span>{t`Document`}</span>
            <select value={chosen?.key} onChange={(event) => changeQuery({ node: event.currentTarget.value })}>
              {nodes.map(({ key, node, above }) => (
                <option value={key} key={key}>
                  {[...above, node].map(({ label }) => label).join(' › ')}
                </option>
              ))}
            </select>
          </label>
        )}
        {model !== undefined && (
          <a class="button" href={`${page}/review?state=drafts`}>
            <Icon name="calendar" size={16} /> {t`Review`}
          </a>
        )}
      </PageHead>
      {failed !== undefined && <ProblemNote {...failed} />}
      {failed === undefined && (model === undefined || (hasDraft && source === undefined)) && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the workspace`} />
      )}
      {model !== undefined && !hasDraft && (
        <Missing page={page} text={t`The model has no draft yet: write what it takes and what it makes first.`} />
      )}
      {compiled?.ok === false && (
        <Missing page={page} text={t`The model’s draft has errors: mend them, and its documents open here.`} />
      )}
      {compiled?.ok === true && chosen === undefined && (
        <Missing page={page} text={t`The model makes no document yet: give it a node.`} />
      )}
      {model !== undefined && compiled?.ok === true && chosen !== undefined && (
        <Parts key={chosen.key} page={page} family={model} model={compiled.value} chosen={chosen} />
      )}
    </div>
  )
}

function nodesOf(nodes: readonly ModelNode[], above: readonly ModelNode[]): DocumentNode[] {
  return nodes.flatMap((node) => {
    const key = [...above, node].map((each) => each.key).join(':')
    return [{ node, above, key }, ...nodesOf(node.children, [...above, node])]
  })
}

function Missing({ page, text }: { page: string; text: string }) {
  return (
    <div class="panel empty-panel">
      <p>{text}</p>
      <a class="button" href={page}>
        {t`Open the model`}
      </a>
    </div>
  )
}

interface PartsProps {
  page: string
  family: DefinitionFamily
  model: IngestionModel
  chosen: DocumentNode
}

/** Finds what the node names, and reads it. */
function Parts({ page, family, model, chosen }: PartsProps) {
  const contracts = useEvery<ContractItem>('/api/v1/contracts', 'contracts')
  const transformers = useEvery<Family>('/api/v1/transformers', 'transformers')
  const templates = useEvery<Family>('/api/v1/templates', 'templates')
  const { node, above } = chosen
  const bySlug = (families: readonly Family[] | undefined, slug: string | undefined) =>
    families?.find((family) => family.slug === slug)
  const contractId = named(contracts, model.contract.name)?.id
  const transformerId = bySlug(transformers, node.transformer)?.id
  const templateId = bySlug(templates, node.template)?.id
  const contract = useResource<Contract>(contractId && `/api/v1/contracts/${contractId}`)
  const transformer = useResource<DefinitionFamily>(transformerId && `/api/v1/transformers/${transformerId}`)
  const template = useResource<Template>(templateId && `/api/v1/templates/${templateId}`)
  const failed = firstFailed(contract, transformer, template)
  if (failed !== undefined) return <ProblemNote {...failed} />
  const missing = [
    ...(contracts !== undefined && contractId === undefined ? [model.contract.name] : []),
    ...(transformers !== undefined && transformerId === undefined ? [node.transformer] : []),
    ...(templates !== undefined && templateId === undefined && node.template !== undefined ? [node.template] : []),
  ]
  if (missing.length > 0) {
    return (
      <div class="panel empty-panel">
        <p>{rich`The model names ${missing.join(', ')}, which isn’t there.`}</p>
        <a class="button" href={page}>
          {t`Open the model`}
        </a>
      </div>
    )
  }
  const aboveIds = above.map((each) => bySlug(transformers, each.transformer)?.id)
  const isRead = node.template === undefined || template.value.value !== undefined
  if (contract.value.value === undefined || transformer.value.value === undefined || !isRead) {
    return <div class="panel panel-loading" role="status" aria-label={t`Loading the workspace`} />
  }
  return (
    <Space
      model={family}
      contract={contract.value.value}
      version={model.contract.version}
      transformer={transformer.value.value}
      template={template.value.value}
      above={aboveIds.flatMap((id) => id ?? [])}
      reload={async () => {
        await Promise.all([contract.reload(), transformer.reload(), template.reload()])
      }}
    />
  )
}
