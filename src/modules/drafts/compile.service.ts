import type { Binding } from '../../core/binding.ts'
import { errorsOf, type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { compileTransformer, type Transformer } from '../../engines/declarative/declarative.ts'
import { compileTemplate, earlierReading } from '../../engines/docx/docx.ts'
import type { IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { validationFault } from '../../http/body.ts'
import type { Source } from '../../runner/job.ts'
import { findNamedVersion, type VersionRow } from '../versions/versions.reads.ts'
import { type Content, type SourceText, sourceOf } from '../versions/versions.service.ts'
import { compileModel } from './conditions.service.ts'

/** Checks for freezing that a draft's engine accepts it; for templates, also gives their bindings. */
export function checkContent(kind: FamilyKind, content: Content): Outcome<{ bindings: Binding[] | null }> {
  if ('bytes' in content) {
    const template = compileTemplate(content.bytes)
    return template.ok ? succeed({ bindings: [...template.value.bindings] }, template.findings) : template
  }
  const compiled = compileSource(kind, content)
  return compiled.ok ? succeed({ bindings: null }, compiled.findings) : compiled
}

/** Whether the kind's engine accepts a source text taken by itself. */
export function compileSource(kind: FamilyKind, { source, format }: SourceText): Outcome<unknown> {
  switch (kind) {
    case 'contract':
      return compileSchema(source)
    case 'ingestion_model':
      return compileModel({ source, format })
    case 'transformer':
      return compileTransformer(source, format)
    case 'template':
      throw new Error('a template has bytes, not source text')
  }
}

/**
 * A version that was frozen under earlier rules, and is not published yet, has to mean today what it meant then: once it
 * is published, those rules stay.
 * @throws Fault validation_failed
 */
export function requireSameToday(version: VersionRow): void {
  const { kind, status, reading, bytes } = version
  if (status !== 'versioned' || reading === newestReading) return
  const content: Content = bytes === null ? sourceOf(version) : { bytes, format: 'docx' }
  const findings = errorsOf(checkContent(kind, content).findings)
  if (bytes !== null) {
    const earlier = compileTemplate(bytes, reading).findings.filter(({ code }) => code === earlierReading)
    findings.push(...earlier.map((finding) => ({ ...finding, severity: 'error' as const })))
  }
  if (findings.length === 0) return
  throw validationFault(findings, { stage: 'freeze', resourceKind: kind, resourceId: version.familyId })
}

/**
 * Compiles a transformer with the contract and the template that its source names, as far as they exist: types come
 * from them. A contract that is named and not there is a finding; a template may be made after its transformer.
 */
export async function compileNamedTransformer(
  connection: Connection,
  { source, format }: SourceText,
  reading: Reading = newestReading,
): Promise<Outcome<{ transformer: Transformer; contract: NamedContract | undefined }>> {
  const alone = compileTransformer(source, format, { reading })
  if (!alone.ok) return alone
  const { contract: named, template } = alone.value
  if (named === undefined && template === undefined) {
    return succeed({ transformer: alone.value, contract: undefined }, alone.findings)
  }
  const contract = named === undefined ? undefined : await findNamedContract(connection, named)
  if (named !== undefined && contract === undefined) return fail(unknownContract(named))
  const bindings = template === undefined ? undefined : await findNamedBindings(connection, template)
  const root = contract === undefined ? undefined : readJson(contract.content)
  const typed = compileTransformer(source, format, {
    reading,
    ...(root?.ok === true ? { contract: root.value } : {}),
    ...(bindings === undefined ? {} : { bindings }),
  })
  return typed.ok ? succeed({ transformer: typed.value, contract }, typed.findings) : typed
}

/** Compiles a source of any kind but a template, with what it names. */
export async function compileNamed(
  connection: Connection,
  kind: FamilyKind,
  text: SourceText,
): Promise<Outcome<unknown>> {
  if (kind === 'transformer') return compileNamedTransformer(connection, text)
  return kind === 'ingestion_model' ? compileNamedModel(connection, text) : compileSource(kind, text)
}

/** Compiles an ingestion model with the contract that it names; one that is not there is a finding. */
export async function compileNamedModel(connection: Connection, text: SourceText): Promise<Outcome<IngestionModel>> {
  const alone = compileModel(text)
  if (!alone.ok) return alone
  const named = alone.value.contract
  const contract = await findNamedContract(connection, named)
  if (contract === undefined) return fail(unknownContract(named))
  const root = readJson(contract.content)
  return root.ok ? compileModel(text, root.value) : root
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

/** The contract's version that a source names, as workers take it. */
export interface NamedContract extends Source {
  content: string
}

async function findNamedContract(
  connection: Connection,
  named: { name: string; version: number },
): Promise<NamedContract | undefined> {
  const version = await findNamedVersion(connection, 'contract', named)
  if (version === undefined) return undefined
  return { hash: version.contentHash, format: 'json', content: sourceOf(version).source }
}

async function findNamedBindings(connection: Connection, named: { slug: string; version: number }) {
  const version = await findNamedVersion(connection, 'template', { name: named.slug, version: named.version })
  return version?.bindings ?? undefined
}
