import { type Static, Type } from '@sinclair/typebox'
import { familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { configurationIssue, correlationId, hash, object, oneOf, positiveInteger, text, uuid } from '../../http/wire.ts'
import { schemaChange } from '../versions/versions.model.ts'

/** Wire shapes of comparisons: two states of a family, and what differs between them. */

const state = text({
  pattern: '^(draft|in_force|[1-9][0-9]{0,8})$',
  description:
    'A version by its number; draft; or in_force, which is what is in force now, or the newest published version of a contract.',
})

export const comparisonQuery = object({
  ...{ kind: oneOf(familyKinds), family_id: uuid, from: state, to: state },
  pages: Type.Optional(
    oneOf(['drawn', 'none'], { description: 'drawn, unless given: of templates, which takes a while.' }),
  ),
})
export type ComparisonQuery = Static<typeof comparisonQuery>

export const earlierReading = {
  earlier_reading: Type.Optional(
    Type.Array(configurationIssue, {
      maxItems: limits.configurationIssues,
      description:
        "What today's rules refuse, or write otherwise, in a version that was frozen under earlier ones: documents differ there though no line does.",
    }),
  ),
}

const comparedState = object(
  {
    version: Type.Optional(positiveInteger),
    draft_revision: Type.Optional(positiveInteger),
    content_hash: hash,
    ...earlierReading,
  },
  { $id: 'ComparedState' },
)
export type ComparedState = Static<typeof comparedState>

const points = Type.Number()
const comparedPage = object(
  {
    number: positiveInteger,
    width: points,
    height: points,
    svg: text(),
    regions: Type.Array(object({ x: points, y: points, width: points, height: points }), {
      description: 'Where it differs from the page beside it, in points from the top left. Empty beside no page.',
    }),
  },
  { $id: 'ComparedPage' },
)

const comparedPages = object(
  {
    before: Type.Integer({ minimum: 0 }),
    after: Type.Integer({ minimum: 0 }),
    pairs: Type.Array(object({ before: Type.Optional(comparedPage), after: Type.Optional(comparedPage) }), {
      maxItems: limits.comparedPages,
      description: 'Pages that differ, beside each other, with their tags unfilled.',
    }),
    left_out: Type.Optional(positiveInteger),
  },
  { $id: 'ComparedPages' },
)

/** What a new contract means for those who send input. */
export const contractMeaning = {
  contract_changes: Type.Optional(
    Type.Array(schemaChange, {
      maxItems: limits.projectPlanRows,
      description: 'What a new version of a contract means for those who send input.',
    }),
  ),
  contract_changes_left_out: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How many more there are where the list ends at its bound.' }),
  ),
}

export const comparison = object(
  {
    kind: oneOf(familyKinds),
    family_id: uuid,
    from: comparedState,
    to: comparedState,
    difference: text({
      description: 'Of sources, and of the text of templates: the changed lines as in a unified diff, cut at a bound.',
    }),
    ...contractMeaning,
    pages: Type.Optional(comparedPages),
    correlation_id: correlationId,
  },
  { $id: 'Comparison' },
)
export type Comparison = Static<typeof comparison>
