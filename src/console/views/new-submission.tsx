/** A new submission: the input as a form and as text, what it would run, and then its steps and documents. */

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { limits } from '../../core/limits.ts'
import { useResource } from '../api/resource.ts'
import type { Submission } from '../api/types.ts'
import { formatBytes } from '../format.ts'
import { commandKey, useCommand } from '../keys.ts'
import { rich, t } from '../language.ts'
import { Editor } from '../parts/editor.tsx'
import type { EditorProps } from '../parts/editor-props.ts'
import { Field } from '../parts/field.tsx'
import { Findings } from '../parts/findings.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ParamFields } from '../parts/param-fields.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { changeQuery, place } from '../router.ts'
import { useComposing } from './new-submission/composing.ts'
import { FileChoice, useFileDrop } from './new-submission/file-input.tsx'
import { fieldAt, InputForm, useFocusNext } from './new-submission/input-form.tsx'
import { InputRows } from './new-submission/input-rows.tsx'
import { InputValue } from './new-submission/input-value.tsx'
import { PlanPanel } from './new-submission/plan-panel.tsx'
import { Sent } from './new-submission/sent.tsx'
import { CaseChoice, TargetChoice, useTargets } from './new-submission/target.tsx'

export function NewSubmissionView() {
  const targets = useTargets()
  const { target } = targets
  const key = target === undefined ? undefined : (target.model ?? target.release)
  return (
    <div class="page page-wide">
      {/* Everything of one target starts over with another. */}
      <Composer key={key ?? ''} targets={targets} />
    </div>
  )
}

