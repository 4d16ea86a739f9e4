/** What a model's cases run through: the model with its contract, transformers and templates, as drafts or as in force. */
import { canonicalHash } from '../../core/canonical.ts'
import { errorsOf, type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { Instant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { newestReading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel, ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import type { Reach } from '../../http/reach.ts'
import type { FragmentSource } from '../../runner/job.ts'
import type { SuiteModel, SuiteSource } from '../../suite/run.ts'
import { findInForce } from '../activations/activations.service.ts'
import type { ContentQuestion } from '../drafts/content.service.ts'
import { draftContent } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { type FamilyHead, findFamily, findFamilyByReference, findFamilyBySlug } from '../families/families.reads.ts'
import { kindNames } from '../families/families.service.ts'
import { modelOf } from '../versions/compiled.service.ts'
import { findVersionByNumber, listNewestVersions, readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { bytesOf, type Content, contentOf, type Read } from '../versions/versions.service.ts'

/** Which content of each part to use. */
export interface WantedParts {
  /** `drafts`: each family's draft. `in_force`: what is in force at the instant. */
  state: 'drafts' | 'in_force'
  /** Versions to use instead. */
  versions?: readonly { family_id: string; version: number }[] | undefined
  /** `draft`: use the contract's draft, whichever version the model names. */
  contract?: 'draft' | undefined
  /** Contracts whose drafts are used in this way. */
  contractsAsDrafts?: ReadonlySet<string>
}

/** A part of the chain, and which of its contents is used. */
export interface SuitePart {
  kind: FamilyKind
  familyId: string
  slug: string
  contentHash: string
  /** If the content is a frozen version. */
  version?: number
  /** If the content is a draft. */
  draftRevision?: number
}

export interface SuiteChain {
  slug: string
  model: SuiteModel
  /** Each after those that it builds on; the model is last. */
  parts: SuitePart[]
  /** The frozen version of the contract whose cases are included: the named one, else the newest. */
  contractVersionId: string | undefined
  /** Equal for the same content under the same rules. */
  hash: string
}

/** Who answers questions, where parts are looked up, and at which instant. */
export interface ChainPorts {
  connection: Connection
  judge: Judge
  /** Whether an engine accepts a draft: the judge's verdict, or inside a transaction the remembered one. */
  verdict(question: ContentQuestion): Promise<Outcome<Read>>
  at: Instant
}

interface FoundPart {
  part: SuitePart
  content: Content
  version: VersionRow | undefined
}

/** Whether the caller reaches the chain's contract, and so the inputs made for it. */
export function reachesContract({ parts }: SuiteChain, reach: Reach): boolean {
  const contract = parts.find(({ kind }) => kind === 'contract')?.familyId
  return reach === undefined || (contract !== undefined && reach.includes(contract))
}

/** The chain. Fails with what is missing or faulty, each finding with its family's slug as path. */
export async function suiteChain(
  ports: ChainPorts,
  family: FamilyHead,
  wanted: WantedParts,
): Promise<Outcome<SuiteChain>> {
  const finding = new ChainFinder(ports, wanted)
  const own = await finding.find(family)
  if (own === undefined) return fail(...finding.findings)
  const model = await modelIn(ports, own)
  if (!model.ok) return fail(...errorsOf(model.findings).map((each) => ({ ...each, path: family.slug })))
  const { contract: named, nodes, input } = model.value
  const contract = await finding.contract(named)
  for (const slug of slugsIn(nodes, 'transformer')) await finding.named('transformer', slug)
  for (const slug of slugsIn(nodes, 'template')) await finding.named('template', slug)
  if (contract === undefined || finding.findings.length > 0) return fail(...finding.findings)
  const { transformers, templates } = finding
  const parts = [contract.part, ...finding.parts, own.part]
  return succeed({
    slug: family.slug,
    model: {
      model: { nodes, ...(input === undefined ? {} : { input }) },
      contract: sourceOf(contract),
      transformers,
      templates,
    },
    parts,
    contractVersionId:
      contract.version?.id ?? (await frozenVersionOf(ports.connection, contract.part.familyId, named.version)),
    hash: canonicalHash(
      [contract, ...finding.found, own].map(({ part, version }) => [
        part.kind,
        part.slug,
        part.contentHash,
        version?.reading ?? newestReading,
      ]),
    ),
  })
}

/** Finds parts, each once, and collects findings about them. */
class ChainFinder {
  readonly findings: Finding[] = []
  readonly found: FoundPart[] = []
  readonly transformers = new Map<string, SuiteSource>()
  readonly templates = new Map<string, SuiteSource>()
  /** Templates, included ones too, with the slugs that each includes. */
  readonly #files = new Map<string, { found: FoundPart; includes: readonly string[] }>()
  readonly #ports: ChainPorts
  readonly #wanted: WantedParts

  constructor(ports: ChainPorts, wanted: WantedParts) {
    this.#ports = ports
    this.#wanted = wanted
  }

  get parts(): SuitePart[] {
    return this.found.map(({ part }) => part)
  }

  async contract({ name, version }: { name: string; version: number }): Promise<FoundPart | undefined> {
    const { connection } = this.#ports
    const family = await findFamilyByReference(connection, 'contract', name)
    const isNext = this.#wanted.state === 'drafts' && family !== undefined && family.latestNumber + 1 === version
    const isMeant = this.#wanted.contract === 'draft' || this.#wanted.contractsAsDrafts?.has(family?.id ?? '') === true
    if (family !== undefined && (isNext || isMeant)) return this.#draft(family)
    const row = family && (await findVersionByNumber(connection, family.id, version))
    if (row === undefined || family === undefined) {
      this.#tell(name, `There is no version ${version} of the contract "${name}", which the ingestion model names.`)
      return undefined
    }
    return frozen(family, row)
  }

  /** Adds a part that a node names, with the templates that it includes. */
  async named(kind: 'transformer' | 'template', slug: string): Promise<void> {
    if (kind === 'transformer') {
      const found = await this.#bySlug(kind, slug)
      if (found === undefined) return
      this.found.push(found)
      this.transformers.set(slug, sourceOf(found))
      return
    }
    const within = new Map<string, FoundPart>()
    const letter = await this.#file(slug, within)
    if (letter === undefined) return
    const fragments = [...within]
      .filter(([name]) => name !== slug)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { part, content }]): FragmentSource => {
        return { slug: name, hash: part.contentHash, content: bytesOf(content) }
      })
    this.templates.set(slug, { ...sourceOf(letter), ...(fragments.length === 0 ? {} : { fragments }) })
  }

  async #file(slug: string, within: Map<string, FoundPart>): Promise<FoundPart | undefined> {
    const known = this.#files.get(slug)
    const found = known?.found ?? (await this.#bySlug('template', slug))
    if (found === undefined || within.has(slug)) return found
    within.set(slug, found)
    const includes = known?.includes ?? (await this.#includes(found))
    if (known === undefined) {
      this.#files.set(slug, { found, includes })
      this.found.push(found)
    }
    for (const inner of includes) await this.#file(inner, within)
    return found
  }

  async #includes({ content, version }: FoundPart): Promise<readonly string[]> {
    if (version !== undefined) return version.fragments ?? []
    const read = await this.#ports.verdict({ kind: 'template', content })
    return (read.ok && read.value.fragments) || []
  }

  async #bySlug(kind: 'transformer' | 'template', slug: string): Promise<FoundPart | undefined> {
    const family = await findFamilyBySlug(this.#ports.connection, kind, slug)
    if (family === undefined) {
      this.#tell(slug, `There is no ${kindNames[kind]} "${slug}", which the ingestion model names.`)
      return undefined
    }
    return this.find(family)
  }

  /** The wanted content of a family. */
  async find(family: FamilyHead): Promise<FoundPart | undefined> {
    const { connection, at } = this.#ports
    const { state, versions = [] } = this.#wanted
    const asked = versions.find(({ family_id: id }) => id.toLowerCase() === family.id)
    if (asked !== undefined) {
      const row = await findVersionByNumber(connection, family.id, asked.version)
      if (row === undefined) this.#tell(family.slug, `There is no version ${asked.version} of ${family.slug}.`)
      return row && frozen(family, row)
    }
    if (state === 'drafts' && family.draftFormat !== null) return this.#draft(family)
    if (state === 'drafts') {
      const newest = (await listNewestVersions(connection, [family.id], 1)).at(-1)
      if (newest !== undefined) return frozen(family, await readVersion(connection, newest.id))
      this.#tell(family.slug, `The ${kindNames[family.kind]} "${family.slug}" has no draft and no version.`)
      return undefined
    }
    const inForce = await findInForce(connection, family.id, at)
    if (inForce !== undefined) return frozen(family, await readVersion(connection, inForce.versionId))
    this.#tell(family.slug, `Nothing of the ${kindNames[family.kind]} "${family.slug}" is in force.`)
    return undefined
  }

  /** A draft; undefined if it has errors, which are reported instead. */
  async #draft({ id, kind, slug }: FamilyHead): Promise<FoundPart | undefined> {
    const family = await findFamily(this.#ports.connection, kind, id)
    if (family === undefined || family.draftFormat === null) {
      this.#tell(slug, `The ${kindNames[kind]} "${slug}" has no draft.`)
      return undefined
    }
    const content = draftContent(family)
    const verdict = await this.#ports.verdict({ kind, content })
    this.findings.push(...errorsOf(verdict.findings).map((each) => ({ ...each, path: `${slug}#${each.path ?? ''}` })))
    const part = {
      ...{ kind, familyId: id, slug, contentHash: contentHashOf(bytesOf(content)) },
      draftRevision: family.draftRevision,
    }
    return { part, content, version: undefined }
  }

  #tell(path: string, message: string): void {
    this.findings.push({ code: 'suite.missing', severity: 'error', path, message, hint: 'Make it, or name another.' })
  }
}

