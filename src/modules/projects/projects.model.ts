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
import { contractMeaning, earlierReading } from '../comparisons/comparisons.model.ts'

/** Wire shapes of projects: configuration as files, compared with what is in force and applied as a whole. */

export const projectArchiveType = 'application/zip'

export const exportQuery = object({
  at: Type.Optional(timestamp),
})

const freezeOnly = Type.Optional(
  oneOf(['true', 'false'], {
    description:
      'true: new content becomes versions, and nothing is published, activated or renamed. It goes without effective_from.',
  }),
)

export const planFields = object({
  effective_from: Type.Optional(timestamp),
  freeze_only: freezeOnly,
})

export const applyFields = object({
  plan_hash: hash,
  effective_from: Type.Optional(timestamp),
  freeze_only: freezeOnly,
})

/** The fields beside the archive, for planning and applying. */
export type PlanFields = Static<typeof planFields>
export type ApplyFields = Static<typeof applyFields>

export const projectActions = ['create', 'new_version', 'activate', 'publish', 'describe'] as const

/** What applying reports of a change. */
const appliedMembers = {
  path: text({ description: "The family's file in the project." }),
  kind: oneOf(familyKinds),
  slug,
  action: oneOf(projectActions, {
    description:
      'create: the family is new. new_version: its content is. activate: a version that is there takes the place of the one in force. publish: a version of a contract that is there may be used. describe: only its name or description changes.',
  }),
  from_version: Type.Optional(positiveInteger),
  to_version: positiveInteger,
  content_hash: hash,
  effective_from: Type.Optional(timestamp),
  replaces_draft: Type.Boolean({ description: 'True where the draft holds changes that are in no version.' }),
  renames: Type.Boolean({ description: "True where the family's name becomes another one." }),
}

export const appliedChange = object(appliedMembers, { $id: 'AppliedChange' })

export type AppliedChange = Static<typeof appliedChange>

const changedPages = object({
  before: Type.Integer({ minimum: 0 }),
  after: Type.Integer({ minimum: 0 }),
  changed: Type.Array(positiveInteger, {
    description: 'Pages that look like none of the version in force, drawn with their tags unfilled.',
  }),
})

export const projectChange = object(
  {
    ...appliedMembers,
    difference: text({
      description: 'Of sources, and of the text of templates: the changed lines as in a unified diff, cut at a bound.',
    }),
    ...contractMeaning,
    ...earlierReading,
    pages: Type.Optional(changedPages),
  },
  { $id: 'ProjectChange' },
)

export type ProjectChange = Static<typeof projectChange>

/** How many of the store's case files are added, changed and removed. */
const caseFileCounts = object({
  added: Type.Integer({ minimum: 0 }),
  changed: Type.Integer({ minimum: 0 }),
  removed: Type.Integer({ minimum: 0 }),
})

const brokenCase = object({
  path: text({ description: "The case's input in the project." }),
  effective_from: Type.Optional({
    ...timestamp,
    description: 'Where it passes at first, and not with what is in force from this instant on.',
  }),
  node: text({ description: "The keys down to the model's node, with slashes between them." }),
  step: text(),
  message: text({ minLength: 1 }),
})

const drifted = object({
  path: text(),
  version: positiveInteger,
  changed_at: timestamp,
  changed_by: text({ description: 'The username of whoever put it in force.' }),
})

const laterActivation = object({ path: text(), version: positiveInteger, effective_from: timestamp })

const more = Type.Optional(Type.Integer({ minimum: 1 }))

const rows = { maxItems: limits.projectPlanRows }

export const projectPlan = object(
  {
    plan_hash: hash,
    effective_from: Type.Optional(timestamp),
    freeze_only: Type.Optional(Type.Literal(true, { description: 'Where nothing is to be put in force.' })),
    changes: Type.Array(projectChange),
    unchanged: Type.Integer({ minimum: 0 }),
    case_files: caseFileCounts,
    cases_run: Type.Integer({
      minimum: 0,
      description:
        'Cases of the project that the changes reach, which were run as far as the document with all of it in force.',
    }),
    cases_run_later: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'How often cases were run again, for each later instant at which something begins that they reach, with what is in force then.',
      }),
    ),
    broken_cases: Type.Array(brokenCase, {
      ...rows,
      description: 'Cases that a node refuses and that do not expect it. They make nothing invalid.',
    }),
    drift: Type.Array(drifted, {
      ...rows,
      description:
        'What the project changes although somebody else put it in force since a project was applied to its family last.',
    }),
    later: Type.Array(laterActivation, {
      ...rows,
      description: 'Activations that are scheduled for later, and then take the place of what the project has.',
    }),
    warnings: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    absent: Type.Array(text(), {
      description:
        'Files that an export would have and the project has not. Applying leaves their families as they are.',
    }),
    valid: Type.Boolean(),
    issues: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    left_out: Type.Optional(
      object(
        { broken_cases: more, drift: more, later: more, warnings: more, issues: more },
        {
          description: 'How many more there are where a list ends at its bound. Lists that it does not name are whole.',
        },
      ),
    ),
    correlation_id: correlationId,
  },
  { $id: 'ProjectPlan' },
)

export type CaseFileCounts = Static<typeof caseFileCounts>
export type BrokenCase = Static<typeof brokenCase>
export type Drifted = Static<typeof drifted>
export type LaterActivation = Static<typeof laterActivation>
export type ProjectPlan = Static<typeof projectPlan>

export const projectApplied = object(
  {
    plan_hash: hash,
    effective_from: Type.Optional({ ...timestamp, description: 'Absent where the versions were only frozen.' }),
    changes: Type.Array(appliedChange),
    unchanged: Type.Integer({ minimum: 0 }),
    case_files: caseFileCounts,
    correlation_id: correlationId,
  },
  { $id: 'ProjectApplied' },
)

export type ProjectApplied = Static<typeof projectApplied>
