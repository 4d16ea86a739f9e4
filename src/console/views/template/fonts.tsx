/** What draws a template's texts here: said before any document is made of it. */

import type * as wire from '../../../client/quire.ts'
import { useResource } from '../../api/resource.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'

type Font = wire.TemplateFonts['fonts'][number]

/** @param path of the fonts: of the draft, or of a version */
export function TemplateFonts({ path, guessedOnly = false }: { path: string; guessedOnly?: boolean }) {
  const { value, problem } = useResource<wire.TemplateFonts>(path)
  const fonts = value.value?.fonts ?? []
  const guessed = fonts.filter(({ match }) => match === 'guessed')
  // A file that can't be rendered has findings of its own, beside this.
  if (problem.value !== undefined || value.value === undefined) return null
  return (
    <>
      {!guessedOnly && fonts.length > 0 && (
        <dl class="facts">
          <div>
            <dt>{t`Fonts`}</dt>
            <dd>
              {fonts.map((font) => (
                <span class="font-use" key={`${font.family} ${font.drawn_with}`}>
                  {font.family} <span class="muted">{wordsOf(font)}</span>
                </span>
              ))}
            </dd>
          </div>
        </dl>
      )}
      {guessed.length > 0 && (
        <p class="note note-warning" role="status">
          <Icon name="alert" />
          <span>{guessedWords(guessed)}</span>
        </p>
      )}
    </>
  )
}

/** How the PDF shows a family, in words. */
export function wordsOf({ drawn_with: name, match }: Font): string {
  switch (match) {
    case 'itself':
      return t`is here`
    case 'twin':
      return t`as ${name}, which has the same widths`
    case 'measured':
      return t`as ${name}, at its own widths`
    case 'guessed':
      return t`as ${name}, by guess`
    case 'borrowed':
      return t`lends characters that others lack`
  }
}

export function guessedWords(guessed: readonly Font[]): string {
  const names = guessed.map(({ family }) => family)
  const all = names.length === 1 ? names[0] : t`${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  const verb = names.length === 1 ? 'is' : 'are'
  return t`${all} ${verb} not here: another font takes the place, and lines may break elsewhere than in Word. Embed the font in the file, or add it to this server’s fonts.`
}
