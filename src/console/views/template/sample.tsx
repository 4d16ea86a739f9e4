/** Sample data for a template: what a transformer makes of a case. Both choices stand in the address. */
import { useResource } from '../../api/resource.ts'
import type { Case, Contract, DefinitionFamily, Family, Template, Version } from '../../api/types.ts'
import { changeQuery, place } from '../../router.ts'
import { nameOf } from '../contract/cases.tsx'

export interface Sample {
  transformers: readonly Family[]
  transformer: DefinitionFamily | undefined
  /** Its newest version, with its source. */
  version: Version | undefined
  /** The contract version that its source names. */
  contract: { family: Contract; version: Version } | undefined
  cases: readonly Case[]
  /** The chosen one; undefined where the contract has none. */
  caseId: string | undefined
}

/** Begins with the transformer that has the template's slug, else the first one. */
export function useSample(template: Template): Sample {
  const transformers = useResource<{ transformers: Family[] }>('/api/v1/transformers?limit=100').value.value
    ?.transformers
  const asked = place.value.query.get('transformer')
  const chosen =
    transformers?.find(({ id }) => id === asked) ??
    transformers?.find(({ slug }) => slug === template.slug) ??
    transformers?.[0]
  const path = chosen === undefined ? undefined : `/api/v1/transformers/${chosen.id}`
  const transformer = useResource<DefinitionFamily>(path).value.value
  const newest = transformer?.versions.reduce<Version | undefined>(
    (best, one) => (best === undefined || one.number > best.number ? one : best),
    undefined,
  )
  const version = useResource<Version>(newest === undefined ? undefined : `${path}/versions/${newest.number}`).value
    .value
  const contracts = useResource<{ contracts: Contract[] }>('/api/v1/contracts?limit=100').value.value?.contracts
  const contract = namedContract(version?.source ?? '', contracts ?? [])
  const cases = useResource<{ cases: Case[] }>(
    contract === undefined ? undefined : `/api/v1/cases?contract_version_id=${contract.version.id}&limit=100`,
  ).value.value?.cases
  const usable = cases?.filter(({ kind }) => kind !== 'invalid') ?? []
  const askedCase = place.value.query.get('case')
  return {
    transformers: transformers ?? [],
    transformer,
    version,
    contract,
    cases: usable,
    caseId: (usable.find(({ id }) => id === askedCase) ?? usable[0])?.id,
  }
}

function namedContract(source: string, contracts: readonly Contract[]): Sample['contract'] {
  const [, name, number] = /^[ "]*contract"?\s*:\s*["']?([^"'@\n]+)@(\d+)/m.exec(source) ?? []
  const family = contracts.find((contract) => contract.name === name?.trim() || contract.slug === name?.trim())
  const version = family?.versions.find((one) => one.number === Number(number))
  return family === undefined || version === undefined ? undefined : { family, version }
}

export function SampleChoice({ sample, withCase }: { sample: Sample; withCase: boolean }) {
  return (
    <>
      <label class="filter">
        <span>Data from</span>
        <select
          value={sample.transformer?.id ?? ''}
          onChange={(event) => changeQuery({ transformer: event.currentTarget.value, case: undefined })}
        >
          {sample.transformers.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {withCase && (
        <label class="filter">
          <span>On the case</span>
          <select
            value={sample.caseId ?? ''}
            disabled={sample.cases.length === 0}
            onChange={(event) => changeQuery({ case: event.currentTarget.value })}
          >
            {sample.cases.length === 0 && <option value="">none yet</option>}
            {sample.cases.map((one) => (
              <option value={one.id} key={one.id}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

/** What to do where there is nothing to fill a template with. */
export function SampleMissing({ sample }: { sample: Sample }) {
  if (sample.version === undefined) {
    return <p class="muted">There is no frozen transformer to make data. Freeze one first.</p>
  }
  if (sample.contract === undefined) {
    return <p class="muted">The transformer names no contract, so there are no cases to run it on.</p>
  }
  if (sample.caseId === undefined) {
    return (
      <p class="muted">
        The contract {sample.contract.family.name} v{sample.contract.version.number} has no case yet.{' '}
        <a href={`/contracts/${sample.contract.family.id}?tab=cases`}>Generate one</a>.
      </p>
    )
  }
  return null
}
