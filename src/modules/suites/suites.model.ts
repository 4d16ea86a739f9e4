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
  uuid,
} from '../../http/wire.ts'

/** Wire shapes of suites: the cases of ingestion models, with what is expected of them. */

const count = Type.Integer({ minimum: 0 })

export const suiteRequirements = ['nothing', 'in_force', 'freeze'] as const

const requires = oneOf(suiteRequirements, {
  description:
    'When the suite has to be green. nothing: never. in_force: before anything of the model is put in force. freeze: before a draft of it is frozen, too.',
})

export const suiteId = object({ ingestionModelId: uuid })
/** Any name that a project's file may have; new cases are more restricted. */
const caseName = text({ minLength: 1, maxLength: limits.projectPathChars, pattern: '^[^./\\\\][^/\\\\]*$' })
export const suiteCaseId = object({ ingestionModelId: uuid, caseName })

export const suiteQuery = object({
  family_id: Type.Optional(
    text({
      format: 'uuid',
      description: 'Only the suites of models that use this family: by their draft, or as they are in force.',
    }),
  ),
})
export type SuiteQuery = Static<typeof suiteQuery>

const suiteHead = {
  ingestion_model_id: uuid,
  slug,
  name: text({ minLength: 1 }),
  requires,
  lifted_until: Type.Optional(timestamp),
  lift_reason: Type.Optional(text()),
}

export const suiteItem = object(
  {
    ...suiteHead,
    cases: Type.Integer({
      minimum: 0,
      description: 'Cases that are kept as files; those of its contract are not counted.',
    }),
  },
  { $id: 'SuiteItem' },
)
export type SuiteItem = Static<typeof suiteItem>
export const suiteList = object({ suites: Type.Array(suiteItem) })

const caseHead = {
  name: caseName,
  origin: oneOf(['suite', 'contract'], {
    description: 'contract: an input that was generated or imported for the contract; nothing is written down of it.',
  }),
  format: oneOf(['json', 'csv', 'xml']),
  /** The hash of all files of the case. */
  case_hash: hash,
  has_params: Type.Boolean(),
  expects: Type.Array(oneOf(['output', 'text', 'pages', 'refusal'])),
  written_by: Type.Optional(uuid),
  written_at: Type.Optional(timestamp),
}

const suiteCaseItem = object(caseHead, { $id: 'SuiteCaseItem' })

export const suite = object({ ...suiteHead, cases: Type.Array(suiteCaseItem) }, { $id: 'Suite' })
export type Suite = Static<typeof suite>

export const suiteCase = object(
  {
    ...caseHead,
    input: text(),
    params: Type.Optional(text()),
    expected: Type.Array(object({ file: text(), content_hash: hash }), {
      description: "Files below the case's folder, as an export has them.",
    }),
  },
  { $id: 'SuiteCase' },
)
export type SuiteCaseRead = Static<typeof suiteCase>

const caseHash = Type.Optional(
  text({
    pattern: '^[0-9a-f]{64}$',
    description: 'The case_hash that was read. Left out, there must be no case of the name.',
  }),
)

export const newCase = object(
  {
    input: text({ minLength: 1, maxBytes: limits.payloadBytes }),
    format: Type.Optional(oneOf(['json', 'csv', 'xml'])),
    params: Type.Optional(text({ minLength: 2, maxBytes: limits.payloadBytes })),
    case_hash: caseHash,
  },
  { $id: 'NewSuiteCase' },
)
export type NewCase = Static<typeof newCase>

export const caseToRemove = object({ case_hash: hash })

const runOf = {
  state: Type.Optional(
    oneOf(['drafts', 'in_force'], {
      description: 'drafts, unless given: the draft of each family. in_force: what is in force now.',
    }),
  ),
  versions: Type.Optional(
    Type.Array(object({ family_id: uuid, version: positiveInteger }), {
      maxItems: limits.activationSetMembers,
      description: 'In place of those of the state.',
    }),
  ),
  contract: Type.Optional(
    oneOf(['draft'], { description: "The contract's draft, whichever version of it the model names." }),
  ),
  pages: Type.Optional(
    oneOf(['kept', 'all'], { description: 'kept, unless given: pages of documents that some are expected of.' }),
  ),
}

