import { type Static, Type } from '@sinclair/typebox'
import { familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import {
  configurationIssue,
  correlationId,
  hash,
  object,
  oneOf,
  positiveInteger,
  slug,
  text,
  timestamp,
} from '../../http/wire.ts'

/** Wire shapes of projects: configuration as files, compared with what is in force and put in force as a whole. */

export const projectArchiveType = 'application/zip'

export const planFields = object({
  effective_from: Type.Optional(timestamp),
})

export const applyFields = object({
  plan_hash: hash,
  effective_from: Type.Optional(timestamp),
})

export const projectActions = ['create', 'new_version', 'activate', 'publish'] as const

/** What applying tells of a change. */
const appliedMembers = {
  path: text({ description: "The family's file in the project." }),
  kind: oneOf(familyKinds),
  slug,
  action: oneOf(projectActions, {
    description:
      'create: the family is new. new_version: its content is. activate: a version that is there takes the place of the one in force. publish: a version of a contract that is there may be used.',
  }),
  from_version: Type.Optional(positiveInteger),
  to_version: positiveInteger,
  content_hash: hash,
  replaces_draft: Type.Boolean({ description: 'True where the draft holds changes that are in no version.' }),
}

export const appliedChange = object(appliedMembers, { $id: 'AppliedChange' })

export const projectChange = object(
  {
    ...appliedMembers,
    difference: text({
      description: 'Of sources, and of the text of templates: the changed lines as in a unified diff, cut at a bound.',
    }),
  },
  { $id: 'ProjectChange' },
)

export type ProjectChange = Static<typeof projectChange>

export const projectPlan = object(
  {
    plan_hash: hash,
    effective_from: Type.Optional(timestamp),
    changes: Type.Array(projectChange),
    unchanged: Type.Integer({ minimum: 0 }),
    absent: Type.Array(text(), {
      description:
        'Files that an export would have and the project has not. Applying leaves their families as they are.',
    }),
    valid: Type.Boolean(),
    issues: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    correlation_id: correlationId,
  },
  { $id: 'ProjectPlan' },
)

export type ProjectPlan = Static<typeof projectPlan>

export const projectApplied = object(
  {
    plan_hash: hash,
    effective_from: timestamp,
    changes: Type.Array(appliedChange),
    unchanged: Type.Integer({ minimum: 0 }),
    correlation_id: correlationId,
  },
  { $id: 'ProjectApplied' },
)

export type ProjectApplied = Static<typeof projectApplied>
