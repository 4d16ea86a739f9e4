import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf, authorOf } from '../../http/actor.ts'
import { formatEtag } from '../../http/conditional.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { configurationValidationResult, nothing, object, positiveInteger, uuid } from '../../http/wire.ts'
import {
  definitionFamily,
  definitionFamilyRead,
  definitionVersion,
  mutationResult,
  newDraft,
  newFamily,
  sourceDraft,
  transformerTestBody,
  transformerTestResult,
  validateBody,
  versionList,
} from './configuration.model.ts'
import type { ConfigurationService } from './configuration.service.ts'
import { familyToWire, versionToWire } from './configuration.wire.ts'

/** A kind's names in paths, operation ids and lists. */
interface Kind {
  kind: 'ingestion_model' | 'transformer'
  path: string
  param: string
  plural: string
  Name: string
}

const ingestionModel: Kind = {
  kind: 'ingestion_model',
  path: '/api/v1/ingestion-models',
  param: 'ingestionModelId',
  plural: 'ingestion_models',
  Name: 'IngestionModel',
}
const transformer: Kind = {
  kind: 'transformer',
  path: '/api/v1/transformers',
  param: 'transformerId',
  plural: 'transformers',
  Name: 'Transformer',
}

export function configurationOperations(configuration: ConfigurationService, { clock }: { clock: Clock }): Operation[] {
  return [
    ...[ingestionModel, transformer].flatMap((kind) => [
      ...familyOperations(kind, configuration, clock),
      ...draftOperations(kind, configuration, clock),
      ...versionOperations(kind, configuration, clock),
    ]),
    testOperation(configuration),
  ]
}

const authoring = sessionAccess(AE, { scope: 'configuration_write' })
const reading = sessionAccess(READ4, { scope: 'configuration_read' })

function commonOf({ kind, plural }: Kind) {
  return { tag: plural.replace('_', ' '), resourceKind: kind, variant: 'configuration' } as const
}

function pathOf({ param }: Kind) {
  return object({ [param]: uuid })
}

function idIn({ param }: Kind, params: Record<string, unknown>): string {
  return String(params[param])
}

function familyOperations(kind: Kind, configuration: ConfigurationService, clock: Clock): Operation[] {
  const common = commonOf(kind)
  return [
    defineOperation({
      ...common,
      id: `create${kind.Name}`,
      method: 'POST',
      path: kind.path,
      summary: 'Makes an empty family; its first draft comes with a PUT.',
      access: authoring,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newFamily, limits.smallBodyBytes),
      success: [{ status: 201, schema: mutationResult }],
      failures: [403, 409, 415, 422],
      handle: (context) => configuration.create(kind.kind, actorOf(context, clock), context.idempotency, context.body),
    }),
    defineOperation({
      ...common,
      id: `list${kind.Name}s`,
      method: 'GET',
      path: kind.path,
      summary: 'Families, newest first.',
      access: reading,
      query: object(pageById),
      success: [{ status: 200, schema: pageOf(kind.plural, definitionFamily) }],
      failures: [403, 422],
      handle: async ({ query }) => {
        const { rows, next } = await configuration.list(kind.kind, query)
        return { body: page(kind.plural, rows.map(familyToWire), next) }
      },
    }),
    defineOperation({
      ...common,
      id: `get${kind.Name}`,
      method: 'GET',
      path: `${kind.path}/{${kind.param}}`,
      summary: 'One family with its newest versions.',
      access: reading,
      params: pathOf(kind),
      success: [{ status: 200, schema: definitionFamilyRead }],
      failures: [403, 404, 422],
      handle: async ({ params }) => ({ body: await configuration.read(kind.kind, idIn(kind, params)) }),
    }),
  ]
}

