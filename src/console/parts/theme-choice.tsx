import { t } from '../language.ts'
import { setTheme, type Theme, theme } from '../theme.ts'

const choices: readonly (readonly [Theme, string])[] = [
  ['system', t`System`],
  ['light', t`Light`],
  ['dark', t`Dark`],
]

export function ThemeChoice() {
  return (
    <fieldset class="segments">
      <legend class="offscreen">{t`Theme`}</legend>
      {choices.map(([choice, label]) => (
        <label key={choice}>
          <input type="radio" name="theme" checked={theme.value === choice} onChange={() => setTheme(choice)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
