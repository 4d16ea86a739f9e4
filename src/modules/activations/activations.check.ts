import { errorsOf, type Finding } from '../../core/finding.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel, ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { requireReached } from '../../http/reach.ts'
import { checkPinnedChain } from '../drafts/chain.service.ts'
import { checkNamedTransformer, type Judging } from '../drafts/compile.service.ts'
import { gapFindings } from '../drafts/fragments.service.ts'
import { Unanswered } from '../drafts/judge-known.service.ts'
import { type FamilyHead, findFamilyByReference, findFamilyHead, findFamilyId } from '../families/families.reads.ts'
import { loadModel, modelOf } from '../versions/compiled.service.ts'
import { resolveFragments } from '../versions/fragments.service.ts'
import { findNamedVersion, readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import { slugsOf } from './activations.drafts.ts'
import { fragmentsInForce, including } from './activations.fragments.service.ts'
import { type ActivationRow, findInForce, listInForce, listLaterInstants } from './activations.store.ts'

/**
 * Checks that all versions that would be in force together fit: for every ingestion model, at every instant that the new
 * activation affects, the chain contract → transformer → template of each of its nodes.
 *
 * @throws Fault forbidden if the version names families that the caller doesn't reach, or if findings would be about such
 * families
 */
export async function checkActivation(
  judging: Judging,
  family: FamilyHead,
  version: VersionRow,
  effectiveFrom: Instant,
): Promise<Finding[]> {
  if (family.kind === 'transformer') {
    const named = await checkNames(judging, version)
    if (named.length > 0) return named
  }
  const absent = await checkFragments(judging, { family, version }, effectiveFrom)
  if (absent.length > 0) return absent
  return checkFrom(judging, { family, version }, { effectiveFrom, gaps: 'told' })
}

/** A template's own tags: the templates that it includes, directly or through others, must be in force. */
async function checkFragments(judging: Judging, { family, version }: Activated, at: Instant): Promise<Finding[]> {
  const includes = version.fragments ?? []
  if (family.kind !== 'template' || includes.length === 0) return []
  const instead = { slug: family.slug, version }
  const { reading } = version
  const { gaps } = await resolveFragments({ includes, reading }, fragmentsInForce(judging, at, instead))
  return gapFindings(judging, version, gaps)
}

/** A version and the family for which it comes into force. */
export interface Activated {
  family: FamilyHead
  version: VersionRow
}

/**
 * The same check for versions that come into force together and whose activations exist already. Each ingestion model that any of
 * them affects is checked once. Other work runs in between, because a set may be large.
 *
 * @returns findings with the family whose source they are about: a model, or a transformer
 */
export async function checkTogether(
  judging: Judging,
  activated: readonly Activated[],
  effectiveFrom: Instant,
): Promise<{ family: FamilyHead; finding: Finding }[]> {
  const found: { family: FamilyHead; finding: Finding }[] = []
  const add = (family: FamilyHead, findings: readonly Finding[]) => {
    found.push(...findings.map((finding) => ({ family, finding })))
  }
  const unanswered = new Unanswered()
  const check = async (family: FamilyHead, findings: () => Promise<readonly Finding[]>) => {
    add(family, (await unanswered.of(findings)) ?? [])
    await othersTurn()
  }
  for (const { family, version } of activated) {
    if (family.kind === 'transformer') await check(family, () => checkNames(judging, version))
  }
  for (const each of activated) {
    await check(each.family, () => checkFragments(judging, each, effectiveFrom))
  }
  if (found.length > 0) return found
  const models = activated.filter(({ family }) => family.kind === 'ingestion_model')
  for (const model of models) {
    await check(model.family, () => checkFrom(judging, model, { effectiveFrom, gaps: 'told' }))
  }
  for (const model of await otherModels(judging.connection, activated, effectiveFrom)) {
    await check(model.family, () => checkFrom(judging, model, { effectiveFrom, gaps: 'passed over' }))
  }
  unanswered.settle()
  return found
}

/** Ingestion models in force that use an activated transformer or template, and are not themselves activated. */
async function otherModels(connection: Connection, activated: readonly Activated[], at: Instant): Promise<Activated[]> {
  const known = new Set(activated.map(({ family }) => family.id))
  const changed = new Set(activated.map(({ family: { kind, slug } }) => `${kind} ${slug}`))
  const templates = activated.filter(({ family }) => family.kind === 'template').map(({ family }) => family.slug)
  for (const { slug } of await including(connection, templates, at)) changed.add(`template ${slug}`)
  const reached = (nodes: readonly ModelNode[]): boolean =>
    nodes.some(
      ({ transformer, template, children }) =>
        changed.has(`transformer ${transformer}`) || changed.has(`template ${template}`) || reached(children),
    )
  const others: Activated[] = []
  for (const { familyId, versionId } of await listInForce(connection, 'ingestion_model', at)) {
    if (known.has(familyId) || !reached((await loadModel(connection, versionId)).nodes)) continue
    const family = await findFamilyHead(connection, 'ingestion_model', familyId)
    if (family !== undefined) others.push({ family, version: await readVersion(connection, versionId) })
  }
  return others
}

/** What a transformer names must exist and fit. */
async function checkNames(judging: Judging, version: VersionRow): Promise<Finding[]> {
  return errorsOf((await checkNamedTransformer(judging, sourceOf(version), version.reading)).findings)
}

/** @param gaps how to treat gaps at the first instant; they are ignored at later ones */
async function checkFrom(
  judging: Judging,
  { family, version }: Activated,
  { effectiveFrom, gaps }: { effectiveFrom: Instant; gaps: Gaps },
): Promise<Finding[]> {
  const checker = new Checker(judging, family, version)
  for (const at of await instantsOf(judging.connection, family, effectiveFrom)) {
    await checker.checkAt(at, at === effectiveFrom ? gaps : 'passed over')
    await othersTurn()
    if (checker.findings.length >= limits.configurationIssues) break
  }
  checker.unanswered.settle()
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

/** A node of a model. */
interface NodeAt {
  /** Its place in the model's source. */
  path: string
  address: string
  at: Instant
  gaps: Gaps
  /** The contract of its input; undefined for a child, which reads its parent's output. */
  contract: VersionRow | undefined
}

interface Part {
  versionId: string
  slug: string
  number: number
}

class Checker {
  readonly findings: Finding[] = []
  readonly unanswered = new Unanswered()
  readonly #checked = new Set<string>()

  constructor(
    private readonly judging: Judging,
    private readonly family: FamilyHead,
    private readonly version: VersionRow,
  ) {}

  async checkAt(at: Instant, gaps: Gaps): Promise<void> {
    if (this.family.kind === 'ingestion_model') {
      const model = await modelOf(this.version)
      await this.#requireNamed(model, at)
      await this.#checkModel({ model, slug: this.family.slug, at, gaps })
      if (gaps === 'told') await this.#checkConditions(model)
      return
    }
    const slugs = await this.#reachedAt(at)
    const { connection, reach } = this.judging
    for (const { familyId, versionId, familySlug: slug } of await listInForce(connection, 'ingestion_model', at)) {
      const model = await loadModel(connection, versionId)
      if (!mentions(model.nodes, this.family.kind, slugs)) continue
      const before = this.findings.length
      await this.#checkModel({ model, slug, at, gaps: 'passed over' })
      if (this.findings.length === before) continue
      // Findings about another family are only for callers who reach it.
      requireReached(reach, familyId)
      await this.#requireNamed(model, at)
    }
  }

  /** @throws Fault forbidden if a model names, or its templates include, a family that the caller doesn't reach */
  async #requireNamed(model: IngestionModel, at: Instant): Promise<void> {
    const { connection, reach } = this.judging
    if (reach === undefined) return
    requireReached(reach, (await findFamilyByReference(connection, 'contract', model.contract.name))?.id)
    const { transformers, templates } = slugsOf(model.nodes)
    for (const slug of transformers) requireReached(reach, await findFamilyId(connection, 'transformer', slug))
    const { kind, slug: own } = this.family
    const instead = kind === 'template' ? { slug: own, version: this.version } : undefined
    const find = fragmentsInForce(this.judging, at, instead)
    // The set grows inside the loop: included templates are checked, too.
    for (const slug of templates) {
      const found = await find(slug)
      for (const included of typeof found === 'string' ? [] : found.includes) templates.add(included)
    }
  }

  /** Slugs of the family and of the templates that include it. */
  async #reachedAt(at: Instant): Promise<ReadonlySet<string>> {
    const { kind, slug } = this.family
    const others = kind === 'template' ? await including(this.judging.connection, [slug], at) : []
    return new Set([slug, ...others.map((each) => each.slug)])
  }

  async #checkModel({ model, slug, at, gaps }: ModelAt): Promise<void> {
    const contract = await findNamedVersion(this.judging.connection, 'contract', model.contract)
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

  /** Only for models frozen since conditions are compared with the contract; earlier ones keep their rules. */
  async #checkConditions(model: IngestionModel): Promise<void> {
    if (this.version.reading === 1) return
    const contract = await findNamedVersion(this.judging.connection, 'contract', model.contract)
    if (contract === undefined) return
    const { reading } = this.version
    const question = { ...sourceOf(this.version), reading, contract: sourceOf(contract).source }
    const found = await this.unanswered.of(async () => this.judging.judge.ask('conditions', question))
    this.findings.push(...errorsOf(found ?? []))
  }

  /** @param parent the place of the list, and the node whose children these are */
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
    const fragments = template === undefined ? [] : await this.#fragments(template, place)
    const key = [
      contract?.id,
      transformer.versionId,
      template?.versionId,
      ...fragments.map((each) => each.versionId),
    ].join(' ')
    if (this.#checked.has(key)) return
    this.#checked.add(key)
    const pin = {
      contractVersionId: contract?.id,
      transformVersionId: transformer.versionId,
      templateVersionId: template?.versionId,
      fragments,
    }
    const findings = (await this.unanswered.of(() => checkPinnedChain(this.judging, pin))) ?? []
    const parts = [`transformer ${transformer.slug}@${transformer.number}`]
    if (template !== undefined) parts.push(`template ${template.slug}@${template.number}`)
    for (const finding of findings) {
      const message = `${place.address} (${parts.join(', ')}): ${finding.message}`
      const isOwn = this.family.kind === 'transformer'
      // A line of the transformer's source means nothing to somebody who activates another family.
      this.findings.push(isOwn ? { ...finding, message } : { ...withoutPlace(finding), message, path: place.path })
    }
  }

  /** The templates that a node's template would include; missing ones are the node's gaps. */
  async #fragments({ versionId, slug }: Part, { path, at, address }: NodeAt): Promise<PinnedFragment[]> {
    const version = await readVersion(this.judging.connection, versionId)
    const includes = version.fragments ?? []
    if (includes.length === 0) return []
    const { kind, slug: own } = this.family
    const instead = kind === 'template' ? { slug: own, version: this.version } : undefined
    const find = fragmentsInForce({ connection: this.judging.connection, reach: undefined }, at, instead)
    const { fragments, gaps } = await resolveFragments({ includes, reading: version.reading }, find)
    for (const { chain, message, hint } of gaps) {
      const told = `${address} (template ${slug}): ${message} It is included by {{> ${chain.join(' → ')}}}.`
      if (!this.findings.some((finding) => finding.message === told))
        this.#add('nothing_in_force', `${path}/template`, told, hint)
    }
    return fragments
  }

  /** The version that would be in force: the new one if the family is the one being activated. */
  async #part(kind: 'transformer' | 'template', slug: string, { path, at, gaps }: NodeAt): Promise<Part | undefined> {
    if (kind === this.family.kind && slug === this.family.slug) {
      return { versionId: this.version.id, slug, number: this.version.number }
    }
    const familyId = await findFamilyId(this.judging.connection, kind, slug)
    const found: ActivationRow | undefined =
      familyId === undefined ? undefined : await findInForce(this.judging.connection, familyId, at)
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

function mentions(nodes: readonly ModelNode[], kind: FamilyHead['kind'], slugs: ReadonlySet<string>): boolean {
  return nodes.some((node) => {
    const slug = kind === 'transformer' ? node.transformer : node.template
    return (slug !== undefined && slugs.has(slug)) || mentions(node.children, kind, slugs)
  })
}
