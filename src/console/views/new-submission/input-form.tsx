/** The form that a contract describes, filled with what the text says: every change of a field changes the text. */

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isJsonObject, readJson } from '../../../core/json.ts'
import { joinPointer } from '../../../core/pointer.ts'
import type { InputRow } from '../../engines/input-rows.ts'
import { removeAt, setAt } from '../../json-edit.ts'
import { rich, t } from '../../language.ts'
import { Blocks } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icon.tsx'

export interface FormContext {
  text: string
  /** What is wrong with each visible row, and with the rows inside it if it is folded. */
  problems: ReadonlyMap<string, readonly string[]>
  edit(text: string): void
  toggle(pointer: string): void
  choose(pointer: string, index: number): void
  /** Notes whether a field holds something that can't become its value; the text keeps the last one. */
  setUnread(pointer: string, isUnread: boolean): void
  /** Begins with a row that is to have the focus when it is drawn. */
  focusNext(pointer: string): void
}

const rowPx = 68

export function InputForm({ rows, context }: { rows: readonly InputRow[]; context: FormContext }) {
  return (
    <Blocks
      rows={rows}
      class="entry-list"
      rowPx={rowPx}
      draw={(row) => (
        <Entry key={`${row.pointer} ${row.kind === 'variant' ? 'kind' : ''}`} row={row} context={context} />
      )}
    />
  )
}

