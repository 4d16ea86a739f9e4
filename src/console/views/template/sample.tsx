/**
 * Sample data for a template: what a transformer makes of a case and of the values it asks for. Both choices are kept
 * in the address.
 */

import { useMemo } from 'preact/hooks'
import { named, useEvery } from '../../api/every.ts'
import { useResource } from '../../api/resource.ts'
import type { CaseItem, ContractItem, DefinitionFamily, Family, Template, Version } from '../../api/types.ts'
import { useDebounced } from '../../debounced.ts'
import { rich, t } from '../../language.ts'
import { type Declared, type ParamTexts, type ParamValues, readParams, useParamTexts } from '../../params.ts'
import { ParamFields } from '../../parts/param-fields.tsx'
import { changeQuery, place } from '../../router.ts'
import { nameOf } from '../contract/cases.tsx'
import { check } from '../transformer/run.ts'

export interface Sample {
  transformers: readonly Family[]
  transformer: DefinitionFamily | undefined
  /** Its newest version, with its source. */
  version: Version | undefined
  /** The contract version that its source names. */
  contract: { family: ContractItem; version: Version } | undefined
  cases: readonly CaseItem[]
  /** The chosen one; undefined if the contract has none. */
  caseId: string | undefined
  params: SampleParams
  /** Identifies all the data that it makes; undefined while something is missing or still being typed. */
  key: string | undefined
}

interface SampleParams {
  declared: Declared
  texts: ParamTexts
  change(name: string, text: string): void
  values: ParamValues
  /** Names without a value of their type. */
  missing: readonly string[]
}

/** How long a pause in typing a value lasts before the template is filled with it. */
const pauseMs = 400
const noParams: Declared = {}

/** Begins with the transformer that has the template's slug, else the first one. */
export function useSample(template: Template): Sample {
  const transformers = useEvery<Family>('/api/v1/transformers', 'transformers')
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
  const contracts = useEvery<ContractItem>('/api/v1/contracts', 'contracts')
  const contract = namedContract(version?.source ?? '', contracts)
  const cases = useResource<{ cases: CaseItem[] }>(
    contract === undefined ? undefined : `/api/v1/cases?contract_version_id=${contract.version.id}&limit=100`,
  ).value.value?.cases
  const usable = cases?.filter(({ kind }) => kind !== 'invalid') ?? []
  const askedCase = place.value.query.get('case')
  const caseId = (usable.find(({ id }) => id === askedCase) ?? usable[0])?.id
  const declared = useMemo(
    () => check(version?.source ?? '', version?.format ?? 'yaml', undefined, undefined).transformer?.params ?? noParams,
    [version],
  )
  const { texts, change } = useParamTexts(chosen?.id)
  const { values, missing } = readParams(declared, texts)
  const given = JSON.stringify(values)
  const settled = useDebounced(Object.keys(declared).length === 0 ? '' : given, pauseMs)
  const isWhole =
    version !== undefined && caseId !== undefined && missing.length === 0 && (settled === '' || settled === given)
  return {
    transformers: transformers ?? [],
    transformer,
    version,
    contract,
    cases: usable,
    caseId,
    params: { declared, texts, change, values, missing },
    key: isWhole ? `${version.id} ${caseId} ${given}` : undefined,
  }
}

function namedContract(source: string, contracts: readonly ContractItem[] | undefined): Sample['contract'] {
  const [, name, number] = /^[ "]*contract"?\s*:\s*["']?([^"'@\n]+)@(\d+)/m.exec(source) ?? []
  const family = named(contracts, name?.trim())
  const version = family?.versions.find((one) => one.number === Number(number))
  return family === undefined || version === undefined ? undefined : { family, version }
}

export function SampleChoice({ sample, withCase }: { sample: Sample; withCase: boolean }) {
  return (
    <>
      <label class="filter">
        <span>{t`Data from`}</span>
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
          <span>{t`On the case`}</span>
          <select
            value={sample.caseId ?? ''}
            disabled={sample.cases.length === 0}
            onChange={(event) => changeQuery({ case: event.currentTarget.value })}
          >
            {sample.cases.length === 0 && <option value="">{t`none yet`}</option>}
            {sample.cases.map((one) => (
              <option value={one.id} key={one.id}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {withCase && <ParamFields {...sample.params} onChange={sample.params.change} />}
    </>
  )
}

/** What to do where there is nothing to fill a template with. */
export function SampleMissing({ sample }: { sample: Sample }) {
  if (sample.version === undefined) {
    return <p class="muted">{t`There is no frozen transformer to make data. Freeze one first.`}</p>
  }
  if (sample.contract === undefined) {
    return <p class="muted">{t`The transformer names no contract, so there are no cases to run it on.`}</p>
  }
  if (sample.caseId === undefined) {
    return (
      <p class="muted">
        {rich`The contract ${sample.contract.family.name} v${sample.contract.version.number} has no case yet. ${<a href={`/contracts/${sample.contract.family.id}?tab=cases`}>{t`Generate one`}</a>}.`}
      </p>
    )
  }
  const { missing } = sample.params
  if (missing.length === 0) return null
  return (
    <p class="muted" role="status">
      {rich`The transformer asks for ${missing.length === 1 ? t`a value` : t`${missing.length} values`}: give ${missing.map((name) => `$${name}`).join(', ')} above, and the template is filled.`}
    </p>
  )
}
