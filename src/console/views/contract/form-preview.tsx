/** A schema as the form that it describes: names, what may be filled in, and the rules beside it. */

import type { CheckedSchema } from '../../engines/answers.ts'
import type { FormRow } from '../../engines/form-rows.ts'
import { rich, t } from '../../language.ts'
import { Blocks } from '../../parts/blocks.tsx'

const rowPx = 76

export function FormPreview({ form: { rows, wholeType } }: { form: NonNullable<CheckedSchema['form']> }) {
  if (rows.length === 0) return <p class="muted">{rich`Any value: ${wholeType}`}</p>
  return (
    <Blocks rows={rows} class="form-fields" rowPx={rowPx} draw={(row) => <FormField key={row.pointer} row={row} />} />
  )
}

function FormField({ row }: { row: FormRow }) {
  const { title, pointer, isRequired, type, description, choices, rules, pattern, depth } = row
  return (
    <li class="form-field" style={{ '--depth': depth }}>
      <p class="form-name">
        <span title={pointer}>{title}</span>
        {isRequired ? (
          <span class="form-required">{t`required`}</span>
        ) : (
          <span class="form-optional">{t`optional`}</span>
        )}
        <span class="form-type">{type}</span>
      </p>
      {description !== undefined && <p class="form-description">{description}</p>}
      {choices !== undefined && (
        <p class="chips">
          {choices.map((choice) => (
            <code class="chip" key={choice}>
              {choice}
            </code>
          ))}
        </p>
      )}
      {(rules.length > 0 || pattern !== undefined) && (
        <p class="form-rules">
          {rules.join(' · ')}
          {pattern !== undefined && <code>{pattern}</code>}
        </p>
      )}
    </li>
  )
}