function draftOperations(kind: Kind, configuration: ConfigurationService, clock: Clock): Operation[] {
  const common = commonOf(kind)
  const path = `${kind.path}/{${kind.param}}/draft`
  const withTag = [
    { status: 200, schema: sourceDraft, headers: { etag: 'the revision, to be sent in If-Match' } },
  ] as const
  return [
    defineOperation({
      ...common,
      id: `getCanonical${kind.Name}Draft`,
      method: 'GET',
      path,
      summary: 'The mutable draft and its revision.',
      access: reading,
      params: pathOf(kind),
      success: withTag,
      failures: [403, 404, 422],
      handle: async ({ params }) => {
        const body = await configuration.readDraft(kind.kind, idIn(kind, params))
        return { body, headers: { etag: formatEtag(body.revision) } }
      },
    }),
    defineOperation({
      ...common,
      id: `updateCanonical${kind.Name}Draft`,
      method: 'PUT',
      path,
      summary: 'Writes the draft: the first one with If-None-Match: *, every later one with If-Match.',
      access: authoring,
      params: pathOf(kind),
      headers: { idempotencyKey: 'required', ifMatch: 'used', ifNoneMatch: 'used' },
      body: jsonBody(newDraft, limits.transformerValidateBodyBytes),
      success: withTag,
      failures: [403, 404, 409, 412, 415, 422, 428],
      handle: async (context) => {
        const { params, ifMatch, ifNoneMatch, idempotency } = context
        const actor = actorOf(context, clock)
        const conditions = { ifMatch, ifNoneMatch }
        const family = { kind: kind.kind, id: idIn(kind, params) }
        const body = await configuration.saveDraft(family, actor, idempotency, conditions, context.body)
        return { body, headers: { etag: formatEtag(body.revision) } }
      },
    }),
    defineOperation({
      ...common,
      id: `validateCanonical${kind.Name}`,
      isTrial: true,
      method: 'POST',
      path: `${kind.path}/{${kind.param}}/validate`,
      summary: 'Says what is wrong with a source text; writes nothing.',
      access: authoring,
      params: pathOf(kind),
      headers: { idempotencyKey: 'required' },
      body: jsonBody(validateBody, limits.transformerValidateBodyBytes),
      success: [{ status: 200, schema: configurationValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async (context) => ({
        body: await configuration.validate(kind.kind, idIn(kind, context.params), context.body, authorOf(context)),
      }),
    }),
  ]
}

function versionOperations(kind: Kind, configuration: ConfigurationService, clock: Clock): Operation[] {
  const common = commonOf(kind)
  const path = `${kind.path}/{${kind.param}}/versions`
  return [
    defineOperation({
      ...common,
      id: `freeze${kind.Name}Version`,
      method: 'POST',
      path,
      summary: 'Freezes the draft into an immutable version: 201; 200 when one has the very same content already.',
      access: authoring,
      params: pathOf(kind),
      headers: { idempotencyKey: 'required', ifMatch: 'used' },
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [
        { status: 201, schema: mutationResult },
        { status: 200, schema: mutationResult },
      ],
      failures: [403, 404, 409, 412, 415, 422, 428],
      handle: (context) => {
        const { params, idempotency, ifMatch } = context
        const family = { kind: kind.kind, id: idIn(kind, params) }
        return configuration.freeze(family, actorOf(context, clock), idempotency, ifMatch)
      },
    }),
    defineOperation({
      ...common,
      id: `list${kind.Name}Versions`,
      method: 'GET',
      path,
      summary: 'Versions, newest first, without their source.',
      access: reading,
      params: pathOf(kind),
      query: object(pageById),
      success: [{ status: 200, schema: versionList }],
      failures: [403, 404, 422],
      handle: async ({ params, query }) => {
        const { rows, next } = await configuration.listVersions(kind.kind, idIn(kind, params), query)
        return { body: page('versions', rows.map(versionToWire), next) }
      },
    }),
    defineOperation({
      ...common,
      id: `get${kind.Name}Version`,
      method: 'GET',
      path: `${path}/{number}`,
      summary: 'One version with its source.',
      access: reading,
      params: object({ [kind.param]: uuid, number: positiveInteger }),
      success: [{ status: 200, schema: definitionVersion }],
      failures: [403, 404, 422],
      handle: async ({ params }) => ({
        body: await configuration.readVersion(kind.kind, idIn(kind, params), Number(params.number)),
      }),
    }),
  ]
}

function testOperation(configuration: ConfigurationService): Operation {
  return defineOperation({
    ...commonOf(transformer),
    id: 'testCanonicalTransformerDraft',
    isTrial: true,
    method: 'POST',
    path: '/api/v1/transformers/{transformerId}/test',
    summary: 'Runs the draft on the given data; keeps nothing.',
    access: authoring,
    params: object({ transformerId: uuid }),
    headers: { idempotencyKey: 'required' },
    body: jsonBody(transformerTestBody, limits.templateTestBodyBytes),
    success: [{ status: 200, schema: transformerTestResult }],
    failures: [403, 404, 415, 422],
    handle: async (context) => ({
      body: await configuration.test(context.params.transformerId, context.body, authorOf(context)),
    }),
  })
}

function page<Name extends string, Item>(name: Name, items: Item[], next: string | undefined) {
  const body = { [name]: items } as Record<Name, Item[]>
  return next === undefined ? body : { ...body, next_cursor: next }
}
