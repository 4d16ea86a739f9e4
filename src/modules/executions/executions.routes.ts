import type { Clock } from '../../core/clock.ts'
import { fileFormatNames, fileFormats, fileMediaTypes } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { ALL, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf, authorOf } from '../../http/actor.ts'
import type { Closing } from '../../http/closing.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { requireScope } from '../../http/session.ts'
import { object, uuid } from '../../http/wire.ts'
import type { ArtifactService } from './artifacts.service.ts'
import {
  execution,
  executionList,
  executionQuery,
  nothing,
  provenance,
  retryBody,
  retryOutcome,
  trace,
  verification,
} from './executions.model.ts'
import type { ExecutionService } from './executions.service.ts'
import type { RetryService } from './retries.service.ts'
import { eventStream } from './trace.stream.ts'
import type { VerifyService } from './verify.service.ts'

const common = { tag: 'executions', resourceKind: 'execution' } as const
const fileLabels = fileFormatNames.map((format) => fileFormats[format].label).join(' or ')
const wholeFileHeaders = { etag: 'the content hash', 'repr-digest': 'SHA-256, RFC 9530' }

export interface ExecutionPorts {
  executions: ExecutionService
  artifacts: ArtifactService
  verify: VerifyService
  retries: RetryService
  clock: Clock
  closing: Closing
}

export function executionOperations({
  executions,
  artifacts,
  verify,
  retries,
  clock,
  closing,
}: ExecutionPorts): Operation[] {
  return [
    defineOperation({
      id: 'listExecutions',
      method: 'GET',
      path: '/api/v1/executions',
      ...common,
      summary: 'Executions, newest first, without their inputs and outputs.',
      access: sessionAccess(READ4, { scope: 'submission_read' }),
      query: executionQuery,
      success: [{ status: 200, schema: executionList }],
      failures: [401, 403, 422, 503],
      handle: async ({ query }) => ({
        body: await executions.list(query),
      }),
    }),
    defineOperation({
      id: 'getExecution',
      method: 'GET',
      path: '/api/v1/executions/{executionId}',
      ...common,
      summary: 'One execution with its steps, input, output and artifacts.',
      access: sessionAccess(READ4, { scope: 'submission_read' }),
      params: object({ executionId: uuid }),
      success: [{ status: 200, schema: execution }],
      failures: [401, 403, 404, 503],
      handle: async ({ params }) => ({ body: await executions.read(params.executionId) }),
    }),
    defineOperation({
      id: 'getExecutionTrace',
      method: 'GET',
      path: '/api/v1/executions/{executionId}/trace',
      ...common,
      summary: 'What happened so far, in order; with Accept: text/event-stream live, resumable by Last-Event-ID.',
      access: sessionAccess(READ4, { scope: 'submission_read' }),
      params: object({ executionId: uuid }),
      success: [
        { status: 200, schema: trace },
        { status: 200, mediaType: 'text/event-stream' },
      ],
      failures: [401, 403, 404, 422, 503],
      handle: async ({ params, request }) => {
        if (!request.headers.get('accept')?.includes('text/event-stream')) {
          return { body: await executions.trace(params.executionId) }
        }
        const stream = await eventStream(executions, params.executionId, {
          lastEventId: request.headers.get('last-event-id'),
          until: closing.refusing,
        })
        return { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' }, stream }
      },
    }),
    defineOperation({
      id: 'retryExecution',
      method: 'POST',
      path: '/api/v1/executions/{executionId}/retry',
      ...common,
      resourceKind: 'execution',
      summary: 'Puts the failed step back into the queue while attempts remain. A token needs submission_read as well.',
      access: sessionAccess(['administrator', 'operator'], { scope: 'submission_create' }),
      params: object({ executionId: uuid }),
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 202, schema: execution }],
      failures: [401, 403, 404, 409, 415, 422, 503],
      handle: async (context) => {
        // The answer contains the execution's input and output.
        if (context.principal.token !== undefined) requireScope(context.principal.token, 'submission_read')
        return { body: await executions.retry(actorOf(context, clock), context.params.executionId) }
      },
    }),
    defineOperation({
      id: 'retryExecutions',
      method: 'POST',
      path: '/api/v1/executions/retry',
      ...common,
      summary: 'Puts the failed steps of many executions back into the queue, oldest first, or counts them by cause.',
      access: sessionAccess(['administrator', 'operator'], { scope: 'submission_create' }),
      body: jsonBody(retryBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: retryOutcome }],
      failures: [401, 403, 415, 422, 503],
      handle: async ({ body, ...context }) => ({ body: await retries.retry(actorOf(context, clock), body) }),
    }),
    defineOperation({
      id: 'getExecutionProvenance',
      method: 'GET',
      path: '/api/v1/executions/{executionId}/provenance',
      ...common,
      resourceKind: 'execution',
      summary: 'The manifest: every hash from raw input to artifact, versions, engines, attempts and times.',
      access: sessionAccess(READ4, { scope: 'submission_read' }),
      params: object({ executionId: uuid }),
      success: [{ status: 200, schema: provenance }],
      failures: [401, 403, 404, 503],
      handle: async ({ params }) => ({ body: await executions.provenance(params.executionId) }),
    }),
    defineOperation({
      id: 'verifyExecution',
      isTrial: true,
      method: 'POST',
      path: '/api/v1/executions/{executionId}/verify',
      ...common,
      resourceKind: 'execution',
      summary: 'Runs the execution again from its pinned inputs, and says hash by hash whether all is the same.',
      access: sessionAccess(READ4, { scope: 'submission_read' }),
      params: object({ executionId: uuid }),
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: verification }],
      failures: [401, 403, 404, 409, 415, 422, 503],
      handle: async ({ params }) => ({ body: await verify.verify(params.executionId) }),
    }),
    defineOperation({
      id: 'downloadArtifact',
      method: 'GET',
      path: '/api/v1/executions/{executionId}/artifacts/{artifactId}/download',
      ...common,
      summary: `The bytes of a ${fileLabels}, checked against their hash; byte ranges and If-None-Match are honoured.`,
      access: sessionAccess(ALL, { permission: 'artifact_download' }),
      params: object({ executionId: uuid, artifactId: uuid }),
      success: [
        ...fileMediaTypes.flatMap((mediaType) => [
          { status: 200, mediaType, headers: wholeFileHeaders },
          { status: 206, mediaType, headers: { 'content-range': 'the range sent' } },
        ]),
        { status: 304 },
      ],
      failures: [401, 403, 404, 410, 503],
      handle: ({ params, request, ...context }) =>
        artifacts.download(authorOf(context), params.executionId, params.artifactId, {
          range: request.headers.get('range'),
          ifRange: request.headers.get('if-range'),
          ifNoneMatch: request.headers.get('if-none-match'),
        }),
    }),
  ]
}
