/** Chooses the two sides of a comparison: a version, the draft as it is saved, or what is typed; the address keeps the choice. */

import type { ComponentChildren } from 'preact'
import { rich, t } from '../../language.ts'
import { changeQuery } from '../../router.ts'

interface SidesProps {
  from: string
  to: string
  numbers: readonly number[]
  revision: number | undefined
  hasTyped: boolean
  /** What differs, once there is something to compare. */
  children: ComponentChildren
}

export function ComparedSides({ from, to, children, ...choices }: SidesProps) {
  if (choices.numbers.length === 0) {
    return (
      <div class="panel empty-panel">
        <p>{t`There is nothing to compare yet: freeze a version first.`}</p>
      </div>
    )
  }
  return (
    <>
      <div class="filters">
        <Side name="from" label={t`From`} value={from} {...choices} />
        <Side name="to" label={t`To`} value={to} {...choices} />
      </div>
      {children}
    </>
  )
}

interface SideProps extends Pick<SidesProps, 'numbers' | 'revision' | 'hasTyped'> {
  name: string
  label: string
  value: string
}

function Side({ name, label, value, numbers, revision, hasTyped }: SideProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
        {hasTyped && <option value="typed">{t`Unsaved changes`}</option>}
        <option value="draft">{rich`Draft${revision !== undefined && t`, revision ${revision}`}`}</option>
        {numbers.map((number) => (
          <option value={String(number)} key={number}>
            v{number}
          </option>
        ))}
      </select>
    </label>
  )
}