function frozen({ id, kind, slug }: FamilyHead, version: VersionRow): FoundPart {
  const { contentHash, number } = version
  return { part: { kind, familyId: id, slug, contentHash, version: number }, content: contentOf(version), version }
}

/** The named version of a contract whose draft is used, or the newest if that number isn't frozen yet. */
async function frozenVersionOf(connection: Connection, familyId: string, number: number): Promise<string | undefined> {
  const named = await findVersionByNumber(connection, familyId, number)
  return named?.id ?? (await listNewestVersions(connection, [familyId], 1)).at(-1)?.id
}

/** A compiled model; the judge compiles drafts. */
async function modelIn(
  { judge }: ChainPorts,
  { content, version }: FoundPart,
): Promise<Outcome<Pick<IngestionModel, 'contract' | 'nodes' | 'input'>>> {
  if (version !== undefined) return succeed(await modelOf(version))
  if ('bytes' in content) throw new Error('an ingestion model has a file for a draft')
  const read = await judge.ask('model', { source: content.source, format: content.format })
  if (!read.ok) return read
  const { contract, nodes, input } = read.value
  return succeed({ contract, nodes, ...(input === undefined ? {} : { input }) })
}

function sourceOf({ part, content, version }: FoundPart): SuiteSource {
  return {
    ...{ path: part.slug, hash: part.contentHash, format: content.format },
    ...(version === undefined ? {} : { reading: version.reading }),
    content: 'bytes' in content ? content.bytes : content.source,
  }
}

function slugsIn(nodes: readonly ModelNode[], kind: 'transformer' | 'template', found = new Set<string>()) {
  for (const node of nodes) {
    const slug = node[kind]
    if (slug !== undefined) found.add(slug)
    slugsIn(node.children, kind, found)
  }
  return found
}
