import { type Static, Type } from '@sinclair/typebox'
import { fileFormatNames, fileFormats, isFileFormat, sourceFormats } from '../core/formats.ts'
import { familyKinds } from '../core/kinds.ts'
import { limits } from '../core/limits.ts'
import { slugRule } from '../core/list-filters.ts'
import { retainedParts } from '../core/retained-parts.ts'
import { stepNames, stepStatuses } from '../core/steps.ts'

/**
 * The format of proofs: a zip with the files, and `proof.json`, which links each of them to a signed head of the audit
 * trail. docs/proofs.md describes it for authors of other checkers.
 */
export const proofFormat = 'quire-proof-1'
/** For an execution from which policies have removed parts: a checker that doesn't know of removals must refuse it. */
export const partlyFormat = 'quire-proof-2'
export const proofEntry = 'proof.json'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const position = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const optional = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

/** A record's say, as the content hash takes it. */
const record = Type.Object(
  {
    id: Type.String(),
    actor_id: Type.String(),
    action: Type.String(),
    resource_kind: Type.String(),
    resource_id: uuid,
    correlation_id: Type.String(),
    at: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
)

const covered = { record, position, path: Type.Integer({ minimum: 0 }) }

const submissionState = Type.Object({
  submission: Type.Object({
    id: uuid,
    model_version_id: optional(uuid),
    object_reference: Type.String(),
    raw_input_hash: hash,
    params_hash: optional(hash),
    created_at: Type.String(),
  }),
  executions: Type.Array(
    Type.Object({ id: uuid, parent_execution_id: optional(uuid), release_hash: hash, raw_input_hash: hash }),
  ),
})

const executionState = Type.Object({
  execution: Type.Object({
    id: uuid,
    status: Type.Union([Type.Literal('completed'), Type.Literal('failed')]),
    input_hash: hash,
    output_hash: optional(hash),
  }),
  steps: Type.Array(
    Type.Object({
      position,
      name: Type.Union(stepNames.map((name) => Type.Literal(name))),
      status: Type.Union(stepStatuses.map((status) => Type.Literal(status))),
      summary: optional(Type.String()),
      failure: optional(Type.String()),
    }),
  ),
  artifacts: Type.Array(Type.Object({ kind: Type.String(), content_hash: hash, byte_size: Type.Integer() })),
})

/** The text of a removal's rule. */
export const retentionRule = Type.Object({
  retention: Type.Integer({ minimum: 1 }),
  ingestion_model: Type.Optional(Type.String()),
  keep_days: Type.Integer({ minimum: 1 }),
  part: Type.Union(retainedParts.map((part) => Type.Literal(part))),
})

/** A removal by a policy, with its tombstones. Those of parts have the submission's id; those of changed states, the execution's. */
const removalState = Type.Object({
  erasure: Type.Object({ id: uuid, erased_at: Type.String(), rule: Type.String() }),
  items: Type.Array(Type.Object({ kind: Type.String(), item_id: Type.String(), content_hash: optional(hash) })),
})

const familyState = Type.Object({ versions: Type.Array(Type.Object({ id: uuid, content_hash: hash })) })

const fileRoles = [
  'raw_input',
  'params',
  'model',
  'contract',
  'transformer',
  'template',
  'fragment',
  'output',
  ...fileFormatNames,
]

const file = Type.Object(
  {
    name: Type.String({ maxLength: 256 }),
    role: Type.Union(fileRoles.map((role) => Type.Literal(role))),
    sha256: hash,
    /** For files that belong to one execution. */
    execution: Type.Optional(uuid),
    /** For configuration: how its content is written, and the rules that it was frozen under. */
    format: Type.Optional(Type.Union(sourceFormats.map((format) => Type.Literal(format)))),
    reading: Type.Optional(Type.Integer({ minimum: 1 })),
    /** For a template that another includes: the slug by which its tag names it. */
    slug: Type.Optional(Type.String({ pattern: slugRule.pattern, maxLength: slugRule.maxLength })),
  },
  { additionalProperties: false },
)
export type ProofFile = Static<typeof file>

const inputEntries: Readonly<Record<string, string>> = { raw_input: 'raw-input.json', params: 'params.json' }
const sourceRoles = ['contract', 'transformer', 'template']

/**
 * The only name that a file may have. Whoever unpacks a proof trusts the names of files, so names must be fixed too.
 *
 * @param executions ids, from the top
 * @returns undefined for a file that has no place in a proof of these executions
 */
export function entryNameOf(
  { role, execution, format, slug }: Pick<ProofFile, 'role' | 'execution' | 'format' | 'slug'>,
  executions: readonly string[],
): string | undefined {
  if ((slug === undefined) === (role === 'fragment')) return undefined
  if (execution === undefined) {
    return role === 'model' && format !== undefined ? `model.${format}` : inputEntries[role]
  }
  const index = executions.indexOf(execution)
  if (index === -1) return undefined
  const folder = `executions/${index + 1}`
  if (sourceRoles.includes(role)) return format && `${folder}/${role}.${format}`
  if (role === 'fragment') return format && `${folder}/fragments/${slug}.${format}`
  if (role === 'output') return `${folder}/output.json`
  return isFileFormat(role) ? `${folder}/document.${fileFormats[role].extension}` : undefined
}

/** `links` lead from the record at `from` to the head; each has the content hash of a record and its digest, or null. */
const path = Type.Object(
  {
    from: position,
    previous_hash: hash,
    links: Type.Array(Type.Tuple([hash, optional(hash)]), { minItems: 1, maxItems: limits.proofLinks }),
    head: Type.Unknown(),
  },
  { additionalProperties: false },
)
export type ProofPath = Static<typeof path>

export const proofSchema = Type.Object(
  {
    format: Type.Union([Type.Literal(proofFormat), Type.Literal(partlyFormat)]),
    /** What made the proof; another build may make other bytes. */
    made_by: Type.Object({ product_version: Type.String(), engine_revision: Type.String() }),
    execution: uuid,
    submission: Type.Object({ ...covered, state: submissionState }, { additionalProperties: false }),
    /** From the one without a parent down to `execution`. */
    executions: Type.Array(Type.Object({ ...covered, state: executionState }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: limits.modelDepth,
    }),
    /** The family of the ingestion model; absent if a release was submitted to. */
    model: Type.Optional(
      Type.Object(
        { ...covered, kind: Type.Union(familyKinds.map((kind) => Type.Literal(kind))), state: familyState },
        { additionalProperties: false },
      ),
    ),
    /** Removals of parts of the submission, in the order of the trail; only in the second format, and never empty there. */
    removals: Type.Optional(
      Type.Array(Type.Object({ ...covered, state: removalState }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: retainedParts.length,
      }),
    ),
    paths: Type.Array(path, { minItems: 1, maxItems: limits.modelDepth + 2 + retainedParts.length }),
    files: Type.Array(file, { maxItems: (8 + limits.fragmentInclusions) * limits.modelDepth + 3 }),
  },
  { additionalProperties: false },
)
export type Proof = Static<typeof proofSchema>
