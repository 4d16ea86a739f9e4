/** What runs the input: an ingestion model, or a release; kept in the address. */

import { useEvery } from '../../api/every.ts'
import { useResource } from '../../api/resource.ts'
import type { Release } from '../../api/submit.ts'
import type { CaseItem, Family } from '../../api/types.ts'
import { t } from '../../language.ts'
import { Field } from '../../parts/field.tsx'
import { go, place } from '../../router.ts'
import { nameOf } from '../contract/cases.tsx'

export interface Target {
  model: string | undefined
  release: string | undefined
}

export interface Targets {
  models: readonly Family[] | undefined
  releases: readonly Release[] | undefined
  /** Undefined while none is chosen, and there are several. */
  target: Target | undefined
}

export function useTargets(): Targets {
  const models = useEvery<Family>('/api/v1/ingestion-models', 'ingestion_models')
  const all = useEvery<Release>('/api/v1/releases', 'releases')
  const releases = all?.filter(({ automatic }) => !automatic)
  const { query } = place.value
  const release = query.get('release') ?? undefined
  const only = models?.length === 1 && releases?.length === 0 ? models[0]?.slug : undefined
  const model = release === undefined ? (query.get('model') ?? only) : undefined
  return { models, releases, target: model === undefined && release === undefined ? undefined : { model, release } }
}

export function TargetChoice({ models, releases, target }: Targets) {
  const value =
    target?.model !== undefined
      ? `model:${target.model}`
      : target?.release !== undefined
        ? `release:${target.release}`
        : ''
  const isListed =
    models?.some(({ slug }) => slug === target?.model) || releases?.some(({ id }) => id === target?.release)
  return (
    <Field label={t`Submit to`}>
      <select
        value={value}
        onChange={(event) => {
          const [, kind, name] = /^(model|release):(.*)$/.exec(event.currentTarget.value) ?? []
          go(
            kind === undefined || name === undefined
              ? place.value.path
              : `${place.value.path}?${kind}=${encodeURIComponent(name)}`,
          )
        }}
      >
        {target === undefined && <option value="">{t`Choose a model or a release`}</option>}
        {target !== undefined && isListed !== true && (
          <option value={value}>{target.model ?? t`The release of the execution`}</option>
        )}
        {models !== undefined && models.length > 0 && (
          <optgroup label={t`Ingestion models`}>
            {models.map(({ id, slug, name }) => (
              <option value={`model:${slug}`} key={id}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {releases !== undefined && releases.length > 0 && (
          <optgroup label={t`Releases`}>
            {releases.map(({ id, name }) => (
              <option value={`release:${id}`} key={id}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </Field>
  )
}

interface CaseChoiceProps {
  contractVersionId: string | undefined
  onChoose(id: string): void
}

/** A case of the contract as a start. */
export function CaseChoice({ contractVersionId, onChoose }: CaseChoiceProps) {
  const path = contractVersionId && `/api/v1/cases?contract_version_id=${contractVersionId}&limit=100`
  const cases = useResource<{ cases: CaseItem[] }>(path).value.value?.cases ?? []
  return (
    <Field label={t`Begin with`}>
      <select
        value=""
        disabled={cases.length === 0}
        onChange={(event) => {
          const { value } = event.currentTarget
          event.currentTarget.value = ''
          if (value !== '') onChoose(value)
        }}
      >
        <option value="">{cases.length === 0 ? t`No cases yet` : t`A case…`}</option>
        {cases.map((one) => (
          <option value={one.id} key={one.id}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </Field>
  )
}
