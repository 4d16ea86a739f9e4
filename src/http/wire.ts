import {
  FormatRegistry,
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox'
import { TypeRegistry } from '@sinclair/typebox/type'
import { dependencyNames } from '../core/faults.ts'
import { isUuid } from '../core/ids.ts'
import { parseInstant } from '../core/instant.ts'
import type { JsonValue } from '../core/json.ts'
import { limits } from '../core/limits.ts'
import { slugRule } from '../core/list-filters.ts'

/** The interface's common formats as TypeBox schemas, and the few constructors that models are made of. */

// Elysia registers laxer checks under these names unless they are taken; ours replace them in either order.
FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('date-time', (text) => parseInstant(text) !== undefined)
FormatRegistry.Set('uri', (text) => URL.canParse(text))

interface TextRules {
  minLength?: number
  /** In Unicode characters, as JSON Schema counts; TypeBox's own check counts UTF-16 units. */
  maxLength?: number
  /** Bytes of UTF-8, for which JSON Schema has no keyword. */
  maxBytes?: number
  pattern?: string
  format?: 'uuid' | 'date-time' | 'uri'
  description?: string
}

const compiledPatterns = new Map<string, RegExp>()
function patternOf(source: string): RegExp {
  let pattern = compiledPatterns.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(source, 'u')
    compiledPatterns.set(source, pattern)
  }
  return pattern
}

/** The first rule a text breaks, in words, or undefined. */
export function brokenTextRule(rules: TextRules, text: string): string | undefined {
  const { minLength, maxLength, maxBytes } = rules
  if (minLength !== undefined && text.length < minLength * 2 && [...text].length < minLength) {
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  }
  if (maxBytes !== undefined && text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    return `must be at most ${maxBytes} bytes of UTF-8`
  }
  if (maxLength !== undefined && text.length > maxLength) {
    if (text.length > maxLength * 2 || [...text].length > maxLength) return `must have at most ${maxLength} characters`
  }
  if (rules.pattern !== undefined && !patternOf(rules.pattern).test(text)) return `must match ${rules.pattern}`
  if (rules.format !== undefined && FormatRegistry.Get(rules.format)?.(text) !== true) return formatRules[rules.format]
  return undefined
}

const formatRules = {
  uuid: 'must be a UUID such as 0198c3d2-7a10-7c00-8000-000000000000',
  'date-time': 'must be an RFC 3339 time such as 2026-11-20T09:30:00Z',
  uri: 'must be a URI',
} as const

const textKind = 'QuireText'
TypeRegistry.Set<TextRules>(
  textKind,
  (rules, value) => typeof value === 'string' && brokenTextRule(rules, value) === undefined,
)

/** A string under these rules. */
export function text(rules: TextRules = {}) {
  return Type.Unsafe<string>({ [Kind]: textKind, type: 'string', ...rules })
}

export function isTextSchema(schema: TSchema): boolean {
  return schema[Kind] === textKind
}

interface ObjectRules {
  $id?: string
  minProperties?: number
  description?: string
}

/** An object that refuses every property it doesn't name. */
export function object<T extends TProperties>(properties: T, options: ObjectRules = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options }) as TObject<T>
}

/** One of a few literal strings. */
export function oneOf<const T extends readonly string[]>(values: T, rules: { description?: string } = {}) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    rules,
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>
}

/** Any JSON value, null included; unless optional, it must be present. */
export const json = Type.Unknown() as unknown as ReturnType<typeof Type.Unsafe<JsonValue>>

/** The body `{}`. */
export const nothing = object({})

export const uuid = text({ format: 'uuid' })
export const hash = text({ pattern: '^[0-9a-f]{64}$' })
/** UTC, RFC3339Nano: no trailing zeros in the fraction. */
export const timestamp = text({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{0,8}[1-9])?Z$',
})
export const slug = text(slugRule)
export const correlationId = text({ minLength: 1, maxLength: limits.correlationIdChars })
export const positiveInteger = Type.Integer({ minimum: 1 })

const codePattern = '^[a-z][a-z0-9_.:-]{0,63}$'

/** The interface's "Configuration issue". */
export const configurationIssue = object(
  {
    code: text({ pattern: codePattern, maxLength: limits.codeChars }),
    stage: text({ pattern: codePattern, maxLength: limits.codeChars }),
    resource_kind: text({ pattern: codePattern, maxLength: limits.codeChars }),
    resource_id: Type.Optional(text({ maxLength: limits.resourceIdChars })),
    path: Type.Optional(text({ maxLength: limits.issuePathChars })),
    message: text({ minLength: 1, maxLength: limits.configurationIssueMessageChars }),
    dependency: Type.Optional(text({ pattern: codePattern, maxLength: limits.codeChars })),
    context: Type.Optional(
      Type.Record(Type.String(), text({ maxLength: limits.issueContextChars }), {
        maxProperties: limits.issueContextEntries,
      }),
    ),
    correlation_id: correlationId,
  },
  { $id: 'ConfigurationIssue' },
)
export type ConfigurationIssue = Static<typeof configurationIssue>

export const configurationValidationResult = object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    correlation_id: correlationId,
  },
  { $id: 'ConfigurationValidationResult' },
)
export type ValidationResult = Static<typeof configurationValidationResult>

export const dependencyName = oneOf(dependencyNames)
export const dependencyState = oneOf(['ready', 'unavailable'])
export const dependency = object({ name: dependencyName, status: dependencyState }, { $id: 'Dependency' })

const generalCodes = [
  'internal_error',
  'dependency_unavailable',
  'invalid_credentials',
  'origin_rejected',
  'validation_failed',
  'rate_limited',
  'authentication_required',
  'csrf_rejected',
  'forbidden',
  'conflict',
  'not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'content_unavailable',
  'precondition_required',
  'precondition_failed',
] as const
const generalOnly: readonly string[] = ['invalid_credentials', 'origin_rejected', 'rate_limited', 'content_unavailable']
const configurationCodes = generalCodes.filter((code) => !generalOnly.includes(code))

/** RFC 9457, general variant: no `errors`; `dependencies` where a probe failed. */
export const problem = object(
  {
    type: text({ pattern: '^/problems/[a-z_]+$' }),
    title: text({ minLength: 1 }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: oneOf(generalCodes),
    detail: text({ minLength: 1 }),
    correlation_id: text({ minLength: 1 }),
    dependencies: Type.Optional(Type.Array(dependency, { maxItems: 3 })),
  },
  { $id: 'Problem' },
)

/** RFC 9457, configuration variant: every located finding is in `errors`. */
export const configurationProblem = object(
  {
    type: text({ pattern: '^/problems/[a-z_]+$' }),
    title: text({ minLength: 1 }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: oneOf(configurationCodes),
    detail: text({ minLength: 1 }),
    correlation_id: correlationId,
    errors: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
  },
  { $id: 'ConfigurationProblem' },
)
