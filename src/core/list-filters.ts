import { fileFormatNames } from './formats.ts'
import type { Instant } from './instant.ts'
import {
  activatedKinds,
  activationStatuses,
  batchRowStates,
  batchStatuses,
  caseKinds,
  deliveryStatuses,
} from './kinds.ts'
import { limits } from './limits.ts'
import { executionStatuses } from './steps.ts'

/**
 * The filters of each list, declared once. From them come the query's schema and description (http/list-query.ts), the
 * values and conditions of the store (db/narrow.ts), and the console's fields (console/parts/list-filters.tsx). A new
 * filter is a row here and, if the table is large, an index.
 *
 * The key is the name in the query; in code it is the same in camel case.
 */
export interface Filter {
  takes: FilterType
  /** The table's column; that of the same name unless given. */
  column?: string
  /**
   * For filters that no index serves together: on SQLite, only the filter in use with the lowest rank may choose the index
   * (db/keyset.ts, `selective`).
   */
  rank?: number
  /** Another name for it in addresses of the console, which bookmarks may still have. */
  alias?: string
  /** The console's field; a filter without one is asked for by its links only. */
  field?: FilterField
}

export type FilterType =
  | { text: TextRule }
  | { oneOf: readonly string[] }
  /** A UUID, in either case. */
  | 'id'
  /** Times from this one on, or before it. */
  | 'from'
  | 'before'

export interface TextRule {
  minLength: number
  maxLength: number
  /** Whole, with ^ and $. */
  pattern?: string
}

export interface FilterField {
  label: string
  /** From the left. */
  place: number
  placeholder?: string
  widthChars?: number
  /** The one that `/` leads to. */
  isSearch?: true
}

export type Filters = Readonly<Record<string, Filter>>

export const slugRule = {
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  minLength: 1,
  maxLength: limits.slugChars,
} as const satisfies TextRule

export const objectReferenceRule = {
  minLength: 1,
  maxLength: limits.objectReferenceChars,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$',
} as const satisfies TextRule

export const nodeAddressRule = {
  minLength: 3,
  maxLength: limits.nodeAddressChars,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?::[a-z0-9]+(?:-[a-z0-9]+)*){1,15}$',
} as const satisfies TextRule

/** A cause of failures, as a batch has it. */
export const causeRule = { minLength: 16, maxLength: 16, pattern: '^[0-9a-f]{16}$' } as const satisfies TextRule

/** An action of the audit trail, or what it was done to. */
export const auditWordRule = {
  minLength: 1,
  maxLength: limits.codeChars,
  pattern: '^[a-z][a-z0-9_.]{0,63}$',
} as const satisfies TextRule

export const resourceIdRule = { minLength: 1, maxLength: limits.resourceIdChars } as const satisfies TextRule

const exampleReference = 'CLW-2026-000417'

export const submissionFilters = {
  object_reference: { takes: { text: objectReferenceRule }, rank: 2 },
  corrects: { takes: 'id', rank: 1 },
} as const satisfies Filters

export const batchFilters = {
  model_slug: {
    takes: { text: slugRule },
    field: { label: 'Model', place: 2, placeholder: 'clws-policy', widthChars: 12 },
  },
  status: { takes: { oneOf: batchStatuses }, field: { label: 'Status', place: 1 } },
} as const satisfies Filters

export const batchRowFilters = {
  state: { takes: { oneOf: batchRowStates }, field: { label: 'State', place: 1 } },
  cause: { takes: { text: causeRule } },
} as const satisfies Filters

export const executionFilters = {
  status: { takes: { oneOf: executionStatuses }, field: { label: 'Status', place: 1 } },
  release_id: { takes: 'id' },
  submission_id: { takes: 'id' },
} as const satisfies Filters

export const storageFilters = {
  from: { takes: 'from', column: 'createdAt', field: { label: 'From', place: 5 } },
  to: { takes: 'before', column: 'createdAt', field: { label: 'Until', place: 6 } },
  object_reference: {
    takes: { text: objectReferenceRule },
    rank: 1,
    field: { label: 'Object', place: 1, placeholder: exampleReference, widthChars: 18, isSearch: true },
  },
  model_slug: {
    takes: { text: slugRule },
    rank: 3,
    field: { label: 'Model', place: 2, placeholder: 'clws-policy', widthChars: 12 },
  },
  producing_node_address: {
    takes: { text: nodeAddressRule },
    column: 'nodeAddress',
    rank: 2,
    field: { label: 'Node', place: 3, placeholder: 'clws-policy:letter', widthChars: 16 },
  },
  format: { takes: { oneOf: fileFormatNames }, column: 'kind', field: { label: 'Format', place: 4 } },
} as const satisfies Filters

export const deliveryFilters = {
  status: { takes: { oneOf: deliveryStatuses }, field: { label: 'Status', place: 1 } },
} as const satisfies Filters

export const auditFilters = {
  actor_id: { takes: 'id', rank: 2, field: { label: 'Actor id', place: 4, widthChars: 14 } },
  action: {
    takes: { text: auditWordRule },
    rank: 3,
    field: { label: 'Action', place: 1, placeholder: 'contract.created', widthChars: 16, isSearch: true },
  },
  resource_kind: {
    takes: { text: auditWordRule },
    rank: 4,
    field: { label: 'Kind', place: 2, placeholder: 'contract', widthChars: 10 },
  },
  resource_id: {
    takes: { text: resourceIdRule },
    rank: 1,
    field: { label: 'Resource id', place: 3, widthChars: 14 },
  },
  from: { takes: 'from', column: 'at', field: { label: 'From', place: 5 } },
  to: { takes: 'before', column: 'at', field: { label: 'Until', place: 6 } },
} as const satisfies Filters

export const activationFilters = {
  kind: { takes: { oneOf: activatedKinds }, field: { label: 'Kind', place: 1 } },
  family_id: { takes: 'id', alias: 'family' },
  status: { takes: { oneOf: activationStatuses }, field: { label: 'State', place: 2 } },
} as const satisfies Filters

export const caseFilters = {
  contract_version_id: { takes: 'id' },
  kind: { takes: { oneOf: caseKinds }, field: { label: 'Kind', place: 1 } },
} as const satisfies Filters

/** `object_reference` is `objectReference`. */
export type InCode<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<InCode<Tail>>}`
  : Name

export function inCode<Name extends string>(name: Name): InCode<Name> {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as InCode<Name>
}

/** What the query holds for a filter, and its value in code. */
type TakenBy<F extends Filter> = F['takes'] extends { oneOf: readonly (infer Value extends string)[] } ? Value : string

/** The query as the client sends it. */
export type FilterQuery<F extends Filters> = { [Name in keyof F]?: TakenBy<F[Name]> | undefined }

/** The same in code: ids in lower case, instants as the database compares them. */
export type FilterValues<F extends Filters> = {
  [Name in keyof F & string as InCode<Name>]:
    | (F[Name]['takes'] extends 'from' | 'before' ? Instant : TakenBy<F[Name]>)
    | undefined
}
