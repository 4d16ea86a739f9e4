/** A field for each value that a transformer must be given, by its declared type. */

import type { ParamType } from '../../engines/declarative/declarative.ts'
import { t } from '../language.ts'
import { type Declared, type ParamTexts, paramValue } from '../params.ts'

interface ParamFieldsProps {
  declared: Declared
  texts: ParamTexts
  onChange(name: string, text: string): void
}

const typeTexts: Record<ParamType, string> = {
  string: 'text',
  boolean: t`yes or no`,
  decimal: 'number',
  date: 'date',
  datetime: t`local time`,
}

export function ParamFields({ declared, texts, onChange }: ParamFieldsProps) {
  return (
    <>
      {Object.entries(declared).map(([name, type]) => {
        const text = Object.hasOwn(texts, name) ? texts[name] : undefined
        const common = {
          value: text ?? '',
          'aria-invalid': text !== undefined && text !== '' && paramValue(type, text) === undefined,
          autocomplete: 'off',
          onInput: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
        } as const
        return (
          // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of those below.
          <label class="filter" key={name}>
            <span>
              ${name}, {typeTexts[type]}
            </span>
            {type === 'boolean' && (
              <select {...common}>
                <option value="">{t`Choose`}</option>
                <option value="true">{t`Yes`}</option>
                <option value="false">{t`No`}</option>
              </select>
            )}
            {type === 'date' && <input type="date" {...common} />}
            {type === 'datetime' && <input type="datetime-local" step={1} {...common} />}
            {(type === 'string' || type === 'decimal') && (
              <input type="text" inputMode={type === 'decimal' ? 'decimal' : 'text'} spellcheck={false} {...common} />
            )}
          </label>
        )
      })}
    </>
  )
}
