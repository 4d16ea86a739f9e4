/** Filling a template on the server with what a transformer makes of a case; nothing of it is kept there. */
import { type Call, callForBlob, newIdempotencyKey } from '../../api/client.ts'
import type { TemplatePreview, TemplateTest } from '../../api/types.ts'

/** The pages where the server sends them, else what it says of them. */
export interface Filled<Report> {
  pdf?: Blob
  report?: Report
}

async function fill<Report>(path: string, body: unknown, headers: Record<string, string>): Promise<Filled<Report>> {
  const options: Call = { method: 'POST', body, headers }
  const answer = await callForBlob(path, options)
  return answer.type.startsWith('application/pdf')
    ? { pdf: answer }
    : { report: JSON.parse(await answer.text()) as Report }
}

export interface VersionSample {
  transformVersionId: string
  caseId: string
}

/** What the server says of every binding. */
export async function reportOnVersion(id: string, number: number, sample: VersionSample): Promise<TemplatePreview> {
  const { report } = await fill<TemplatePreview>(...versionCall(id, number, sample), {})
  if (report === undefined) throw new TypeError('the preview answered without a report')
  return report
}

/** The pages of a version. */
export function pagesOfVersion(id: string, number: number, sample: VersionSample): Promise<Filled<TemplatePreview>> {
  return fill(...versionCall(id, number, sample), { accept: 'application/pdf, application/json' })
}

function versionCall(id: string, number: number, { transformVersionId, caseId }: VersionSample): [string, unknown] {
  return [
    `/api/v1/templates/${id}/versions/${number}/preview`,
    { transform_version_id: transformVersionId, case_id: caseId },
  ]
}

/** The pages of the draft, filled with data that was made in the page. */
export function pagesOfDraft(id: string, data: unknown): Promise<Filled<TemplateTest>> {
  const headers = { accept: 'application/pdf, application/json', 'idempotency-key': newIdempotencyKey() }
  return fill(`/api/v1/templates/${id}/test`, { data }, headers)
}
