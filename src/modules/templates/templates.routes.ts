import { Type } from '@sinclair/typebox'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { fileFormats } from '../../core/formats.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf, authorOf } from '../../http/actor.ts'
import { validationFault } from '../../http/body.ts'
import { formatEtag } from '../../http/conditional.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { type Answer, defineOperation, jsonBody, type MultipartBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { configurationValidationResult, nothing, object, positiveInteger, uuid } from '../../http/wire.ts'
import { mutationResult, newFamily, testBody } from '../configuration/configuration.model.ts'
import type { ConfigurationService } from '../configuration/configuration.service.ts'
import {
  draftFileFields,
  newTemplateFields,
  pagesMediaType,
  previewBody,
  type TemplatePages,
  template,
  templateDraft,
  templateFonts,
  templateList,
  templatePages,
  templatePreview,
  templateTestResult,
  templateVersion,
  templateVersionList,
  testFileFields,
  wrappedTemplate,
  wrappedTemplateVersion,
} from './templates.model.ts'
import type { TemplateService } from './templates.service.ts'
import type { Filled, Shown } from './templates.trials.ts'

const { docx, pdf } = fileFormats
const path = '/api/v1/templates'
const onePath = `${path}/{templateId}`
const oneId = object({ templateId: uuid })
const common = { tag: 'templates', resourceKind: 'template', variant: 'configuration' } as const
const authoring = sessionAccess(AE, { scope: 'configuration_write' })
const reading = sessionAccess(READ4, { scope: 'configuration_read' })

const maxUploadBytes = limits.artifactBytes + limits.multipartOverheadBytes

function upload<const F extends MultipartBody['fields']>(fields: F) {
  return { kind: 'multipart', fields, fileMediaTypes: [docx.mediaType], maxBytes: maxUploadBytes } as const
}

const fileToTest = {
  ...upload(testFileFields),
  maxBytes: maxUploadBytes + limits.templateTestBodyBytes,
}

export function templateOperations(
  templates: TemplateService,
  configuration: ConfigurationService,
  { clock }: { clock: Clock },
): Operation[] {
  return [
    ...familyOperations(templates, clock),
    ...draftOperations(templates, clock),
    ...versionOperations(templates, configuration, clock),
  ]
}

function familyOperations(templates: TemplateService, clock: Clock): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'listTemplates',
      method: 'GET',
      path,
      summary: 'Templates with their newest versions, newest first.',
      access: reading,
      query: object(pageById),
      success: [{ status: 200, schema: templateList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await templates.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'createTemplate',
      method: 'POST',
      path,
      variant: 'configuration-unless-multipart',
      summary: 'JSON makes an empty family; multipart stores the file as version 1 at once.',
      access: authoring,
      headers: { idempotencyKey: 'optional' },
      body: { kind: 'choice', of: [jsonBody(newFamily, limits.smallBodyBytes), upload(newTemplateFields)] },
      success: [{ status: 201, schema: wrappedTemplate }],
      failures: [403, 409, 415, 422],
      handle: (context) => {
        const { body, idempotency } = context
        const actor = actorOf(context, clock)
        return body.kind === 'json'
          ? templates.create(actor, idempotency, body.value)
          : templates.upload(actor, idempotency, body.value.fields, fileOf(body.value.file.bytes))
      },
    }),
    defineOperation({
      ...common,
      id: 'getTemplate',
      method: 'GET',
      path: onePath,
      summary: 'One template with its newest versions and their bindings.',
      access: reading,
      params: oneId,
      success: [{ status: 200, schema: template }],
      failures: [403, 404, 422],
      handle: async ({ params, principal }) => ({
        body: await templates.read(params.templateId, principal.token?.families),
      }),
    }),
  ]
}

