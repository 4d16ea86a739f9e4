import { errorsOf, type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { contentHashOf, sha256Hex } from '../../core/hash.ts'
import { readJson } from '../../core/json.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Reach, requireReached } from '../../http/reach.ts'
import type { Source } from '../../runner/job.ts'
import { LruCache } from '../../runner/lru.ts'
import { findFamilyByReference } from '../families/families.reads.ts'
import { findVersionByNumber, type VersionRow } from '../versions/versions.reads.ts'
import { contentOf, type Read, type SourceText, sourceOf } from '../versions/versions.service.ts'
import type { ContentQuestion } from './content.service.ts'
import type { Judge } from './judge.service.ts'
import { judgedBefore } from './judge-known.service.ts'
import type { TransformerFacts } from './questions.service.ts'

/** Who answers questions, and where named sources are looked up. */
export interface Judging {
  connection: Connection
  judge: Judge
  /** The families that a source may name. */
  reach: Reach
}

const verdicts = new LruCache<Outcome<Read>>(limits.judgedContents)

/** The judge's verdict on a draft, remembered for a transaction that follows. */
export async function judgeContent(judge: Judge, question: ContentQuestion) {
  const key = keyOf(question)
  const verdict = verdicts.get(key) ?? (await judge.ask('content', question))
  verdicts.set(key, verdict)
  return verdict
}

/** The verdict inside a transaction, which must not wait for the judge: the remembered one, else checked here and now. */
export async function contentVerdict(question: ContentQuestion): Promise<Outcome<Read>> {
  const verdict = verdicts.get(keyOf(question))
  if (verdict !== undefined) return verdict
  const { checkContent } = await import('./content.service.ts')
  return checkContent(question)
}

/**
 * The verdict inside a transaction if nobody may have asked beforehand, as for drafts beside the frozen one and for frozen
 * versions.
 * @throws Unjudged if the content is large or has costly patterns, and has not been judged yet
 */
export async function contentJudgedBefore(question: ContentQuestion): Promise<Outcome<Read>> {
  const key = keyOf(question)
  const verdict = verdicts.get(key)
  if (verdict !== undefined) return verdict
  return (await isSmall(question)) ? contentVerdict(question) : judgedBefore('content', question, key)
}

async function isSmall({ kind, content }: ContentQuestion): Promise<boolean> {
  const size = 'bytes' in content ? content.bytes.length : content.source.length
  if (size > limits.judgedOnTheSpotChars || 'bytes' in content) return size <= limits.judgedOnTheSpotChars
  const { hasCostlyPatterns } = await import('./pattern-costs.service.ts')
  return !hasCostlyPatterns(kind === 'contract' ? { contract: content.source } : content)
}

function keyOf({ kind, content }: ContentQuestion): string {
  const hash = 'bytes' in content ? contentHashOf(content.bytes) : sha256Hex(content.source)
  return `${kind} ${content.format} ${hash}`
}

async function earlierJudgedBefore(question: ContentQuestion & { reading: Reading }): Promise<readonly Finding[]> {
  if (!(await isSmall(question))) return judgedBefore('earlier', question, `${keyOf(question)} ${question.reading}`)
  const { earlierFindings } = await import('./content.service.ts')
  return earlierFindings(question)
}

/**
 * Requires that a version frozen under earlier rules, and not published yet, means the same under today's: once it is published,
 * its rules stay.
 * @throws Fault validation_failed; Unjudged as `contentJudgedBefore`
 */
export async function requireSameToday(version: VersionRow): Promise<void> {
  const { kind, status, reading } = version
  if (status !== 'versioned' || reading === newestReading) return
  const question = { kind, content: contentOf(version) }
  const findings = errorsOf((await contentJudgedBefore(question)).findings)
  if (findings.length === 0) {
    const earlier = await earlierJudgedBefore({ ...question, reading })
    findings.push(...earlier.map((finding) => ({ ...finding, severity: 'error' as const })))
  }
  if (findings.length === 0) return
  throw validationFault(findings, { stage: 'freeze', resourceKind: kind, resourceId: version.familyId })
}

/**
 * Checks a transformer with the contract and template that its source names, if they exist, since types come from them. A missing
 * contract is a finding; a missing template isn't, because it may be made after its transformer.
 */
export async function checkNamedTransformer(
  { connection, judge, reach }: Judging,
  { source, format }: SourceText,
  reading: Reading = newestReading,
): Promise<Outcome<Pick<TransformerFacts, 'params'> & { contract: NamedContract | undefined }>> {
  const alone = await judge.ask('transformer', { source, format, reading })
  if (!alone.ok) return alone
  const { contract: named, template, params } = alone.value
  if (named === undefined && template === undefined) return succeed({ params, contract: undefined }, alone.findings)
  const contract = named === undefined ? undefined : await findNamedContract(connection, named, reach)
  if (named !== undefined && contract === undefined) return fail(unknownContract(named))
  const bindings = template === undefined ? undefined : await findNamedBindings(connection, template, reach)
  const typed = await judge.ask('transformer', {
    ...{ source, format, reading },
    ...(contract === undefined ? {} : { contract: contract.content }),
    ...(bindings === undefined ? {} : { bindings }),
  })
  return typed.ok ? succeed({ params, contract }, typed.findings) : typed
}

/** Findings about a source and what it names, for any kind but templates. */
export async function checkNamed(judging: Judging, kind: FamilyKind, text: SourceText): Promise<readonly Finding[]> {
  if (kind === 'transformer') return (await checkNamedTransformer(judging, text)).findings
  if (kind === 'ingestion_model') return (await checkNamedModel(judging, text)).findings
  return (await judging.judge.ask('content', { kind, content: text })).findings
}

/** Checks an ingestion model with the contract that it names; a missing one is a finding. */
async function checkNamedModel({ connection, judge, reach }: Judging, text: SourceText): Promise<Outcome<unknown>> {
  const alone = await judge.ask('model', text)
  if (!alone.ok) return alone
  const named = alone.value.contract
  const contract = await findNamedContract(connection, named, reach)
  if (contract === undefined) return fail(unknownContract(named))
  const root = readJson(contract.content)
  return root.ok ? judge.ask('model', { ...text, contract: root.value }) : root
}

function unknownContract({ name, version }: { name: string; version: number }): Finding {
  return {
    code: 'unknown_contract',
    severity: 'error',
    path: '/contract',
    message: `There is no contract "${name}" with a version ${version}.`,
    hint: 'Name a frozen version of a contract by its name or slug, such as policy@1.',
  }
}

/** The contract version that a source names, in the form that workers take. */
export interface NamedContract extends Source {
  content: string
}

async function findNamedContract(
  connection: Connection,
  named: { name: string; version: number },
  reach: Reach,
): Promise<NamedContract | undefined> {
  const version = await findReachedVersion(connection, 'contract', named, reach)
  if (version === undefined) return undefined
  return { hash: version.contentHash, format: 'json', content: sourceOf(version).source }
}

async function findNamedBindings(
  connection: Connection,
  { slug, version }: { slug: string; version: number },
  reach: Reach,
) {
  const found = await findReachedVersion(connection, 'template', { name: slug, version }, reach)
  return found?.bindings ?? undefined
}

/** @throws Fault forbidden for a family that the caller doesn't reach */
export async function findReachedVersion(
  connection: Connection,
  kind: 'contract' | 'template',
  { name, version }: { name: string; version: number },
  reach: Reach,
): Promise<VersionRow | undefined> {
  const family = await findFamilyByReference(connection, kind, name)
  requireReached(reach, family?.id)
  return family === undefined ? undefined : findVersionByNumber(connection, family.id, version)
}
