/** A template filled with sample data: every page, and the value that each binding takes. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Case, Template, TemplatePreview, TemplateTest, Version } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { useCommand } from '../../keys.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PdfFrame } from '../../parts/pdf-frame.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { check, run } from '../transformer/run.ts'
import { type Filled, pagesOfDraft, pagesOfVersion, reportOnVersion } from './filled.ts'
import { type Sample, SampleChoice, SampleMissing, useSample } from './sample.tsx'

interface Result {
  pages: Filled<TemplatePreview | TemplateTest>
  /** Of a version: what each binding takes. */
  report?: TemplatePreview
}

export function Preview({ template }: { template: Template }) {
  const sample = useSample(template)
  const numbers = template.versions.map(({ number }) => number).sort((a, b) => b - a)
  const subject = place.value.query.get('of') ?? String(numbers[0] ?? 'draft')
  const result = useSignal<Result | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRunning = useSignal(false)
  const { version, caseId } = sample
  const isReady = version !== undefined && caseId !== undefined

  async function fill(): Promise<void> {
    if (version === undefined || caseId === undefined || isRunning.peek()) return
    isRunning.value = true
    problem.value = undefined
    try {
      result.value = await (subject === 'draft'
        ? fillDraft(template.id, sample, caseId)
        : fillVersion(template.id, Number(subject), { transformVersionId: version.id, caseId }))
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
      result.value = undefined
    } finally {
      isRunning.value = false
    }
  }
  useEffect(() => void fill(), [isReady, version?.id, caseId, subject])
  useCommand('Enter', isReady ? fill : undefined)

  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Template</span>
          <select value={subject} onChange={(event) => changeQuery({ of: event.currentTarget.value })}>
            {template.draft_revision > 0 && <option value="draft">Draft</option>}
            {numbers.map((number) => (
              <option value={String(number)} key={number}>
                v{number}
              </option>
            ))}
          </select>
        </label>
        <SampleChoice sample={sample} withCase={true} />
        <span class="filters-end">
          <button type="button" class="button" disabled={!isReady || isRunning.value} onClick={() => void fill()}>
            <Icon name="play" size={16} /> {isRunning.value ? 'Filling…' : 'Fill again'}
          </button>
        </span>
      </div>
      {!isReady && <SampleMissing sample={sample} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={fill} />}
      {isRunning.value && result.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Filling the template" />
      )}
      {result.value !== undefined && <Shown result={result.value} />}
    </>
  )
}

async function fillVersion(
  id: string,
  number: number,
  sample: { transformVersionId: string; caseId: string },
): Promise<Result> {
  const [report, pages] = await Promise.all([reportOnVersion(id, number, sample), pagesOfVersion(id, number, sample)])
  return { report, pages }
}

/** The draft takes any data, so the transformer runs here. */
async function fillDraft(id: string, sample: Sample, caseId: string): Promise<Result> {
  const { contract, version } = sample
  const [{ payload = '' }, { schema } = { schema: undefined }] = await Promise.all([
    call<Case>(`/api/v1/cases/${caseId}`),
    contract === undefined
      ? undefined
      : call<Version>(`/api/v1/contracts/${contract.family.id}/versions/${contract.version.number}`),
  ])
  const { transformer } = check(version?.source ?? '', version?.format ?? 'yaml', schema, undefined)
  const ran = run(transformer, payload, schema, {})
  if (ran.output === undefined) {
    const reason = ran.sourceFindings[0]?.message ?? 'The transformer makes no output of this case.'
    throw new ApiProblem(0, 'no_output', 'There is no data to fill in', reason, '')
  }
  return { pages: await pagesOfDraft(id, ran.output) }
}

function Shown({ result: { pages, report } }: { result: Result }) {
  const told = report ?? pages.report
  const errors = told?.errors ?? []
  const proofs = told === undefined ? undefined : 'bindings' in told ? told : told.result
  return (
    <div class="bench">
      <section class="panel">
        <header class="panel-head">
          <h2>Pages</h2>
        </header>
        {errors.length > 0 && (
          <ul class="findings">
            {errors.map((error) => (
              <li key={`${error.path} ${error.message}`}>
                {error.message} <code>{error.path}</code>
              </li>
            ))}
          </ul>
        )}
        {pages.pdf !== undefined && <PdfFrame blob={pages.pdf} title="Filled template" />}
        {pages.pdf === undefined && proofs?.pdf !== undefined && (
          <p class="note note-success">
            <Icon name="check" />
            <span>
              Composed and rendered: a PDF of {formatBytes(proofs.pdf.byte_size)}. This server shows the pages of
              previews only by their hash.
            </span>
          </p>
        )}
        {proofs?.pdf !== undefined && proofs.docx !== undefined && (
          <dl class="facts facts-spaced">
            {(['pdf', 'docx'] as const).map((kind) => (
              <div key={kind}>
                <dt>{kind.toUpperCase()}</dt>
                <dd>
                  {formatBytes(proofs[kind]?.byte_size ?? 0)}{' '}
                  <Copyable value={proofs[kind]?.content_hash ?? ''} label={`${kind} hash`} chars={12} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      {report !== undefined && (
        <section class="panel">
          <header class="panel-head">
            <h2>Values</h2>
            <span class={report.resolved ? 'tone-success' : 'tone-danger'}>
              {report.resolved ? 'every binding has its value' : 'values are missing'}
            </span>
          </header>
          <table class="table table-tight" aria-label="Values of the bindings">
            <thead>
              <tr>
                <th scope="col">Binding</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {report.bindings.map((binding) => (
                <tr key={`${binding.part} ${binding.paragraph} ${binding.position} ${binding.pointer}`}>
                  <td>
                    <code>{binding.pointer}</code>
                  </td>
                  <td class="cell-wrap">
                    {binding.resolved ? (
                      (binding.value ?? <span class="muted">a list or object</span>)
                    ) : (
                      <span class={binding.required ? 'tone-danger' : 'muted'}>
                        {binding.required ? 'missing' : 'left out'}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}
