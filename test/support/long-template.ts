/** A template of five hundred pages, as terms of insurance have them: text, and a few values on each page. */
import { p, wordPackage } from '../engines/docx/word-package.ts'

export const longTemplatePages = 500

const sentence =
  'The insurer pays for the loss of or the damage to the insured objects as far as nothing else has been agreed in writing. '
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const pageSize = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'

/** @param words what page 2 says, so that two of these differ in one place */
export function longTemplate(words = 'Annex'): Uint8Array {
  const pages = Array.from({ length: longTemplatePages }, (_, index) => {
    const clauses = Array.from({ length: 12 }, (_, clause) => p(`${index + 1}.${clause + 1} ${sentence.repeat(2)}`))
    const title = p(`${index === 1 ? words : 'Annex'} ${index + 1} of {{/reference}}, ${'{{/date}}'}`)
    return title + clauses.join('')
  })
  return wordPackage(pages.join(pageBreak) + pageSize)
}
