import { type Static, Type } from '@sinclair/typebox'
import { familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { object, oneOf, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of the search; docs/api.md describes it. */
export const foundKinds = [...familyKinds, 'submission', 'execution'] as const
export type FoundKind = (typeof foundKinds)[number]

/** Where the text was found, best first. */
export const foundPlaces = ['title', 'words', 'id', 'content'] as const

export const searchQuery = object({
  text: text({
    minLength: limits.searchCharsMin,
    maxLength: limits.searchCharsMax,
    description: 'Any part of a name, slug, description, object reference, id or source, in either case.',
  }),
})

export const foundThing = object(
  {
    kind: oneOf(foundKinds),
    id: uuid,
    title: text({ description: "A family's name, a submission's object reference, an execution's node." }),
    words: text({ description: "A family's slug, a submission's model, an execution's status." }),
    found_in: oneOf(foundPlaces, {
      description:
        "`words` includes a family's description. `content` is its draft or its newest version: the source, or the paths that a template names.",
    }),
  },
  { $id: 'FoundThing' },
)
export type FoundThing = Static<typeof foundThing>

export const searchAnswer = object({
  found: Type.Array(foundThing, { maxItems: limits.searchResults, description: 'The best matches first.' }),
  looked_back_to: Type.Union([timestamp, Type.Null()], {
    description: `Older submissions and executions than this were compared by the beginning of their reference and id only: of each, the newest ${limits.searchedRows} are looked through. Null if there are no older ones.`,
  }),
})
export type SearchAnswer = Static<typeof searchAnswer>
