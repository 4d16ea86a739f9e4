/** The views of a list: filters under a name, chosen, kept and forgotten in its filter bar. */

import { useSignal } from '@preact/signals'
import { t } from '../language.ts'
import { changeQuery, go, place } from '../router.ts'
import { forgetView, savedViews, saveView } from '../saved-views.ts'
import { FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'

const nameChars = 60

/** @param names the filters that the address may have */
export function ViewChoice({ names }: { names: readonly string[] }) {
  const isNaming = useSignal(false)
  const { path, query } = place.value
  const filtersIn = (all: URLSearchParams) =>
    new URLSearchParams(names.flatMap((name) => all.getAll(name).map((value) => [name, value]))).toString()
  const text = filtersIn(query)
  const views = savedViews().filter((view) => view.path === path)
  const shown = views.find((view) => filtersIn(new URLSearchParams(view.query)) === text)
  return (
    <>
      {views.length > 0 && (
        <label class="filter">
          <span>{t`View`}</span>
          <select
            value={shown?.name ?? ''}
            onChange={(event) => {
              const wanted = views.find(({ name }) => name === event.currentTarget.value)
              if (wanted === undefined) changeQuery(Object.fromEntries(names.map((name) => [name, undefined])))
              else go(`${path}?${wanted.query}`)
            }}
          >
            <option value="">{t`None`}</option>
            {views.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {text !== '' &&
        (shown === undefined ? (
          <button type="button" class="button button-quiet filter-clear" onClick={() => (isNaming.value = true)}>
            {t`Save view`}
          </button>
        ) : (
          <button type="button" class="button button-quiet filter-clear" onClick={() => forgetView(shown)}>
            {t`Forget view`}
          </button>
        ))}
      {isNaming.value && (
        <FormDialog
          title={t`Save these filters as a view`}
          action={t`Save`}
          onClose={() => (isNaming.value = false)}
          onSubmit={async (fields) => {
            saveView({ name: String(fields.get('view')).trim(), path, query: query.toString() })
          }}
        >
          <Field label={t`Name`} hint={t`It is kept in this browser, for you alone, and Ctrl K finds it.`}>
            <input name="view" required pattern=".*\S.*" maxLength={nameChars} autocomplete="off" />
          </Field>
        </FormDialog>
      )}
    </>
  )
}
