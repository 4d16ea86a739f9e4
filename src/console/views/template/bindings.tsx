/** Every binding of a version or of the draft: its place, and where its value comes from. */

import { useMemo } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { Binding, Template, TemplateDraft, Version } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { shownVersion } from '../configuration/versions.tsx'
import { check } from '../transformer/run.ts'
import { writerOf } from './bound.ts'
import { isAt, partName, placeKey } from './places.ts'
import { SampleChoice, useSample } from './sample.tsx'

const shapes: Readonly<Record<Binding['shape'], string>> = {
  scalar: t`value`,
  list: t`list`,
  object: t`object`,
  flag: t`yes or no`,
  image: t`image`,
  rich: t`rich text`,
}

export function Bindings({ template, mayPreview }: { template: Template; mayPreview: boolean }) {
  const newest = shownVersion(template.versions)
  const hasDraft = template.draft_revision > 0
  const showsDraft = hasDraft && (newest === undefined || place.value.query.get('version') === 'draft')
  const draft = useResource<TemplateDraft>(showsDraft ? `/api/v1/templates/${template.id}/draft` : undefined)
  const bindings = showsDraft ? draft.value.value?.bindings : newest?.bindings
  const at = place.value.query.get('at')
  const sample = useSample(template)
  const { contract, version } = sample
  const contractVersion = useResource<Version>(
    contract === undefined ? undefined : `/api/v1/contracts/${contract.family.id}/versions/${contract.version.number}`,
  ).value.value
  const writes = useMemo(() => {
    if (version?.source === undefined) return undefined
    return check(version.source, version.format ?? 'yaml', contractVersion?.schema, undefined).transformer?.writes
  }, [version, contractVersion])
  if (!showsDraft && newest === undefined) {
    return (
      <div class="panel empty-panel">
        <p>{t`There is no file yet. Upload a DOCX, and what it binds is listed here.`}</p>
      </div>
    )
  }
  const of = showsDraft ? 'draft' : String(newest?.number)
  const rows = (bindings ?? []).map((binding) => ({ binding, writer: writes && writerOf(binding.pointer, writes) }))
  const unbound =
    writes === undefined ? [] : rows.filter(({ binding, writer }) => writer === undefined && binding.required)
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>{t`Version`}</span>
          <select value={of} onChange={(event) => changeQuery({ version: event.currentTarget.value })}>
            {hasDraft && <option value="draft">{t`Draft`}</option>}
            {[...template.versions]
              .sort((a, b) => b.number - a.number)
              .map(({ number }) => (
                <option value={String(number)} key={number}>
                  v{number}
                </option>
              ))}
          </select>
        </label>
        <SampleChoice sample={sample} withCase={false} />
      </div>
      {draft.problem.value !== undefined && <ProblemNote problem={draft.problem.value} retry={draft.reload} />}
      {showsDraft && draft.value.value === undefined && draft.problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Reading the draft`} />
      )}
      {showsDraft && draft.value.value !== undefined && bindings === undefined && (
        <p class="note note-warning">
          <Icon name="alert" />{' '}
          <span>{t`The draft has mistakes, so its bindings can’t be listed. They are listed under Draft.`}</span>
        </p>
      )}
      {writes !== undefined && rows.length > 0 && (
        <p class={`verdict ${unbound.length === 0 ? 'verdict-success' : 'verdict-danger'}`} role="status">
          <span class="verdict-head">
            <Icon name={unbound.length === 0 ? 'check' : 'alert'} />
            <strong>
              {unbound.length === 0
                ? t`Every binding that needs a value has one`
                : t`${unbound.length} ${unbound.length === 1 ? t`binding` : t`bindings`} without a value`}
            </strong>
          </span>
        </p>
      )}
      {bindings?.length === 0 && (
        <div class="panel empty-panel">
          <p>
            {rich`Nothing is bound. Write a place in the data between braces, such as ${<code>{'{{/policy/number}}'}</code>}, where its value shall be.`}
          </p>
        </div>
      )}
      {rows.length > 0 && (
        <div class="panel table-panel">
          <table class="table" aria-label={t`Bindings`}>
            <thead>
              <tr>
                <th scope="col" class="binding-name">
                  {t`Binding`}
                </th>
                <th scope="col">{t`Wants`}</th>
                <th scope="col">{t`Written as`}</th>
                <th scope="col" class="wide">
                  {t`Place`}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ binding, writer }) => (
                <tr
                  key={`${placeKey(binding)} ${binding.pointer}`}
                  data-tone={isAt(binding, at) ? 'selected' : undefined}
                >
                  <td class="cell-wrap">
                    <code>{binding.pointer}</code>
                  </td>
                  <td class="cell-words">
                    {shapes[binding.shape]} {!binding.required && <span class="form-optional">{t`optional`}</span>}
                  </td>
                  <td class="cell-wrap">
                    {writes === undefined ? (
                      <span class="muted">–</span>
                    ) : writer === undefined ? (
                      <span class={binding.required ? 'tone-danger' : 'muted'}>{t`nothing`}</span>
                    ) : (
                      <>
                        {writer.pointer !== binding.pointer && <code class="muted">{writer.pointer} </code>}
                        {writer.type}
                      </>
                    )}
                  </td>
                  <td class="wide muted">
                    {rich`${partName(binding.part)}, paragraph ${binding.paragraph}, character ${binding.position}`}
                    {mayPreview && (
                      <>
                        {' · '}
                        <a
                          href={`${place.value.path}?tab=preview&of=${of}&at=${encodeURIComponent(placeKey(binding))}`}
                          aria-label={t`Show ${binding.pointer} on the page`}
                        >
                          {t`on the page`}
                        </a>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
