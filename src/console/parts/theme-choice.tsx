import { setTheme, type Theme, theme } from '../theme.ts'

const choices: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

export function ThemeChoice() {
  return (
    <fieldset class="segments">
      <legend class="offscreen">Theme</legend>
      {choices.map(([choice, label]) => (
        <label key={choice}>
          <input type="radio" name="theme" checked={theme.value === choice} onChange={() => setTheme(choice)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