function draftOperations(templates: TemplateService, clock: Clock): Operation[] {
  const withTag = [
    { status: 200, schema: templateDraft, headers: { etag: 'the revision, to be sent in If-Match' } },
  ] as const
  return [
    defineOperation({
      ...common,
      id: 'getCanonicalTemplateDraft',
      method: 'GET',
      path: `${onePath}/draft`,
      summary: 'The draft and its revision; its file is at draft/content.',
      access: reading,
      params: oneId,
      success: withTag,
      failures: [403, 404, 422],
      handle: async ({ params }) => {
        const body = await templates.readDraft(params.templateId)
        return { body, headers: { etag: formatEtag(body.revision) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'updateCanonicalTemplateDraft',
      method: 'PUT',
      path: `${onePath}/draft`,
      summary: 'Writes the draft file: the first one with If-None-Match: *, every later one with If-Match.',
      access: authoring,
      params: oneId,
      headers: { idempotencyKey: 'required', ifMatch: 'used', ifNoneMatch: 'used' },
      body: {
        kind: 'choice',
        of: [upload(draftFileFields), { kind: 'bytes', mediaType: docx.mediaType, maxBytes: limits.artifactBytes }],
      },
      success: withTag,
      failures: [403, 404, 409, 412, 415, 422, 428],
      handle: async (context) => {
        const { body, params, ifMatch, ifNoneMatch, idempotency } = context
        const draft =
          body.kind === 'bytes' ? { bytes: body.value } : { bytes: fileOf(body.value.file.bytes), ...body.value.fields }
        const conditions = { ifMatch, ifNoneMatch }
        const saved = await templates.saveDraft(
          params.templateId,
          actorOf(context, clock),
          idempotency,
          conditions,
          draft,
        )
        return { body: saved, headers: { etag: formatEtag(saved.revision) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'getCanonicalTemplateDraftContent',
      method: 'GET',
      path: `${onePath}/draft/content`,
      summary: "The draft's DOCX.",
      access: reading,
      params: oneId,
      success: [{ status: 200, mediaType: docx.mediaType, headers: { etag: 'the revision' } }],
      failures: [403, 404, 422],
      handle: async ({ params }) => {
        const { bytes, slug, revision } = await templates.readDraftContent(params.templateId)
        return {
          headers: {
            'content-type': docx.mediaType,
            'content-disposition': `attachment; filename="${slug}-draft-${revision}.${docx.extension}"`,
            etag: formatEtag(revision),
          },
          stream: bytes,
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'getTemplateFonts',
      method: 'GET',
      path: `${onePath}/fonts`,
      isCostly: true,
      summary:
        'The fonts that draw the texts of the draft, or of a version: which are the ones that it names, and which are guessed.',
      access: reading,
      params: oneId,
      query: object({ version: Type.Optional(positiveInteger) }),
      success: [{ status: 200, schema: templateFonts }],
      failures: [403, 404, 422],
      handle: async ({ params, query }) => ({ body: await templates.fonts(params.templateId, query.version) }),
    }),
    defineOperation({
      ...common,
      id: 'validateCanonicalTemplate',
      isTrial: true,
      method: 'POST',
      path: `${onePath}/validate`,
      summary: 'Says what is wrong with a file, or with the draft; writes nothing.',
      access: authoring,
      params: oneId,
      headers: { idempotencyKey: 'required' },
      body: { kind: 'choice', of: [jsonBody(nothing, limits.smallBodyBytes), upload(object({}))] },
      success: [{ status: 200, schema: configurationValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async (context) => {
        const { params, body } = context
        const file = body.kind === 'multipart' ? fileOf(body.value.file.bytes) : undefined
        return { body: await templates.validate(params.templateId, file, authorOf(context)) }
      },
    }),
    defineOperation({
      ...common,
      id: 'testCanonicalTemplateDraft',
      isTrial: true,
      method: 'POST',
      path: `${onePath}/test`,
      summary: 'Composes and renders the draft, or a file that is sent, with the given data; keeps nothing.',
      access: authoring,
      params: oneId,
      headers: { idempotencyKey: 'required' },
      body: { kind: 'choice', of: [jsonBody(testBody, limits.templateTestBodyBytes), fileToTest] },
      success: [{ status: 200, schema: templateTestResult }, renderedPages, drawnPages],
      failures: [403, 404, 415, 422],
      handle: async (context) => {
        const { params, body, request } = context
        const tried =
          body.kind === 'json'
            ? { data: body.value.data }
            : { data: dataOf(body.value.fields.data), file: fileOf(body.value.file.bytes) }
        const shown = shownFor(request)
        return answerFilled(await templates.test(params.templateId, tried, authorOf(context), shown), request)
      },
    }),
  ]
}

function versionOperations(templates: TemplateService, configuration: ConfigurationService, clock: Clock): Operation[] {
  const versionId = object({ templateId: uuid, number: positiveInteger })
  return [
    defineOperation({
      ...common,
      id: 'createTemplateVersion',
      method: 'POST',
      path: `${onePath}/versions`,
      variant: 'configuration-unless-multipart',
      summary: 'Multipart stores a file as the next version; JSON freezes the draft, and takes both headers.',
      access: authoring,
      params: oneId,
      headers: { idempotencyKey: 'optional', ifMatch: 'used' },
      body: { kind: 'choice', of: [jsonBody(nothing, limits.smallBodyBytes), upload(object({}))] },
      success: [
        { status: 201, schema: wrappedTemplateVersion },
        { status: 201, schema: mutationResult },
        { status: 200, schema: mutationResult },
      ],
      failures: [403, 404, 409, 412, 415, 422, 428],
      handle: async (context) => {
        const { body, params, idempotency, ifMatch } = context
        const actor = actorOf(context, clock)
        return body.kind === 'multipart'
          ? templates.uploadVersion(params.templateId, actor, idempotency, fileOf(body.value.file.bytes))
          : configuration.freeze({ kind: 'template', id: params.templateId }, actor, requireKey(idempotency), ifMatch)
      },
    }),
    defineOperation({
      ...common,
      id: 'listTemplateVersions',
      method: 'GET',
      path: `${onePath}/versions`,
      summary: 'Versions, newest first.',
      access: reading,
      params: oneId,
      query: object(pageById),
      success: [{ status: 200, schema: templateVersionList }],
      failures: [403, 404, 422],
      handle: async ({ params, query }) => ({ body: await templates.listVersions(params.templateId, query) }),
    }),
    defineOperation({
      ...common,
      id: 'getTemplateVersion',
      method: 'GET',
      path: `${onePath}/versions/{number}`,
      summary: 'One version with its bindings.',
      access: reading,
      params: versionId,
      success: [{ status: 200, schema: templateVersion }],
      failures: [403, 404, 422],
      handle: async ({ params }) => ({ body: await templates.readVersion(params.templateId, params.number) }),
    }),
    defineOperation({
      ...common,
      id: 'previewTemplateVersion',
      isTrial: true,
      method: 'POST',
      path: `${onePath}/versions/{number}/preview`,
      variant: 'general',
      summary: 'Fills a version with what a transform makes of a case; keeps nothing.',
      access: authoring,
      params: versionId,
      body: jsonBody(previewBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: templatePreview }, renderedPages, drawnPages],
      failures: [403, 404, 415, 422],
      handle: async (context) => {
        const { params, body, request } = context
        const shown = shownFor(request)
        const author = authorOf(context)
        return answerFilled(await templates.preview(params.templateId, params.number, body, author, shown), request)
      },
    }),
  ]
}

/** Answered instead of the report if Accept names this type. */
const renderedPages = { status: 200, mediaType: pdf.mediaType } as const
const drawnPages = { status: 200, mediaType: pagesMediaType, schema: templatePages } as const

function shownFor(request: Request): Shown {
  return accepts(request, pagesMediaType) ? 'pictures' : 'documents'
}

function accepts(request: Request, mediaType: string): boolean {
  return (request.headers.get('accept') ?? '').split(/[\s,;]+/).includes(mediaType)
}

function answerFilled<Result>(filled: Filled<Result>, request: Request): Answer<Result | TemplatePages> {
  const headers = { 'cache-control': 'no-store' }
  if ('drawn' in filled) return { headers: { ...headers, 'content-type': pagesMediaType }, body: filled.drawn }
  const { result, pages } = filled
  if (pages === undefined || !accepts(request, pdf.mediaType)) return { body: result }
  return { headers: { ...headers, 'content-type': pdf.mediaType }, stream: pages }
}

/** @throws Fault validation_failed for a file part without content */
function fileOf(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > 0) return bytes
  throw validationFault([
    {
      code: 'body.empty',
      severity: 'error',
      message: 'Body part file is empty.',
      hint: 'Send the DOCX.',
      path: '/file',
    },
  ])
}

/** @throws Fault validation_failed for a text that isn't JSON */
function dataOf(text: string): JsonValue {
  const read = readJson(text)
  if (read.ok) return read.value
  throw validationFault(read.findings.map((each) => ({ ...each, path: '/data' })))
}

/** Requires the key, which is optional only for the older surface on the same path. */
function requireKey(request: IdempotentRequest | undefined): IdempotentRequest {
  if (request !== undefined) return request
  throw new Fault('validation_failed', 'Header Idempotency-Key is missing. Send a new one with every new request.')
}
