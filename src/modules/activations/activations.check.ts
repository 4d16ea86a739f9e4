import { errorsOf, type Finding } from '../../core/finding.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel, ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { checkNamedTransformer } from '../drafts/compile.service.ts'
import { checkConditions } from '../drafts/conditions.service.ts'
import { judgeHere } from '../drafts/judge-here.service.ts'
import { type FamilyHead, findFamilyId } from '../families/families.reads.ts'
import { checkPinnedChain } from '../versions/chain.service.ts'
import { loadModel, modelOf, schemaOf } from '../versions/compiled.service.ts'
import { findNamedVersion, type VersionRow } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import { type ActivationRow, findInForce, listInForce, listLaterInstants } from './activations.store.ts'

/**
 * Whether all that would be in force together fits together: for every ingestion model, at every instant that the new
 * activation reaches, the chain contract → transformer → template of each of its nodes.
 */
export async function checkActivation(
  connection: Connection,
  family: FamilyHead,
  version: VersionRow,
  effectiveFrom: Instant,
): Promise<Finding[]> {
  if (family.kind === 'transformer') {
    // A transaction waits for nobody, and what is frozen has been judged before.
    const judging = { connection, judge: judgeHere }
    const named = errorsOf((await checkNamedTransformer(judging, sourceOf(version), version.reading)).findings)
    if (named.length > 0) return named
  }
  const checker = new Checker(connection, family, version)
  for (const at of await instantsOf(connection, family, effectiveFrom)) {
    await checker.checkAt(at, at === effectiveFrom ? 'told' : 'passed over')
    if (checker.findings.length >= limits.configurationIssues) break
  }
  return checker.findings
}

/** The instant itself, and every later one at which something changes before the family's own next activation. */
async function instantsOf(connection: Connection, family: FamilyHead, from: Instant): Promise<Instant[]> {
  const instants = [from]
  const self = (await findInForce(connection, family.id, from))?.id
  for (const at of await listLaterInstants(connection, from, limits.activationCheckInstants)) {
    if ((await findInForce(connection, family.id, at))?.id !== self) break
    instants.push(at)
  }
  return instants
}

/** Whether to report a part that has nothing in force: reported at every instant, one gap would appear many times. */
type Gaps = 'told' | 'passed over'

/** An ingestion model at an instant. */
interface ModelAt {
  model: IngestionModel
  slug: string
  at: Instant
  gaps: Gaps
}

/** A node of it. */
interface NodeAt {
  /** In the model's source. */
  path: string
  address: string
  at: Instant
  gaps: Gaps
  /** What describes its input; a child reads its parent's output, which no contract describes. */
  contract: VersionRow | undefined
}

interface Part {
  versionId: string
  slug: string
  number: number
}

class Checker {
  readonly findings: Finding[] = []
  readonly #checked = new Set<string>()

  constructor(
    private readonly connection: Connection,
    private readonly family: FamilyHead,
    private readonly version: VersionRow,
  ) {}

  async checkAt(at: Instant, gaps: Gaps): Promise<void> {
    if (this.family.kind === 'ingestion_model') {
      const model = modelOf(this.version)
      await this.#checkModel({ model, slug: this.family.slug, at, gaps })
      if (gaps === 'told') await this.#checkConditions(model)
      return
    }
    for (const { versionId, familySlug: slug } of await listInForce(this.connection, 'ingestion_model', at)) {
      const model = await loadModel(this.connection, versionId)
      if (mentions(model.nodes, this.family)) await this.#checkModel({ model, slug, at, gaps: 'passed over' })
    }
  }

  async #checkModel({ model, slug, at, gaps }: ModelAt): Promise<void> {
    const contract = await findNamedVersion(this.connection, 'contract', model.contract)
    if (contract === undefined || contract.status !== 'published') {
      if (gaps === 'passed over') return
      const state = contract?.status === 'deprecated' ? 'is deprecated' : 'is not published'
      this.#add(
        'contract_unavailable',
        '/contract',
        `Version ${model.contract.version} of the contract "${model.contract.name}" ${state}.`,
        'Name a published version.',
      )
      return
    }
    await this.#checkNodes(model.nodes, { path: '/nodes', address: slug, at, gaps, contract })
  }

  /** Only of models frozen since conditions are compared with the contract: the earlier ones keep their rules. */
  async #checkConditions(model: IngestionModel): Promise<void> {
    if (this.version.reading === 1) return
    const contract = await findNamedVersion(this.connection, 'contract', model.contract)
    if (contract === undefined) return
    this.findings.push(...errorsOf(checkConditions(model, sourceOf(this.version), schemaOf(contract).root)))
  }

  /** @param parent the place of the list, and the node whose children they are */
  async #checkNodes(nodes: readonly ModelNode[], parent: NodeAt): Promise<void> {
    for (const [index, node] of nodes.entries()) {
      const place = { ...parent, path: `${parent.path}/${index}`, address: `${parent.address}:${node.key}` }
      await this.#checkNode(node, place)
      await this.#checkNodes(node.children, { ...place, path: `${place.path}/children`, contract: undefined })
    }
  }

  async #checkNode(node: ModelNode, place: NodeAt): Promise<void> {
    const { contract } = place
    const transformer = await this.#part('transformer', node.transformer, place)
    const template = node.template === undefined ? undefined : await this.#part('template', node.template, place)
    if (transformer === undefined || (node.template !== undefined && template === undefined)) return
    const key = [contract?.id, transformer.versionId, template?.versionId].join(' ')
    if (this.#checked.has(key)) return
    this.#checked.add(key)
    const findings = await checkPinnedChain(this.connection, {
      contractVersionId: contract?.id,
      transformVersionId: transformer.versionId,
      templateVersionId: template?.versionId,
    })
    const parts = [`transformer ${transformer.slug}@${transformer.number}`]
    if (template !== undefined) parts.push(`template ${template.slug}@${template.number}`)
    for (const finding of findings) {
      const message = `${place.address} (${parts.join(', ')}): ${finding.message}`
      const isOwn = this.family.kind === 'transformer'
      // A line of the transformer's source means nothing to somebody who activates another family.
      this.findings.push(isOwn ? { ...finding, message } : { ...withoutPlace(finding), message, path: place.path })
    }
  }

  /** The version that would be in force: the new one if the family is the one being activated. */
  async #part(kind: 'transformer' | 'template', slug: string, { path, at, gaps }: NodeAt): Promise<Part | undefined> {
    if (kind === this.family.kind && slug === this.family.slug) {
      return { versionId: this.version.id, slug, number: this.version.number }
    }
    const familyId = await findFamilyId(this.connection, kind, slug)
    const found: ActivationRow | undefined =
      familyId === undefined ? undefined : await findInForce(this.connection, familyId, at)
    if (found !== undefined) return { versionId: found.versionId, slug, number: found.version }
    if (gaps === 'told') {
      const why = familyId === undefined ? 'does not exist' : `has no version in force at ${formatInstant(at)}`
      this.#add('nothing_in_force', `${path}/${kind}`, `The ${kind} "${slug}" ${why}.`, `Publish the ${kind} first.`)
    }
    return undefined
  }

  #add(code: string, path: string, message: string, hint: string): void {
    this.findings.push({ code, severity: 'error', path, message, hint })
  }
}

function withoutPlace({ line: _line, column: _column, ...finding }: Finding): Finding {
  return finding
}

function mentions(nodes: readonly ModelNode[], family: FamilyHead): boolean {
  return nodes.some(
    (node) =>
      (family.kind === 'transformer' ? node.transformer : node.template) === family.slug ||
      mentions(node.children, family),
  )
}
