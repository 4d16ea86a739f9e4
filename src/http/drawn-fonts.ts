import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../core/limits.ts'
import { object, oneOf, text } from './wire.ts'

/** Wire shape of the fonts that draw a document's text; docs/rendering.md says how one is found for a family. */
export const fontMatches = ['itself', 'twin', 'measured', 'guessed', 'borrowed'] as const

export const drawnFonts = Type.Array(
  object({
    family: text({ description: 'As the document names it.' }),
    drawn_with: text({ description: 'The family of the face that draws it.' }),
    match: oneOf(fontMatches, {
      description:
        '`twin`: the same widths; `measured`: at the widths that Office gives the family; `guessed`: only similar, so that lines may break elsewhere; `borrowed`: it lends characters that other fonts lack.',
    }),
  }),
  { maxItems: limits.renderRemarks },
)
export type DrawnFonts = Static<typeof drawnFonts>
