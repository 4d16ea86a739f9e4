/** The audit trail, and whether its chain of hashes holds. */

import { useSignal } from '@preact/signals'
import { auditFilters } from '../../core/list-filters.ts'
import { call } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { usePages, useResource } from '../api/resource.ts'
import type { Account, AuditRecord, AuditVerification } from '../api/types.ts'
import { inSentence, rich, t } from '../language.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Dotted } from '../parts/dotted.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { SourceView } from '../parts/source-view.tsx'
import { changeQuery, place } from '../router.ts'
import { holdsPermission } from '../session.ts'
import { wordOf } from '../words.ts'

const names = Object.keys(auditFilters)
/** Quire itself: the command line, the demo, and logins to accounts that do not exist. */
const system = '00000000-0000-0000-0000-000000000000'

const keyOf = (row: AuditRecord) => row.id

export function AuditView() {
  const path = `/api/v1/audit${listQuery(auditFilters)}`
  const pages = usePages<AuditRecord>(path, 'audit', keyOf)
  // Names are known to those who manage users; others see ids.
  const users = useResource<{ users: Account[] }>(
    holdsPermission('user_manage') ? '/api/v1/admin/users?limit=100' : undefined,
  ).value.value?.users
  const nameOf = (id: string) =>
    id === system ? t`Quire` : (users?.find((user) => user.id === id)?.username ?? `…${id.slice(-12)}`)
  const columns: readonly Column<AuditRecord>[] = [
    {
      title: t`Action`,
      kind: 'main',
      cell: (row) => (
        <button type="button" class="row-link link-plain" onClick={() => changeQuery({ record: row.id })}>
          <Dotted name={row.action} />
        </button>
      ),
    },
    { title: t`By`, cell: (row) => <span title={row.actor_id}>{nameOf(row.actor_id)}</span> },
    {
      title: t`On`,
      kind: 'wide',
      cell: (row) => (
        <>
          {wordOf(row.resource_kind)}{' '}
          {row.resource_id !== undefined && <code title={row.resource_id}>…{row.resource_id.slice(-12)}</code>}
        </>
      ),
    },
    {
      title: t`Place in the chain`,
      kind: 'wide number',
      cell: (row) => row.position ?? <span class="muted">{t`being sealed`}</span>,
    },
    { title: t`When`, cell: (row) => <Moment at={row.at} /> },
  ]
  const shown = pages.rows.value.find((row) => row.id === place.value.query.get('record'))
  return (
    <div class="page">
      <PageHead title={t`Audit`} lede={t`Who did what. Every record is chained to the one before it by its hash.`} />
      <ChainCheck />
      <search class="filters">
        <ListFilters of={auditFilters} choices={{}} />
        <ClearFilters names={names} />
      </search>
      <PagedTable
        label={t`Audit records`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={<p>{t`No record matches. Actions are exact words, such as session.opened.`}</p>}
      />
      {shown !== undefined && <RecordDialog record={shown} actor={nameOf(shown.actor_id)} />}
    </div>
  )
}

function RecordDialog({ record, actor }: { record: AuditRecord; actor: string }) {
  const close = () => changeQuery({ record: undefined })
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t`Actor`, record.actor_id],
    [t`Resource`, record.resource_id],
    [t`Correlation`, record.correlation_id],
    [t`Hash`, record.hash],
    [t`Hash before`, record.previous_hash],
  ]
  return (
    <Dialog title={record.action} onClose={close} wide>
      <p class="lede lede-facts">
        <span>{rich`by ${actor}`}</span>
        <Moment at={record.at} />
        {record.position !== undefined && <span>{rich`record ${record.position}`}</span>}
      </p>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Copyable value={value} label={inSentence(name)} chars={36} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <SourceView label={t`Detail`} text={JSON.stringify(record.detail, undefined, 2)} />
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

/** Asks for the whole chain, part by part: one answer checks a bounded number of records. */
function ChainCheck() {
  const result = useSignal<AuditVerification | undefined>(undefined)
  const checked = useSignal(0)
  const isRunning = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)

  async function check(): Promise<void> {
    if (isRunning.value) return
    isRunning.value = true
    problem.value = undefined
    result.value = undefined
    checked.value = 0
    try {
      let from: number | undefined
      do {
        const query: string = from === undefined ? '' : `?from_position=${from}`
        const part: AuditVerification = await call<AuditVerification>(`/api/v1/audit/verify${query}`)
        checked.value += part.checked
        result.value = part
        from = part.ok ? part.next_position : undefined
      } while (from !== undefined)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      isRunning.value = false
    }
  }

  const { broken } = result.value ?? {}
  return (
    <section class="panel chain" aria-label={t`Chain check`}>
      <div class="chain-text" role="status">
        {result.value === undefined || isRunning.value ? (
          <p>
            <strong>{t`The chain`}</strong>{' '}
            <span class="muted">
              {isRunning.value
                ? t`Checked ${checked.value} records…`
                : t`Computes every hash again, from the first record on.`}
            </span>
          </p>
        ) : broken === undefined ? (
          <>
            <p class="verdict-line tone-success">
              <Icon name="check" /> <strong>{rich`The chain holds: ${checked.value} records checked`}</strong>
            </p>
            <p class="lede-facts lede">
              <span>{rich`head ${result.value.head_position}`}</span>
              <Copyable value={result.value.head_hash} label={t`head hash`} chars={20} />
              {result.value.unsealed > 0 && <span>{rich`${result.value.unsealed} being sealed`}</span>}
            </p>
            <p class="muted">{t`Keep head and hash elsewhere: they show later whether the chain was cut.`}</p>
          </>
        ) : (
          <p class="verdict-line tone-danger">
            <Icon name="alert" />{' '}
            <strong>{rich`The chain breaks at record ${broken.position}: ${broken.reason}`}</strong>
          </p>
        )}
        {problem.value !== undefined && <ProblemNote problem={problem.value} retry={check} />}
      </div>
      <button type="button" class="button" disabled={isRunning.value} onClick={() => void check()}>
        <Icon name="chain" size={16} /> {t`Check the chain`}
      </button>
    </section>
  )
}
