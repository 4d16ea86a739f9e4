import { type WordParts, wordDocument } from '../word.ts'

/**
 * What the exhibits are made of: a page or two for every construct that the PDF engine draws, each as a reader would meet
 * it. `golden.test.ts` keeps how they are laid out and how they look.
 */
export interface Exhibit {
  name: string
  docx: Uint8Array
}

export const words =
  'The survey covered twelve sites over nine months. Each was visited twice by engineers who wrote down what they found before they compared notes. '
export const page = (more = '', type = '') =>
  `${type === '' ? '' : `<w:type w:val="${type}"/>`}<w:pgSz w:w="7200" w:h="6000"/><w:pgMar w:top="720" w:right="720" w:bottom="720" w:left="720" w:header="300" w:footer="300" w:gutter="0"/>${more}`
export function exhibit(name: string, body: string, parts: WordParts = {}): Exhibit {
  return { name, docx: wordDocument(body, { section: page(), ...parts }) }
}
export const r = (text: string, look = '') => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
export const para = (properties: string, ...runs: string[]) => `<w:p><w:pPr>${properties}</w:pPr>${runs.join('')}</w:p>`
export const field = (code: string, shown: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
export const edges = (names: readonly string[], attributes: string) =>
  names.map((name) => `<w:${name} ${attributes}/>`).join('')
export const four = ['top', 'left', 'bottom', 'right']
