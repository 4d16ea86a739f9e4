import type { TSchema } from '@sinclair/typebox'
import type { Actor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { nothing, object, uuid } from '../../http/wire.ts'
import { ownWorkRefusals } from '../versions/versions.model.ts'
import { expectedRevision, versionNumber } from './by-revision.model.ts'

/** A schema, typed by the values that it accepts. */
type SchemaOf<T> = TSchema & { static: T }

/** A kind's names in paths, operation ids and answers, and the schemas of its bodies. */
export interface RevisionKind<New, Change, One, Version> {
  common: { tag: string; resourceKind: string }
  /** In operation names: `Contract`. */
  name: string
  /** In answers and summaries: `contract`. */
  one: string
  path: string
  param: string
  newOne: SchemaOf<New>
  change: SchemaOf<Change>
  maxBodyBytes: number
  schema: SchemaOf<One>
  version: SchemaOf<Version>
}

/** What the operations of a kind call. */
export interface RevisionService<New, Change, One, Version> {
  create(actor: Actor, wanted: New): Promise<One>
  read(id: string): Promise<One>
  update(actor: Actor, id: string, change: Change): Promise<One>
  freeze(actor: Actor, id: string, revision: number): Promise<Version>
}

/** The operations that contracts and transforms share, returned one by one so that each kind's table keeps its own order. */
export function operationsByRevision<New, Change, One, Version>(
  kind: RevisionKind<New, Change, One, Version>,
  service: RevisionService<New, Change, One, Version>,
  clock: Clock,
) {
  const { common, name, one, path, param } = kind
  const authoring = sessionAccess(AE, { scope: 'configuration_write' })
  const onePath = `${path}/{${param}}`
  const id = object({ [param]: uuid })
  const idAndNumber = object({ [param]: uuid, number: versionNumber })
  const idIn = (params: Record<string, unknown>) => String(params[param])
  const wrapped = object({ [one]: kind.schema })
  const wrappedVersion = object({ version: kind.version })

  return {
    create: defineOperation({
      ...common,
      id: `create${name}`,
      method: 'POST',
      path,
      summary: `Create a ${one} with its first draft`,
      access: authoring,
      body: jsonBody(kind.newOne, kind.maxBodyBytes),
      success: [{ status: 201, schema: wrapped }],
      failures: [403, 409, 415, 422],
      handle: async (context) => ({ body: { [one]: await service.create(actorOf(context, clock), context.body) } }),
    }),

    read: defineOperation({
      ...common,
      id: `get${name}`,
      method: 'GET',
      path: onePath,
      summary: `Read a ${one}: its draft and its versions`,
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      params: id,
      success: [{ status: 200, schema: kind.schema }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await service.read(idIn(params)) }),
    }),

    update: defineOperation({
      ...common,
      id: `update${name}Draft`,
      method: 'PUT',
      path: onePath,
      summary: 'Replace the draft, if it is still at the expected revision',
      access: authoring,
      params: id,
      body: jsonBody(kind.change, kind.maxBodyBytes),
      success: [{ status: 200, schema: wrapped }],
      failures: [403, 404, 409, 412, 415, 422],
      handle: async (context) => {
        const updated = await service.update(actorOf(context, clock), idIn(context.params), context.body)
        return { body: { [one]: updated } }
      },
    }),

    freeze: defineOperation({
      ...common,
      id: `create${name}Version`,
      method: 'POST',
      path: `${onePath}/versions`,
      summary: 'Freeze the draft as the next version',
      access: authoring,
      params: id,
      body: jsonBody(expectedRevision, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedVersion }],
      failures: [403, 404, 412, 415, 422],
      handle: async (context) => {
        const { params, body } = context
        const version = await service.freeze(actorOf(context, clock), idIn(params), body.expected_revision)
        return { body: { version } }
      },
    }),

    /** Moves a version on to its next status. */
    moveVersion: (
      action: 'publish' | 'deprecate',
      summary: string,
      move: (actor: Actor, id: string, number: number) => Promise<Version>,
    ): Operation =>
      defineOperation({
        ...common,
        id: `${action}${name}Version`,
        method: 'POST',
        path: `${onePath}/versions/{number}/${action}`,
        summary,
        access: authoring,
        params: idAndNumber,
        body: jsonBody(nothing, limits.smallBodyBytes),
        success: [{ status: 200, schema: wrappedVersion }],
        failures: [403, 404, 409, 415, 422],
        ...(action === 'publish' ? { refusals: ownWorkRefusals } : {}),
        handle: async (context) => {
          const { params } = context
          return { body: { version: await move(actorOf(context, clock), idIn(params), Number(params.number)) } }
        },
      }),
  }
}