function Composer({ targets }: { targets: ReturnType<typeof useTargets> }) {
  const composing = useComposing(targets.target)
  const { filled, rows, checked, format, table, plan, planProblem, sending, findings, problems, corrects } = composing
  const { text, reference, time, params } = filled.value
  const focusNext = useFocusNext(rows)
  const reveal = useSignal<EditorProps['reveal']>(undefined)
  const sentId = place.value.query.get('sent') ?? undefined
  const sent = useResource<Submission>(sentId && `/api/v1/submissions/${encodeURIComponent(sentId)}`)
  const fileProblem = useSignal<string | undefined>(undefined)
  const take = (taken: string, name: string) => {
    fileProblem.value = undefined
    composing.replace(taken, t`Filled from the file ${name}.`)
  }
  const isOver = useFileDrop(take, (why) => {
    fileProblem.value = why
  })
  const formPane = useRef<HTMLElement>(null)

  const isJudging = useRef(false)
  const submit = async () => {
    // A second press while the first is being checked would count as insisting on it.
    if (isJudging.current) return
    isJudging.current = true
    const first = await composing.findFirstProblem().finally(() => {
      isJudging.current = false
    })
    if (first !== undefined && !composing.insists.value) {
      composing.insists.value = true
      // After the next frame: the field's message, or its whole group, may not be drawn before.
      requestAnimationFrame(() => setTimeout(() => (fieldAt(first) ?? formPane.current)?.focus()))
      return
    }
    const made = await composing.submit()
    if (made !== undefined) changeQuery({ sent: made.id })
  }
  useCommand('Enter', targets.target === undefined ? undefined : submit)
  // The new submission is what the person waits for: its heading gets the focus.
  useEffect(() => {
    if (sent.value.value === undefined || composing.sentHere.peek() !== sent.value.value.id) return
    composing.sentHere.value = undefined
    const heading = document.querySelector<HTMLElement>('#sent')
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'start', behavior: 'auto' })
  }, [sent.value.value?.id])
  useLayoutEffect(() => {
    composing.sentBefore.value = sent.value.value
  }, [sent.value.value])

  const hasTarget = targets.target !== undefined
  const named = format === undefined ? t`Form` : format.format === 'csv' ? t`Rows` : t`Input`
  const isRead = format?.format === 'xml' ? plan !== undefined : (checked ?? table) !== undefined
  const language = format === undefined ? 'json' : 'text'
  const declared = useMemo(
    () => Object.fromEntries((plan?.params ?? []).map(({ name, type }) => [name, type])),
    [plan?.params.map(({ name, type }) => `${name} ${type}`).join()],
  )
  const paramProblems = plan?.issues.filter(({ stage }) => stage === 'params') ?? []
  return (
    <>
      <PageHead
        title={corrects === undefined ? t`New submission` : t`Edit and submit again`}
        parent={{ href: '/submissions', title: t`Submissions` }}
        lede={
          corrects === undefined
            ? t`Fill in the input, look at what it would run, and submit it.`
            : rich`This will be linked to ${<a href={`/submissions/${corrects}`}>{t`the submission it corrects`}</a>}.`
        }
      >
        {hasTarget && (
          <>
            <kbd>{commandKey} ↵</kbd>
            <button
              type="button"
              class="button button-primary"
              aria-disabled={sending.value || plan === undefined}
              onClick={() => void submit()}
            >
              <Icon name="play" size={16} /> {sending.value ? t`One moment…` : t`Submit`}
            </button>
          </>
        )}
      </PageHead>
      {composing.problem.value !== undefined && <ProblemNote problem={composing.problem.value} />}
      {composing.failed?.problem.value !== undefined && (
        <ProblemNote problem={composing.failed.problem.value} retry={composing.failed.again} />
      )}
      {composing.insists.value && composing.hasProblem && (
        <p class="note note-warning" role="status">
          <Icon name="alert" />
          <span class="note-body">
            {composing.isRefused ? (
              t`The parameters below are not complete. Without them, nothing can run.`
            ) : (
              <span>
                {t`The input breaks its contract, so it would fail when it is validated. Submit once more to send it
                  all the same.`}
              </span>
            )}
          </span>
        </p>
      )}
      <div class="compose-bar">
        <TargetChoice {...targets} />
        {hasTarget && (
          <>
            {/* Cases are JSON. */}
            {format === undefined && (
              <CaseChoice
                contractVersionId={plan?.contract.version_id}
                onChoose={(id) => void composing.takeCase(id)}
              />
            )}
            <FileChoice
              onText={take}
              onProblem={(why) => {
                fileProblem.value = why
              }}
            />
            {composing.replaced.value !== undefined && (
              <p class="compose-undo" role="status">
                {composing.replaced.value.told}{' '}
                <button type="button" class="link-button" onClick={composing.bringBack}>
                  <Icon name="reset" size={14} /> {t`Bring back what was there`}
                </button>
              </p>
            )}
            {text !== '' && composing.replaced.value === undefined && (
              <button type="button" class="button button-quiet" onClick={composing.clear}>
                {format === undefined ? t`Empty the form` : t`Empty the text`}
              </button>
            )}
          </>
        )}
      </div>
      {fileProblem.value !== undefined && (
        <p class="note note-danger" role="alert">
          <Icon name="alert" /> <span class="note-body">{fileProblem.value}</span>
        </p>
      )}
      {!hasTarget && (
        <section class="panel empty-panel">
          <p>{t`Choose what the input is for. Its contract then says what there is to fill in.`}</p>
          {targets.models?.length === 0 && (
            <p class="muted">
              {rich`There is no ingestion model yet. ${<a href="/ingestion-models">{t`Make one`}</a>} first.`}
            </p>
          )}
        </section>
      )}
      {sent.problem.value !== undefined && <ProblemNote problem={sent.problem.value} retry={sent.reload} />}
      {sent.value.value !== undefined && (
        <Sent
          key={sent.value.value.id}
          submission={sent.value.value}
          onFailed={(hasFailed) => {
            composing.sentFailed.value = hasFailed
          }}
        />
      )}
      {hasTarget && (
        <>
          <div class="panes panes-even">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
            <section class="pane pane-scroll" aria-label={named} tabIndex={0} ref={formPane} data-drop={isOver.value}>
              {format === undefined ? (
                <>
                  <h2 class="pane-title">
                    {t`Form`}
                    <span class="pane-note pane-end">{composing.missingText}</span>
                  </h2>
                  {checked === undefined && <p class="muted">{composing.schemaProblem ?? t`Reading the contract…`}</p>}
                  {checked !== undefined && rows.length === 0 && (
                    <p class="muted">{t`The form shows when the text is JSON again. Nothing of it is lost.`}</p>
                  )}
                  <InputForm
                    rows={rows}
                    context={{
                      text,
                      problems,
                      edit: composing.edit,
                      toggle: composing.toggle,
                      choose: composing.choose,
                      setUnread: composing.setUnread,
                      focusNext,
                    }}
                  />
                </>
              ) : format.format === 'xml' ? (
                <InputValue plan={plan} format={format} isEmpty={text === ''} />
              ) : (
                <InputRows
                  table={table}
                  format={format}
                  isEmpty={text === ''}
                  onReveal={(line) => {
                    reveal.value = { line, column: 1 }
                  }}
                />
              )}
            </section>
            <section class="pane" aria-label={t`Text`} data-drop={isOver.value}>
              <div class="pane-head">
                <h2>{t`Text`}</h2>
                <span class="pane-note">
                  {rich`${formatBytes(new Blob([text]).size)} of ${formatBytes(limits.payloadBytes)}`}
                </span>
              </div>
              <Editor
                key={language}
                label={t`Raw input`}
                language={language}
                value={text}
                onChange={composing.edit}
                findings={findings}
                reveal={reveal.value}
              />
              <div class="pane-foot">
                <Findings
                  findings={findings}
                  none={
                    !isRead
                      ? t`Reading…`
                      : composing.missingText === '' && (format === undefined || text !== '')
                        ? t`Satisfies its contract`
                        : t`Nothing wrong so far`
                  }
                  onReveal={({ line = 1, column = 1 }) => {
                    reveal.value = { line, column }
                  }}
                />
              </div>
            </section>
          </div>
          <div class="bench bench-plan">
            <section class="panel" aria-label={t`Beside the input`}>
              <header class="panel-head">
                <h2>{t`Beside the input`}</h2>
              </header>
              <div class="form">
                <Field label={t`Object reference`} hint={referenceHint(plan?.object_reference_source)}>
                  <input
                    type="text"
                    autocomplete="off"
                    spellcheck={false}
                    maxLength={limits.objectReferenceChars}
                    disabled={reference === '' && plan?.object_reference_source !== undefined}
                    value={reference}
                    aria-invalid={composing.fieldProblem('object_reference') !== undefined}
                    onInput={(event) => composing.change({ reference: event.currentTarget.value })}
                  />
                </Field>
                <Field label={t`Official time, local`} hint={timeHint(time, plan?.object_time_source)}>
                  <input
                    type="datetime-local"
                    step={1}
                    disabled={time === '' && plan?.object_time_source !== undefined}
                    value={time}
                    aria-invalid={composing.fieldProblem('official_time') !== undefined}
                    onInput={(event) => composing.change({ time: event.currentTarget.value })}
                  />
                </Field>
                {Object.keys(declared).length > 0 && (
                  <fieldset class="compose-params">
                    <legend>{t`Parameters`}</legend>
                    <ParamFields
                      declared={declared}
                      texts={params}
                      onChange={(name, value) => composing.change({ params: { ...params, [name]: value } })}
                    />
                    {composing.insists.value &&
                      paramProblems.map(({ path, message }) => (
                        <p class="entry-problem" key={path}>
                          {message}
                        </p>
                      ))}
                  </fieldset>
                )}
              </div>
              {!composing.isKept.value && (
                <p class="pane-note" data-known={false}>
                  {t`The browser keeps no copy of this: a reload would lose it.`}
                </p>
              )}
            </section>
            <PlanPanel plan={plan} problem={planProblem} isOld={composing.isPlanOld} />
          </div>
        </>
      )}
    </>
  )
}

function referenceHint(source: string | undefined): string {
  if (source !== undefined) return t`The model takes it from ${source} of the input.`
  return t`What the documents are about, such as a policy's number. Without it, the submission's own id.`
}

function timeHint(time: string, source: string | undefined): string {
  if (source !== undefined) return t`The model takes it from ${source} of the input.`
  const at = new Date(time)
  if (time === '' || Number.isNaN(at.getTime()))
    return t`Decides which versions are in force. Empty: the instant of receipt.`
  return t`${at.toISOString().slice(0, 19).replace('T', ' ')} UTC decides which versions are in force.`
}
