import { limits } from '../../core/limits.ts'
import { AE, type Principal, READ4, sessionAccess } from '../../http/access.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import {
  familyId,
  newUnsavedText,
  settlement,
  stateId,
  unsavedDraft,
  unsavedState,
  unsavedText,
} from './unsaved.model.ts'
import type { UnsavedService } from './unsaved.service.ts'
import type { Owned } from './unsaved.store.ts'

const path = '/api/v1/unsaved-drafts/{familyId}'

/** Visible only to their user, under the same permissions as the draft itself. */
export function unsavedOperations(unsaved: UnsavedService): Operation[] {
  const common = { tag: 'unsaved drafts', resourceKind: 'unsaved_draft', variant: 'configuration' } as const
  const reading = sessionAccess(READ4, { scope: 'configuration_read' })
  const writing = sessionAccess(AE, { scope: 'configuration_write' })
  return [
    defineOperation({
      ...common,
      id: 'getUnsavedDraft',
      method: 'GET',
      path,
      summary: 'What you typed into a draft and haven’t saved, as it was from time to time, newest first.',
      access: reading,
      params: familyId,
      success: [{ status: 200, schema: unsavedDraft }],
      failures: [403, 404, 422],
      handle: async ({ params, principal }) => ({ body: await unsaved.read(ownedBy(principal, params)) }),
    }),
    defineOperation({
      ...common,
      id: 'putUnsavedDraft',
      method: 'PUT',
      path,
      summary: 'Keeps what one tab has now. Sent again, or late, it changes nothing.',
      access: writing,
      params: familyId,
      body: jsonBody(newUnsavedText, limits.unsavedBodyBytes),
      success: [{ status: 200, schema: unsavedState }],
      failures: [403, 404, 415, 422],
      handle: async ({ params, principal, body }) => ({ body: await unsaved.put(ownedBy(principal, params), body) }),
    }),
    defineOperation({
      ...common,
      id: 'deleteUnsavedDraft',
      method: 'DELETE',
      path,
      summary: 'Removes all that is kept of what you typed into a draft, for good.',
      access: writing,
      params: familyId,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, principal }) {
        await unsaved.remove(ownedBy(principal, params))
        return {}
      },
    }),
    defineOperation({
      ...common,
      id: 'settleUnsavedDraft',
      method: 'POST',
      path: `${path}/settle`,
      summary: 'Says that what these tabs typed was saved or given up; it stays in the history.',
      access: writing,
      params: familyId,
      body: jsonBody(settlement, limits.smallBodyBytes),
      success: [{ status: 204 }],
      failures: [403, 404, 415, 422],
      async handle({ params, principal, body }) {
        await unsaved.settle(ownedBy(principal, params), body.tab_ids)
        return {}
      },
    }),
    defineOperation({
      ...common,
      id: 'getUnsavedState',
      method: 'GET',
      path: `${path}/states/{stateId}`,
      summary: 'One of them with its text, and while it is unsaved with the text that it began from.',
      access: reading,
      params: stateId,
      success: [{ status: 200, schema: unsavedText }],
      failures: [403, 404, 422],
      handle: async ({ params, principal }) => ({
        body: await unsaved.readState(ownedBy(principal, params), params.stateId),
      }),
    }),
  ]
}

function ownedBy({ userId }: Principal, { familyId }: { familyId: string }): Owned {
  return { userId, familyId }
}
