/** Filling a template on the server with what a transformer makes of a case; nothing of it is kept there. */

import { boundValue } from '../../../core/binding.ts'
import { fileFormats } from '../../../core/formats.ts'
import type { JsonValue } from '../../../core/json.ts'
import { call, callForBlob, newIdempotencyKey } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Binding, Case, TemplateDraft, TemplatePreview, TemplateTest, Version } from '../../api/types.ts'
import type { ReadPages } from '../../engines/answers.ts'
import { ask } from '../../engines/ask.ts'
import { t } from '../../language.ts'
import { check, run } from '../transformer/run.ts'
import type { Sample } from './sample.tsx'

const pagesMediaType = 'application/vnd.quire.pages+json'
const json = 'application/json, application/problem+json'

/** A binding with the value it takes from the sample data. */
export type Bound = Omit<Binding, 'shape'> & { resolved: boolean; value?: string }

/** What a template takes from outside. */
export interface Taken {
  bindings: readonly Binding[]
  /** Slugs of the templates that it includes; their bindings aren't among these. */
  fragments?: readonly string[] | undefined
}

export interface Filled {
  /** Absent if the template could not be filled; the errors say why. */
  drawn?: ReadPages
  errors: readonly { path?: string; message: string }[]
  bindings: readonly Bound[]
  /** What a file takes that was tried. */
  ofFile?: Taken
  /** Makes the document itself. */
  readPdf(): Promise<Blob>
}

/** A version or, without a number, the draft; filled with what the sample's transformer makes of its case. */
export function fill(
  templateId: string,
  subject: number | 'draft',
  sample: Sample,
  abort: AbortSignal,
): Promise<Filled> {
  return subject === 'draft' ? fillDraft(templateId, sample, abort) : fillVersion(templateId, subject, sample, abort)
}

async function fillVersion(id: string, number: number, sample: Sample, abort: AbortSignal): Promise<Filled> {
  const path = `/api/v1/templates/${id}/versions/${number}/preview`
  const { declared, values } = sample.params
  const body = {
    transform_version_id: sample.version?.id,
    case_id: sample.caseId,
    ...(Object.keys(declared).length === 0 ? {} : { params: values }),
  }
  const [report, drawn] = await Promise.all([
    call<TemplatePreview>(path, { method: 'POST', body, signal: abort }),
    drawnPages<TemplatePreview>(path, body, {}, abort),
  ])
  return {
    ...('pages' in drawn ? { drawn } : {}),
    errors: report.errors,
    bindings: report.bindings,
    readPdf: () => readPdf(path, body, {}),
  }
}

/** The draft takes any data, so the transformer runs here. */
async function fillDraft(id: string, sample: Sample, abort: AbortSignal): Promise<Filled> {
  const [{ bindings = [] }, data] = await Promise.all([
    call<TemplateDraft>(`/api/v1/templates/${id}/draft`, { signal: abort }),
    dataOf(sample, abort),
  ])
  return fillData(id, data, { bindings }, abort)
}

/**
 * The draft, or a file that isn't saved, filled with any data.
 *
 * @param of the draft's bindings, or the file, whose bindings the server tells
 */
export async function fillData(
  id: string,
  data: JsonValue,
  of: { bindings: readonly Binding[] } | { file: File },
  abort: AbortSignal,
): Promise<Filled> {
  const path = `/api/v1/templates/${id}/test`
  const body = 'file' in of ? new FormData() : { data }
  if ('file' in of && body instanceof FormData) {
    body.set('data', JSON.stringify(data))
    body.set('file', of.file)
  }
  const drawn = await drawnPages<TemplateTest>(path, body, { 'idempotency-key': newIdempotencyKey() }, abort)
  const bindings = 'file' in of ? (drawn.bindings ?? []) : of.bindings
  return {
    ...('pages' in drawn ? { drawn, errors: [] } : { errors: drawn.errors }),
    bindings: boundIn(bindings, data),
    ...('file' in of && drawn.bindings !== undefined ? { ofFile: { bindings, fragments: drawn.fragments } } : {}),
    readPdf: () => readPdf(path, body, { 'idempotency-key': newIdempotencyKey() }),
  }
}

/** Bindings with the values they take from data. */
export function boundIn(bindings: readonly Binding[], data: JsonValue): Bound[] {
  return bindings.map((binding) => {
    const { resolved, text } = boundValue(data, binding.pointer)
    return { ...binding, resolved, ...(text === undefined ? {} : { value: text }) }
  })
}

/** The bindings of the draft or file on the screen. No version counts: it may include other templates than these. */
export function takenByShown(shown: Partial<Taken> | undefined) {
  return { bindings: shown?.bindings, includesOthers: (shown?.fragments ?? []).length > 0 }
}

/** The pages where the template could be filled, else what the server says of it. */
async function drawnPages<Report extends TemplatePreview | TemplateTest>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ReadPages | Report> {
  const accept = `${pagesMediaType}, ${json}`
  const answer = await callForBlob(path, { method: 'POST', body, headers: { ...headers, accept }, signal })
  // Megabytes, where there are many pages: the engines' thread reads them.
  return (await ask('filled', answer)) as ReadPages | Report
}

async function readPdf(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Blob> {
  const made = await callForBlob(path, {
    method: 'POST',
    body,
    headers: { ...headers, accept: `${fileFormats.pdf.mediaType}, ${json}` },
  })
  if (made.type.startsWith(fileFormats.pdf.mediaType)) return made
  throw new ApiProblem(0, 'not_filled', t`There is no PDF`, t`The template could not be filled with this data.`)
}

async function dataOf({ contract, version, caseId, params }: Sample, signal: AbortSignal): Promise<JsonValue> {
  const [{ payload = '' }, { schema }] = await Promise.all([
    call<Case>(`/api/v1/cases/${caseId}`, { signal }),
    contract === undefined
      ? { schema: undefined }
      : call<Version>(`/api/v1/contracts/${contract.family.id}/versions/${contract.version.number}`, { signal }),
  ])
  const { transformer } = check(version?.source ?? '', version?.format ?? 'yaml', schema, undefined)
  const ran = run(transformer, payload, schema, params.values)
  if (ran.output !== undefined) return ran.output
  const reason = ran.sourceFindings[0]?.message ?? t`The transformer makes no output of this case.`
  throw new ApiProblem(0, 'no_output', t`There is no data to fill in`, reason)
}
