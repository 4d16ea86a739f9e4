/** One case of a suite: its verdict, and what is not as expected, by lines and by pages with the places marked. */

import { useSignal } from '@preact/signals'
import type * as wire from '../../../client/quire.ts'
import { call } from '../../api/client.ts'
import { useWork } from '../../api/work.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LineDifference } from '../../parts/line-difference.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PagePairs, type Paired } from '../template/page-pairs.tsx'
import { CaseDialog } from './case-dialog.tsx'
import type { SuiteTarget } from './suite-run.ts'

interface CaseResultProps {
  modelId: string
  target: SuiteTarget
  testCase: wire.SuiteCaseItem
  result: wire.SuiteCaseResult | undefined
  mayChange: boolean
  onAccept(): void
  onChanged(): void
}

const words = {
  green: [t`Green`, 'success'],
  red: [t`Red`, 'danger'],
  unwritten: [t`Unwritten`, 'warning'],
} as const

export function CaseResult({ modelId, target, testCase, result, mayChange, onAccept, onChanged }: CaseResultProps) {
  const isOpen = useSignal(false)
  const doing = useSignal<'edit' | 'remove' | undefined>(undefined)
  const { name, origin, expects } = testCase
  const [word, tone] = result === undefined ? ([t`Not run`, 'idle'] as const) : words[result.verdict]
  const close = () => {
    doing.value = undefined
  }
  return (
    <li class="suite-case">
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          <Icon name="chevron" size={14} />
          <span class={`status status-${tone}`}>{word}</span>
          <strong class="suite-name">{name}</strong>
          <span class="muted suite-about">
            {result?.verdict === 'red'
              ? summaryOf(result)
              : origin === 'contract'
                ? t`made for the contract`
                : expects.map((kind) => kindWords[kind]).join(', ')}
          </span>
        </summary>
        {isOpen.value && (
          <div class="suite-detail">
            {result?.verdict === 'unwritten' && (
              <p class="muted">{t`Nothing refuses it. Accept what it gives now, and the next run compares with that.`}</p>
            )}
            {result === undefined && <p class="muted">{t`It has not run yet.`}</p>}
            {result?.verdict === 'green' && <p class="muted">{t`It gives what is expected of it.`}</p>}
            {result !== undefined && <Failures modelId={modelId} target={target} result={result} />}
            {mayChange && (
              <p class="suite-tools">
                {result !== undefined && result.verdict !== 'green' && (
                  <button type="button" class="button button-small button-primary" onClick={onAccept}>
                    {t`Accept what it gives now`}
                  </button>
                )}
                {origin === 'suite' && (
                  <>
                    <button type="button" class="button button-small" onClick={() => (doing.value = 'edit')}>
                      {t`Change its input`}
                    </button>
                    <button
                      type="button"
                      class="button button-quiet button-small"
                      onClick={() => (doing.value = 'remove')}
                    >
                      {t`Remove`}
                    </button>
                  </>
                )}
              </p>
            )}
          </div>
        )}
      </details>
      {doing.value === 'edit' && <CaseDialog modelId={modelId} name={name} onDone={onChanged} onClose={close} />}
      {doing.value === 'remove' && (
        <FormDialog
          title={t`Remove the case ${name}?`}
          action={t`Remove`}
          isDestructive
          onClose={close}
          onSubmit={async () => {
            const path = `/api/v1/suites/${modelId}/cases/${encodeURIComponent(name)}`
            await call(`${path}?case_hash=${testCase.case_hash}`, { method: 'DELETE' })
            onChanged()
          }}
        >
          <p>{t`What is expected of it goes with it. An export made before still has both.`}</p>
        </FormDialog>
      )}
    </li>
  )
}

const kindWords = { output: t`output`, text: t`text`, pages: t`pages`, refusal: t`refused on purpose` } as const

function summaryOf({ failures }: wire.SuiteCaseResult): string {
  const [first] = failures
  if (first?.kind === 'other') return first.message?.split('\n')[0] ?? ''
  const parts = failures.map(({ file, page }) => (page === undefined ? nameOf(file) : t`page ${page}`))
  const names = [...new Set(parts)].join(', ')
  return parts.length === 1 ? t`${names} differs` : t`${names} differ`
}

/** `output.json` of `letter`, without the folders of the case. */
function nameOf(file: string): string {
  return file.replace(/^.*?\.expected\//, '')
}

function Failures({
  modelId,
  target,
  result,
}: Pick<CaseResultProps, 'modelId' | 'target'> & { result: wire.SuiteCaseResult }) {
  const hasPages = result.failures.some(({ kind }) => kind === 'page')
  return (
    <>
      {result.failures
        .filter(({ kind }) => kind !== 'page')
        .map(({ file, message, changes }) => (
          <section key={file} class="suite-failure">
            <h3>
              <code>{nameOf(file)}</code>
            </h3>
            {message !== undefined && <p class="suite-message">{message}</p>}
            {changes !== undefined && <LineDifference changes={changes} label={t`What differs in ${nameOf(file)}`} />}
          </section>
        ))}
      {hasPages && <DrawnFailures modelId={modelId} target={target} result={result} />}
    </>
  )
}

/** Pictures are asked for when somebody looks. */
function DrawnFailures({
  modelId,
  target,
  result,
}: Pick<CaseResultProps, 'modelId' | 'target'> & { result: wire.SuiteCaseResult }) {
  const { name, made_hash: made, case_hash: hash } = result
  const { value, problem, again } = useWork<wire.SuiteRun>(`${hash} ${made}`, (signal) => {
    const body = { ...target, cases: [name], pictures: true }
    return call<wire.SuiteRun>(`/api/v1/suites/${modelId}/runs`, { method: 'POST', body, signal })
  })
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={again} />
  if (value.value === undefined) return <div class="panel-loading" role="status" aria-label={t`Drawing the pages`} />
  const failures = value.value.cases.flatMap((each) => each.failures).filter(({ kind }) => kind === 'page')
  const pairs = failures.flatMap(({ before, after }): Paired[] => (before && after ? [{ before, after }] : []))
  const more = failures.length - pairs.length
  return (
    <>
      <PagePairs from={t`what is expected`} to={t`what it gives`} pairs={pairs} />
      {more > 0 && (
        <p class="muted">
          {more === 1
            ? t`One more page differs; the first are drawn.`
            : rich`${more} more pages differ; the first are drawn.`}
        </p>
      )}
    </>
  )
}
