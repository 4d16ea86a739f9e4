import { chooseLanguage, type Language, language, languages, t } from '../language.ts'

/** Each language in its own name, so that whoever needs it can read it. Choosing one loads the page again. */
export function LanguageChoice() {
  return (
    <fieldset class="segments">
      <legend class="offscreen">{t`Language`}</legend>
      {(Object.keys(languages) as Language[]).map((choice) => (
        <label key={choice} lang={choice}>
          <input type="radio" name="language" checked={language === choice} onChange={() => chooseLanguage(choice)} />
          <span>{languages[choice].name}</span>
        </label>
      ))}
    </fieldset>
  )
}
