/** Filters of a list. They live in the address, so that a filtered list can be sent to a colleague. */

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language.ts'
import { changeQuery, place } from '../router.ts'
import { ViewChoice } from './view-choice.tsx'

const typingMs = 300

interface TextFilterProps {
  name: string
  label: string
  placeholder?: string
  /** What the server takes; anything else isn't asked for. */
  pattern?: string
  /** True for the one that `/` leads to. */
  isSearch?: boolean
  type?: 'text' | 'datetime-local'
  size?: number
}

export function TextFilter(props: TextFilterProps) {
  const { name, label, placeholder = '', pattern, isSearch = false, type = 'text', size = 20 } = props
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const given = place.value.query.get(name) ?? ''
  // The address may change under the field: back, or all filters cleared.
  useLayoutEffect(() => {
    if (field.current === null || document.activeElement === field.current) return
    clearTimeout(timer.current)
    field.current.value = given
  }, [given])
  useEffect(() => () => clearTimeout(timer.current), [])
  function apply(): void {
    clearTimeout(timer.current)
    timer.current = undefined
    if (field.current?.validity.valid === true) changeQuery({ [name]: field.current.value.trim() })
  }
  const common = {
    ref: field,
    defaultValue: given,
    autocomplete: 'off',
    ...(isSearch ? { 'data-search': '' } : {}),
    onInput: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(apply, typingMs)
    },
    // Leaving the field or pressing Enter ends the typing.
    onChange: apply,
  } as const
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of the two below.
    <label class="filter">
      <span>{label}</span>
      {type === 'text' ? (
        <input
          {...common}
          type="text"
          size={size}
          placeholder={placeholder}
          spellcheck={false}
          {...(pattern === undefined ? {} : { pattern })}
        />
      ) : (
        <input {...common} type="datetime-local" />
      )}
    </label>
  )
}

interface ChoiceFilterProps {
  name: string
  label: string
  choices: readonly (readonly [value: string, text: string])[]
}

export function ChoiceFilter({ name, label, choices }: ChoiceFilterProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select
        value={place.value.query.get(name) ?? ''}
        onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">{t`All`}</option>
        {choices.map(([value, text]) => (
          <option value={value} key={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The list's views, and a button that clears these filters, shown only while there are any. */
export function ClearFilters({ names }: { names: readonly string[] }) {
  return (
    <>
      <ViewChoice names={names} />
      {names.some((name) => place.value.query.has(name)) && <ClearButton names={names} />}
    </>
  )
}

function ClearButton({ names }: { names: readonly string[] }) {
  return (
    <button
      type="button"
      class="button button-quiet filter-clear"
      onClick={() => changeQuery(Object.fromEntries(names.map((name) => [name, undefined])))}
    >
      {t`Clear`}
    </button>
  )
}
