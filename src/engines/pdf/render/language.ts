import { ARTIFACT, type Frame, type Layout } from '../frame/frame.ts'

/** A language with script, region and variants (BCP 47), which is what documents can name. */
const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/i

/** The language tag for a document's value; empty if that names no language, such as `x-none`. */
export function languageTag(stated: string): string {
  // Word appends the sort order of Spanish after an underscore, which BCP 47 doesn't allow.
  const name = stated.replace(/_.*/s, '').trim()
  return tag.test(name) ? name : ''
}

/**
 * The language that the runs state for most of the content, which Word writes as the author types; else the document's
 * default. Empty when the document names none.
 */
export function mainLanguage(layout: Layout, stated: string): string {
  const lengths = new Map<string, number>()
  // Neighbours nearly always have the same one: their lengths are added up before they are kept.
  let last = ''
  let length = 0
  const keep = () => lengths.set(last, (lengths.get(last) ?? 0) + length)
  const count = (frames: readonly Frame[]) => {
    for (const frame of frames) {
      if (frame.kind === 'clip' || frame.kind === 'group') count(frame.frames)
      else if (frame.kind === 'text' && frame.node !== ARTIFACT) {
        const { language } = frame.look
        if (language !== last) {
          keep()
          last = language
          length = 0
        }
        length += frame.text.length
      }
    }
  }
  for (const page of layout.pages) count(page.frames)
  keep()
  let main = ''
  let most = 0
  for (const [language, length] of lengths) {
    const name = languageTag(language)
    if (name !== '' && length > most) {
      main = name
      most = length
    }
  }
  return main || languageTag(stated)
}
