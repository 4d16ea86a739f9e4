/** Chooses one side of a comparison: a version, the draft as it is saved, or what is typed; the address keeps the choice. */
import { changeQuery } from '../../router.ts'

interface SideProps {
  name: string
  label: string
  value: string
  numbers: readonly number[]
  revision: number | undefined
  hasTyped: boolean
}

export function Side({ name, label, value, numbers, revision, hasTyped }: SideProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
        {hasTyped && <option value="typed">Unsaved changes</option>}
        <option value="draft">Draft{revision !== undefined && `, revision ${revision}`}</option>
        {numbers.map((number) => (
          <option value={String(number)} key={number}>
            v{number}
          </option>
        ))}
      </select>
    </label>
  )
}