/** The row's field, by its pointer; for the focus and for tests. */
export function fieldAt(pointer: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-field="${CSS.escape(pointer)}"]`)
}

/** Gives the focus to a row's field as soon as it is drawn. */
export function useFocusNext(rows: readonly InputRow[]): (pointer: string) => void {
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const field = fieldAt(wanted.current)
    if (field === null) return
    wanted.current = undefined
    const first = field.matches('input, select, textarea, button')
      ? field
      : field.querySelector<HTMLElement>('input, select, textarea, button')
    first?.focus()
  }, [rows])
  return (pointer) => {
    wanted.current = pointer
  }
}

function Entry({ row, context }: { row: InputRow; context: FormContext }) {
  const { pointer, depth, kind, title, description, isRequired, rules } = row
  const problems = kind === 'variant' ? [] : (context.problems.get(pointer) ?? [])
  const id = `entry${kind === 'variant' ? '-kind' : ''}-${pointer}`
  const isGroup = kind === 'object' || kind === 'array'
  return (
    <li class="entry" data-kind={kind} data-present={row.isPresent} style={{ '--depth': depth }}>
      <div class="entry-head">
        {isGroup ? (
          <GroupTitle row={row} context={context} />
        ) : (
          <label class="entry-title" for={id} title={pointer}>
            {title}
          </label>
        )}
        {kind !== 'variant' && isRequired && !row.mayRemove && <span class="form-required">{t`required`}</span>}
        <span class="entry-tools">
          {row.accepts.null && row.value !== 'null' && kind !== 'json' && (
            <button
              type="button"
              class="link-button"
              onClick={() => set(context, pointer, 'null')}
              aria-label={t`Set ${title} to null`}
            >
              {t`null`}
            </button>
          )}
          {row.mayRemove && row.isPresent && (
            <button
              type="button"
              class="icon-button entry-remove"
              aria-label={t`Remove ${title}`}
              title={t`Remove`}
              onClick={() => {
                context.setUnread(pointer, false)
                context.edit(removeAt(context.text, pointer))
              }}
            >
              <Icon name="cross" size={14} />
            </button>
          )}
        </span>
      </div>
      {description !== undefined && (
        <p class="entry-text" id={`${id}-text`}>
          {description}
        </p>
      )}
      {isGroup ? (
        <GroupTools row={row} context={context} />
      ) : (
        <Control row={row} context={context} id={id} problems={problems} />
      )}
      {rules.length > 0 && !isGroup && kind !== 'variant' && <p class="entry-rules">{rules.join(' · ')}</p>}
      {problems.length > 0 && (
        <p class="entry-problem" id={`${id}-problem`}>
          {problems.join('. ')}
        </p>
      )}
    </li>
  )
}

function set(context: FormContext, pointer: string, json: string): boolean {
  const text = setAt(context.text, pointer, json)
  if (text === undefined) return false
  context.edit(text)
  return true
}

function GroupTitle({ row, context }: { row: InputRow; context: FormContext }) {
  const { pointer, title, isOpen = false, isPresent, isRequired, itemCount, summary } = row
  if (!isPresent && !isRequired) return <span class="entry-title">{title}</span>
  return (
    <button
      type="button"
      class="entry-fold"
      aria-expanded={isOpen}
      data-field={pointer}
      title={pointer}
      onClick={() => context.toggle(pointer)}
    >
      <Icon name="chevron" size={14} />
      <span class="entry-title">{title}</span>
      {itemCount !== undefined && <span class="tab-count">{itemCount}</span>}
      {!isOpen && summary !== undefined && <span class="entry-summary">{summary}</span>}
    </button>
  )
}

function GroupTools({ row, context }: { row: InputRow; context: FormContext }) {
  const { pointer, kind, title, isPresent, isRequired, starter, itemCount = 0, itemStarter = 'null' } = row
  if (!isPresent && !isRequired) {
    return (
      <button
        type="button"
        class="button button-small entry-add"
        data-field={pointer}
        onClick={() => {
          context.focusNext(pointer)
          set(context, pointer, starter)
        }}
      >
        <Icon name="add" size={14} /> {t`Add`} <span class="offscreen">{title}</span>
      </button>
    )
  }
  if (row.isOpen !== true) return null
  if (kind === 'array') {
    if (row.mayAdd !== true) return null
    return (
      <button
        type="button"
        class="button button-small entry-add"
        onClick={() => {
          const next = joinPointer(pointer, itemCount)
          context.focusNext(next)
          if (isPresent) set(context, next, itemStarter)
          else set(context, pointer, `[\n  ${itemStarter.replaceAll('\n', '\n  ')}\n]`)
        }}
      >
        <Icon name="add" size={14} /> {t`Add an item`} <span class="offscreen">{rich`to ${title}`}</span>
      </button>
    )
  }
  return row.memberStarter === undefined ? null : (
    <MemberAdder pointer={pointer} title={title} starter={row.memberStarter} context={context} />
  )
}

interface MemberAdderProps {
  pointer: string
  title: string
  starter: string
  context: FormContext
}

/** For objects whose members may have any name. */
function MemberAdder({ pointer, title, starter, context }: MemberAdderProps) {
  const name = useSignal('')
  const add = () => {
    if (name.value === '') return
    const next = joinPointer(pointer, name.value)
    context.focusNext(next)
    if (set(context, next, starter)) name.value = ''
  }
  return (
    <div class="entry-member">
      <input
        type="text"
        aria-label={t`Name of a new member of ${title}`}
        placeholder={t`Name`}
        value={name.value}
        onInput={(event) => {
          name.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          add()
        }}
      />
      <button type="button" class="button button-small" disabled={name.value === ''} onClick={add}>
        <Icon name="add" size={14} /> {t`Add`}
      </button>
    </div>
  )
}

interface ControlProps {
  row: InputRow
  context: FormContext
  id: string
  problems: readonly string[]
}

function Control({ row, context, id, problems }: ControlProps) {
  const { kind, pointer, choices = [] } = row
  /** What is in the field while somebody types there; the text has it as well, if it can. */
  const typed = useSignal<string | undefined>(undefined)
  const unread = useSignal<string | undefined>(undefined)
  // What was typed is forgotten where the text took another value meanwhile.
  const lastValue = useRef(row.value)
  useLayoutEffect(() => {
    if (lastValue.current !== row.value && unread.peek() === undefined && !isFocused(pointer)) typed.value = undefined
    lastValue.current = row.value
  }, [row.value])
  useLayoutEffect(() => () => context.setUnread(pointer, false), [])

  const take = (text: string) => {
    typed.value = text
    const json = jsonOf(row, text)
    const isRead = json !== undefined && (json === '' || set(context, pointer, json))
    if (json === '') context.edit(removeAt(context.text, pointer))
    unread.value = isRead ? undefined : misreading[kind]
    context.setUnread(pointer, !isRead)
  }
  const said = unread.value === undefined ? problems : [unread.value]
  const common = {
    id,
    'data-field': kind === 'variant' ? undefined : pointer,
    'aria-invalid': said.length > 0,
    'aria-describedby': [
      row.description === undefined ? '' : `${id}-text`,
      unread.value === undefined ? '' : `${id}-unread`,
      problems.length > 0 ? `${id}-problem` : '',
    ]
      .join(' ')
      .trim(),
    'aria-required': row.isRequired,
  }
  const typing = {
    ...common,
    value: typed.value ?? row.value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => take(event.currentTarget.value),
    onBlur: () => {
      if (unread.value === undefined) typed.value = undefined
    },
  }
  const unreadNote = unread.value !== undefined && (
    <p class="entry-problem" id={`${id}-unread`}>
      {unread.value}
    </p>
  )
  switch (kind) {
    case 'variant':
      return (
        <select
          {...common}
          value={row.value}
          onChange={(event) => {
            const index = Number(event.currentTarget.value)
            context.choose(pointer, index)
            become(context, pointer, choices[index]?.json ?? 'null')
          }}
        >
          {choices.map(({ label }, index) => (
            <option value={String(index)} key={label}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'fixed':
    case 'choice':
    case 'boolean': {
      const options = kind === 'boolean' ? yesOrNo : choices
      const isKnown = options.some(({ json }) => json === row.value)
      return (
        <select {...common} value={row.value} onChange={(event) => choose(row, context, event.currentTarget.value)}>
          {(!row.isRequired || !isKnown) && <option value="">{row.isRequired ? t`Choose` : t`Not given`}</option>}
          {!isKnown && row.value !== '' && <option value={row.value}>{row.value}</option>}
          {options.map(({ label, json }) => (
            <option value={json} key={json}>
              {label}
            </option>
          ))}
        </select>
      )
    }
    case 'date':
      return <input type="date" {...typing} />
    case 'long':
    case 'json':
      return (
        <>
          <textarea {...typing} rows={kind === 'json' ? 2 : 3} class={kind === 'json' ? 'entry-json' : undefined} />
          {unreadNote}
        </>
      )
    default:
      return (
        <>
          <input type="text" inputMode={kind === 'text' ? 'text' : 'decimal'} {...typing} />
          {unreadNote}
        </>
      )
  }
}

/** Switches to another alternative: sets the members that it fixes and keeps all others, so that nothing typed is lost. */
function become(context: FormContext, pointer: string, json: string): void {
  const made = readJson(json)
  const members = made.ok && isJsonObject(made.value) ? Object.entries(made.value) : undefined
  let text: string | undefined = context.text
  for (const [name, value] of members ?? []) {
    text = text && setAt(text, joinPointer(pointer, name), JSON.stringify(value, undefined, 2))
  }
  if (members === undefined || text === undefined) set(context, pointer, json)
  else if (members.length > 0) context.edit(text)
}

function isFocused(pointer: string): boolean {
  return document.activeElement?.getAttribute('data-field') === pointer
}

const yesOrNo = [
  { label: t`Yes`, json: 'true' },
  { label: t`No`, json: 'false' },
]

const misreading: Partial<Record<InputRow['kind'], string>> = {
  number: t`This is no number. Write it as 1234.5`,
  integer: t`This is no whole number.`,
  json: t`This is no JSON. Put texts in quotation marks.`,
}

function choose(row: InputRow, context: FormContext, json: string): void {
  if (json === '') context.edit(removeAt(context.text, row.pointer))
  else set(context, row.pointer, json)
}

/** What a field's text means as JSON; empty if the field is left out, undefined if it means nothing. */
function jsonOf({ kind, isRequired, mayRemove }: InputRow, text: string): string | undefined {
  if (kind === 'text' || kind === 'long' || kind === 'date') {
    // A required text may be empty; whether that is enough, its contract says.
    return text === '' && (kind === 'date' || !isRequired) && mayRemove !== isRequired ? '' : JSON.stringify(text)
  }
  const trimmed = text.trim()
  if (trimmed === '') return isRequired && mayRemove ? undefined : ''
  if (kind === 'json') return readJson(trimmed).ok ? trimmed : undefined
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return undefined
  return kind === 'integer' && !Number.isInteger(Number(trimmed)) ? undefined : trimmed
}
