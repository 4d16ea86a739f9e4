/** Two versions filled with the same data, page by page beside each other. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import type { Template, TemplatePreview } from '../../api/types.ts'
import { PdfFrame } from '../../parts/pdf-frame.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { type Filled, pagesOfVersion } from './filled.ts'
import { SampleChoice, SampleMissing, useSample } from './sample.tsx'

export function ComparePages({ template }: { template: Template }) {
  const sample = useSample(template)
  const numbers = template.versions.map(({ number }) => number).sort((a, b) => b - a)
  const page = Math.max(1, Number(place.value.query.get('page') ?? 1) || 1)
  const [newest, older] = numbers
  if (newest === undefined || older === undefined) {
    return (
      <div class="panel empty-panel">
        <p>There is nothing to compare: the template needs two versions.</p>
      </div>
    )
  }
  const sides = [
    ['from', Number(place.value.query.get('from') ?? older)],
    ['to', Number(place.value.query.get('to') ?? newest)],
  ] as const
  const { version, caseId } = sample
  return (
    <>
      <div class="filters">
        {sides.map(([name, number]) => (
          <label class="filter" key={name}>
            <span>{name === 'from' ? 'From' : 'To'}</span>
            <select value={String(number)} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
              {numbers.map((one) => (
                <option value={String(one)} key={one}>
                  v{one}
                </option>
              ))}
            </select>
          </label>
        ))}
        <SampleChoice sample={sample} withCase={true} />
        <label class="filter">
          <span>Page</span>
          <input
            type="number"
            min={1}
            value={page}
            onInput={(event) => changeQuery({ page: event.currentTarget.value })}
          />
        </label>
      </div>
      {version === undefined || caseId === undefined ? (
        <SampleMissing sample={sample} />
      ) : (
        <div class="compare-pages">
          {sides.map(([name, number]) => (
            <Side
              key={name}
              id={template.id}
              number={number}
              transformVersionId={version.id}
              caseId={caseId}
              page={page}
            />
          ))}
        </div>
      )}
    </>
  )
}

interface SideProps {
  id: string
  number: number
  transformVersionId: string
  caseId: string
  page: number
}

function Side({ id, number, transformVersionId, caseId, page }: SideProps) {
  const filled = useSignal<Filled<TemplatePreview> | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    filled.value = undefined
    problem.value = undefined
    pagesOfVersion(id, number, { transformVersionId, caseId }).then(
      (made) => {
        filled.value = made
      },
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
      },
    )
  }, [id, number, transformVersionId, caseId])
  const report = filled.value?.report
  return (
    <section class="panel" aria-label={`Version ${number}`}>
      <header class="panel-head">
        <h2>v{number}</h2>
        {report?.pdf !== undefined && (
          <code title={report.pdf.content_hash}>{report.pdf.content_hash.slice(0, 12)}</code>
        )}
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {filled.value?.pdf !== undefined && <PdfFrame blob={filled.value.pdf} title={`Version ${number}`} page={page} />}
      {report !== undefined && report.errors.length > 0 && (
        <ul class="findings">
          {report.errors.map((error) => (
            <li key={`${error.path} ${error.message}`}>{error.message}</li>
          ))}
        </ul>
      )}
      {report?.pdf !== undefined && (
        <p class="muted">This server shows previews by their hash only; equal hashes are equal pages.</p>
      )}
      {filled.value === undefined && problem.value === undefined && (
        <div class="preview preview-loading" role="status" aria-label={`Filling version ${number}`} />
      )}
    </section>
  )
}