export const suiteRunRequest = object(
  {
    ...runOf,
    cases: Type.Optional(
      Type.Array(caseName, {
        maxItems: limits.suiteRunCases,
        description: 'The first ones of the suite, unless given.',
      }),
    ),
    pictures: Type.Optional(Type.Boolean({ description: 'Whether pages that differ are sent as pictures.' })),
  },
  { $id: 'SuiteRunRequest' },
)
export type SuiteRunRequest = Static<typeof suiteRunRequest>

const region = object({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() })
const page = object({
  number: positiveInteger,
  width: Type.Number(),
  height: Type.Number(),
  svg: text(),
  regions: Type.Array(region),
})

const caseFailure = object(
  {
    kind: oneOf(['text', 'page', 'other']),
    file: text({ description: 'The file that says otherwise, or the node.' }),
    message: Type.Optional(text()),
    changes: Type.Optional(
      Type.Array(object({ line: count, lines: Type.Array(text()) }), {
        description:
          'Of a text: stretches of lines as in a unified diff, with - for what is expected and + for what is made.',
      }),
    ),
    page: Type.Optional(positiveInteger),
    before: Type.Optional(page),
    after: Type.Optional(page),
  },
  { $id: 'SuiteFailure' },
)
export type SuiteFailure = Static<typeof caseFailure>

const caseResult = object(
  {
    name: caseName,
    case_hash: hash,
    made_hash: hash,
    verdict: oneOf(['green', 'red', 'unwritten'], {
      description: 'unwritten: nothing refuses it, and nothing is written down that it could be compared with.',
    }),
    failures: Type.Array(caseFailure),
    broke_off: Type.Optional(
      Type.Boolean({ description: 'The run came to no end, so what it made is not known and can’t be accepted.' }),
    ),
  },
  { $id: 'SuiteCaseResult' },
)

const suitePart = object({
  kind: oneOf(familyKinds),
  family_id: uuid,
  slug,
  version: Type.Optional(positiveInteger),
  draft_revision: Type.Optional(positiveInteger),
  content_hash: hash,
})

export const suiteRun = object(
  {
    parts: Type.Array(suitePart),
    cases: Type.Array(caseResult),
    issues: Type.Array(configurationIssue, {
      description: 'Why no case could be run: what is missing, or has errors.',
    }),
    correlation_id: correlationId,
  },
  { $id: 'SuiteRun' },
)
export type SuiteRun = Static<typeof suiteRun>

export const acceptance = object(
  {
    ...runOf,
    cases: Type.Array(object({ name: caseName, case_hash: hash, made_hash: hash }), {
      minItems: 1,
      maxItems: limits.suiteRunCases,
      description: 'What was looked at: both hashes are those of a run with the same members.',
    }),
  },
  { $id: 'SuiteAcceptance' },
)
export type Acceptance = Static<typeof acceptance>

export const accepted = object(
  { cases: Type.Array(object({ name: caseName, case_hash: hash, files: count })), correlation_id: correlationId },
  { $id: 'AcceptedCases' },
)
export type Accepted = Static<typeof accepted>

export const newSuitePolicy = object(
  {
    requires,
    lift: Type.Optional(
      object(
        {
          hours: Type.Integer({ minimum: 1, maximum: limits.suiteLiftHours }),
          reason: text({ minLength: 1, maxLength: limits.auditReasonChars }),
        },
        { description: 'Lets everybody pass for so long although cases are red; each use is in the audit trail.' },
      ),
    ),
  },
  { $id: 'NewSuitePolicy' },
)
export type NewSuitePolicy = Static<typeof newSuitePolicy>

export const suitePolicy = object(suiteHead, { $id: 'SuitePolicy' })
export type SuitePolicy = Static<typeof suitePolicy>
