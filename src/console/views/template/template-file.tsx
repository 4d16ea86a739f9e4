/** The draft's file: putting a newer one in its place, what is wrong with it, and freezing it. */

import { useSignal } from '@preact/signals'
import { call, mutate } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useResource } from '../../api/resource.ts'
import type { Template, TemplateDraft, ValidationResult, WireIssue } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Findings } from '../../parts/findings.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { savedMeanwhile } from '../configuration/draft.ts'
import { freezeSource } from '../configuration/source-draft.ts'
import { DropZone } from './drop-zone.tsx'
import { type Collision, FileCollision } from './file-collision.tsx'
import { TemplateFonts } from './fonts.tsx'
import { templateFinding } from './places.ts'
import { putFile } from './put-file.ts'

interface TemplateFileProps {
  template: Template
  mayEdit: boolean
  reload(): Promise<void>
}

export function TemplateFile({ template, mayEdit, reload }: TemplateFileProps) {
  const path = `/api/v1/templates/${template.id}`
  const draft = useResource<TemplateDraft>(template.draft_revision === 0 ? undefined : `${path}/draft`)
  const phase = useSignal<'idle' | 'checking' | 'freezing'>('idle')
  const issues = useSignal<readonly WireIssue[] | undefined>(undefined)
  const told = useSignal<string | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const collision = useSignal<Collision | undefined>(undefined)
  const stored = draft.value.value

  async function attempt(next: 'checking' | 'freezing', work: () => Promise<void>): Promise<void> {
    if (phase.value !== 'idle') return
    phase.value = next
    problem.value = undefined
    told.value = undefined
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      phase.value = 'idle'
    }
  }

  const take = (file: File) =>
    attempt('checking', async () => {
      const form = new FormData()
      form.set('file', file)
      const result = await mutate<ValidationResult>(`${path}/validate`, { method: 'POST', body: form })
      issues.value = result.errors
      if (result.valid) await put(file, stored)
    })

  /** Puts the file in the place of the draft that was seen, and of no other. */
  async function put(file: File, seen: TemplateDraft | undefined): Promise<void> {
    if (!(await putFile(path, file, seen))) {
      await catchUp()
      // Where there was no draft, the page reads the first one only now.
      const theirs = draft.value.peek() ?? (await call<TemplateDraft>(`${path}/draft`))
      collision.value = { file, base: seen, theirs }
      return
    }
    collision.value = undefined
    // Said beside the new revision, which is then the one that may be frozen.
    await catchUp()
    told.value = t`${file.name} is the draft now.`
  }

  async function catchUp(): Promise<void> {
    await reload()
    await draft.reload()
  }

  const freeze = () =>
    attempt('freezing', async () => {
      try {
        told.value = await freezeSource(path, stored?.revision)
        await reload()
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 412) throw error
        await catchUp()
        throw savedMeanwhile(draft.value.peek()?.revision)
      }
    })

  if (collision.value !== undefined) {
    const { file, theirs } = collision.value
    return (
      <FileCollision
        collision={collision.value}
        contentPath={`${path}/draft/content`}
        problem={problem.value}
        replace={() => void attempt('checking', () => put(file, theirs))}
        keepTheirs={() => {
          collision.value = undefined
          issues.value = undefined
        }}
      />
    )
  }
  // A draft that isn't read yet can't be replaced: the new file names the revision that was seen.
  if (template.draft_revision > 0 && stored === undefined) {
    if (draft.problem.value !== undefined) return <ProblemNote problem={draft.problem.value} retry={draft.reload} />
    return <div class="panel panel-loading" role="status" aria-label={t`Loading the draft`} />
  }
  return (
    <div class="bench">
      <section class="panel">
        <header class="panel-head">
          <h2>{t`Draft`}</h2>
          {mayEdit && stored !== undefined && (
            <button
              type="button"
              class="button button-primary button-small"
              disabled={phase.value !== 'idle'}
              onClick={() => void freeze()}
            >
              {phase.value === 'freezing' ? t`Freezing…` : t`Freeze a version`}
            </button>
          )}
        </header>
        {draft.problem.value !== undefined && <ProblemNote problem={draft.problem.value} retry={draft.reload} />}
        {template.draft_revision === 0 && <p class="muted">{t`There is no file yet. Upload the first one.`}</p>}
        {stored !== undefined && (
          <>
            <dl class="facts">
              <div>
                <dt>{t`Revision`}</dt>
                <dd>{stored.revision}</dd>
              </div>
              <div>
                <dt>{t`Size`}</dt>
                <dd>{formatBytes(stored.byte_size)}</dd>
              </div>
              <div>
                <dt>{t`Content`}</dt>
                <dd>
                  <Copyable value={stored.content_hash} label={t`content hash`} chars={16} />
                </dd>
              </div>
              <div>
                <dt>{t`Saved`}</dt>
                <dd>
                  <Moment at={stored.updated_at} />
                </dd>
              </div>
            </dl>
            <TemplateFonts key={stored.revision} path={`${path}/fonts`} />
            <p class="run-foot">
              <a class="button" href={`${path}/draft/content`} download>
                <Icon name="download" size={16} /> {t`Download to edit in Word`}
              </a>
            </p>
          </>
        )}
        {told.value !== undefined && (
          <p class="note note-success" role="status">
            <Icon name="check" /> <span>{told.value}</span>
          </p>
        )}
        {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      </section>
      <section class="panel">
        <header class="panel-head">
          <h2>{mayEdit && stored !== undefined ? t`Put another file in its place` : t`File`}</h2>
        </header>
        {mayEdit ? (
          <DropZone
            text={phase.value === 'checking' ? t`Checking…` : t`Drop a DOCX here, or choose one`}
            onFile={(file) => void take(file)}
          />
        ) : (
          <p class="muted">{t`Your roles can read templates, not change them.`}</p>
        )}
        {issues.value !== undefined && (
          <div class="facts-spaced">
            <Findings findings={issues.value.map(templateFinding)} none={t`The file has no mistakes`} />
          </div>
        )}
      </section>
    </div>
  )
}
