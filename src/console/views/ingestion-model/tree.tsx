/** A model drawn: the input, and the nodes that process it. */

import { fileFormats } from '../../../core/formats.ts'
import type { IngestionModel, ModelNode, ValueSource } from '../../../engines/ingestion/ingestion-model.ts'
import { named } from '../../api/every.ts'
import type { ContractItem, Family } from '../../api/types.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'

/** What there is to name; undefined while it is being read. */
export interface Known {
  contracts: readonly ContractItem[] | undefined
  transformers: readonly Family[] | undefined
  templates: readonly Family[] | undefined
}

export function ModelTree({ model, slug, known }: { model: IngestionModel; slug: string; known: Known }) {
  const { contract, object, nodes } = model
  const family = named(known.contracts, contract.name)
  const state = family?.versions.find(({ number }) => number === contract.version)?.status
  return (
    <div class="tree">
      <div class="tree-card tree-root">
        <p class="tree-title">
          <Icon name="inbox" size={16} /> {t`Raw input`}
        </p>
        <dl class="tree-facts">
          <div>
            <dt>{t`Contract`}</dt>
            <dd>
              <FamilyLink
                path="/contracts"
                families={known.contracts}
                family={family}
                name={`${contract.name} v${contract.version}`}
              />
              {state === 'versioned' && <span class="tree-state"> {t`not published yet`}</span>}
              {state === 'deprecated' && <span class="tree-state"> {t`deprecated`}</span>}
            </dd>
          </div>
          <div>
            <dt>{t`Object`}</dt>
            <dd>
              <code>{sourceText(object.reference)}</code>
            </dd>
          </div>
          <div>
            <dt>{t`Official time`}</dt>
            <dd>
              <code>{sourceText(object.time)}</code>
            </dd>
          </div>
        </dl>
      </div>
      <Nodes nodes={nodes} address={slug} known={known} />
    </div>
  )
}

function sourceText(source: ValueSource): string {
  return 'metadata' in source ? `metadata.${source.metadata}` : source.pointer
}

function Nodes({ nodes, address, known }: { nodes: readonly ModelNode[]; address: string; known: Known }) {
  if (nodes.length === 0) return null
  return (
    <ul class="tree-nodes">
      {nodes.map((node) => (
        <Node key={node.key} node={node} address={`${address}:${node.key}`} known={known} />
      ))}
    </ul>
  )
}

function Node({ node, address, known }: { node: ModelNode; address: string; known: Known }) {
  const transformer = known.transformers?.find(({ slug }) => slug === node.transformer)
  const template = known.templates?.find(({ slug }) => slug === node.template)
  return (
    <li>
      <div class="tree-card">
        <p class="tree-title">
          <Icon name={node.template === undefined ? 'transform' : 'document'} size={16} /> {node.label}
        </p>
        <p class="tree-address">
          <code>{address}</code>
        </p>
        <dl class="tree-facts">
          {node.when !== undefined && (
            <div>
              <dt>{t`When`}</dt>
              <dd>
                <code>{JSON.stringify(node.when)}</code>
              </dd>
            </div>
          )}
          <div>
            <dt>{t`Transformer`}</dt>
            <dd>
              <FamilyLink
                path="/transformers"
                families={known.transformers}
                family={transformer}
                name={node.transformer}
              />
            </dd>
          </div>
          {node.template !== undefined && (
            <div>
              <dt>{t`Template`}</dt>
              <dd>
                <FamilyLink path="/templates" families={known.templates} family={template} name={node.template} />
              </dd>
            </div>
          )}
          <div>
            <dt>{t`Makes`}</dt>
            <dd class="statuses">
              {node.template === undefined
                ? t`data only`
                : node.formats.map((format) => (
                    <span class="artifact-kind artifact-kind-small" data-kind={format} key={format}>
                      {fileFormats[format].label}
                    </span>
                  ))}
            </dd>
          </div>
        </dl>
      </div>
      <Nodes nodes={node.children} address={address} known={known} />
    </li>
  )
}

interface FamilyLinkProps {
  path: string
  families: readonly Family[] | undefined
  family: Family | undefined
  name: string
}

/** A name that no family has is marked as missing: the node could not run. */
function FamilyLink({ path, families, family, name }: FamilyLinkProps) {
  if (family !== undefined) return <a href={`${path}/${family.id}`}>{name}</a>
  if (families === undefined) return <span>{name}</span>
  return (
    <span class="tone-danger">
      {name} <span class="tree-missing">{t`isn’t there`}</span>
    </span>
  )
}
