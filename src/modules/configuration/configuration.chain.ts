import type { Binding } from '../../core/binding.ts'
import type { Finding } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import { readJson } from '../../core/json.ts'
import type { Connection } from '../../db/database.ts'
import { compileTransformer, type Transformer } from '../../engines/declarative/declarative.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { findFamilyByName, findFamilyBySlug, findVersion, findVersionByNumber } from './configuration.store.ts'

/** What is pinned together: contract → transformer → template. */
export interface ChainContent {
  /** JSON Schema text; undefined where no contract is known. */
  contract: string | undefined
  transformer: { source: string; format: TextFormat }
  /** What the template binds; undefined without a template. */
  bindings: readonly Binding[] | undefined
}

/**
 * Whether everything the transformer reads is in the contract, and everything the template wants is in the
 * transformer's output: the errors, each located in the transformer's source.
 */
export function checkChain({ contract, transformer, bindings }: ChainContent): Finding[] {
  const schema = contract === undefined ? undefined : compileSchema(contract)
  if (schema?.ok === false) return errorsOf(schema.findings)
  const context = {
    ...(schema === undefined ? {} : { contract: schema.value.root }),
    ...(bindings === undefined ? {} : { bindings }),
  }
  return errorsOf(compileTransformer(transformer.source, transformer.format, context).findings)
}

/** The same for frozen versions, by their ids. */
export async function checkPinnedChain(
  connection: Connection,
  pin: { contractVersionId: string | undefined; transformVersionId: string; templateVersionId: string | undefined },
): Promise<Finding[]> {
  const contract = pin.contractVersionId === undefined ? undefined : await mustFind(connection, pin.contractVersionId)
  const transformer = await mustFind(connection, pin.transformVersionId)
  const template = pin.templateVersionId === undefined ? undefined : await mustFind(connection, pin.templateVersionId)
  return checkChain({
    contract: contract?.source ?? undefined,
    transformer: { source: transformer.source ?? '', format: transformer.format === 'json' ? 'json' : 'yaml' },
    bindings: template?.bindings ?? undefined,
  })
}

async function mustFind(connection: Connection, id: string) {
  const version = await findVersion(connection, id)
  if (version === undefined) throw new Error(`version ${id} is missing from the database`)
  return version
}

/**
 * Compiles a transformer with the contract and the template that its source names, as far as they exist: types come
 * from them. A contract that is named and not there is a finding; a template may be made after its transformer.
 */
export async function compileNamedTransformer(
  connection: Connection,
  source: string,
  format: TextFormat,
): Promise<{ findings: Finding[]; transformer?: Transformer; contract?: { schema: string; hash: string } }> {
  const alone = compileTransformer(source, format)
  if (!alone.ok) return { findings: alone.findings }
  const { contract: named, template } = alone.value
  if (named === undefined && template === undefined) return { findings: alone.findings, transformer: alone.value }
  const contract = named === undefined ? undefined : await findNamedContract(connection, named)
  if (named !== undefined && contract === undefined) {
    return {
      findings: [
        {
          code: 'unknown_contract',
          severity: 'error',
          path: '/contract',
          message: `There is no contract "${named.name}" with a version ${named.version}.`,
          hint: 'Name a frozen version of a contract by its name, such as policy@1.',
        },
      ],
    }
  }
  const bindings = template === undefined ? undefined : await findNamedBindings(connection, template)
  const root = contract === undefined ? undefined : readJson(contract.schema)
  const typed = compileTransformer(source, format, {
    ...(root?.ok === true ? { contract: root.value } : {}),
    ...(bindings === undefined ? {} : { bindings }),
  })
  return {
    findings: typed.findings,
    ...(typed.ok ? { transformer: typed.value } : {}),
    ...(contract === undefined ? {} : { contract }),
  }
}

async function findNamedContract(connection: Connection, named: { name: string; version: number }) {
  const family =
    (await findFamilyByName(connection, 'contract', named.name)) ??
    (await findFamilyBySlug(connection, 'contract', named.name))
  const version = family === undefined ? undefined : await findVersionByNumber(connection, family.id, named.version)
  return version?.source == null ? undefined : { schema: version.source, hash: version.contentHash }
}

async function findNamedBindings(connection: Connection, named: { slug: string; version: number }) {
  const family = await findFamilyBySlug(connection, 'template', named.slug)
  const version = family === undefined ? undefined : await findVersionByNumber(connection, family.id, named.version)
  return version?.bindings ?? undefined
}

export function errorsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}
