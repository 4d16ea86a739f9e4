/** What must stay, and what was erased: legal holds, which administrators place and release, and erasures. */

import { useSignal } from '@preact/signals'
import { retainedParts } from '../../core/retained-parts.ts'
import { call, mutate } from '../api/client.ts'
import { usePages, useResource } from '../api/resource.ts'
import type { Account, DefinitionFamily, Erasure, Hold, Retention, RetentionPlan } from '../api/types.ts'
import { formatNumber } from '../format.ts'
import { rich, t } from '../language.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FormDialog, STAYS } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { partsOf, readPolicies, titleOf, writePolicies } from '../policies-text.ts'
import { holdsPermission, holdsRole } from '../session.ts'

type Asked = { action: 'place' } | { action: 'release'; hold: Hold }

const keyOf = ({ id }: { id: string }) => id

export function RetentionView() {
  const holds = usePages<Hold>('/api/v1/holds', 'holds', keyOf)
  const erasures = usePages<Erasure>('/api/v1/erasures', 'erasures', keyOf)
  const asked = useSignal<Asked | undefined>(undefined)
  const nameOf = useNames()
  const close = () => {
    asked.value = undefined
  }
  return (
    <div class="page">
      <PageHead
        title={t`Retention`}
        lede={t`How long submissions are kept, what a legal hold keeps, and what was erased.`}
      >
        {holdsRole(['administrator']) && (
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              asked.value = { action: 'place' }
            }}
          >
            <Icon name="add" size={16} /> {t`New hold`}
          </button>
        )}
      </PageHead>
      <Policies nameOf={nameOf} />
      <h2>{t`Legal holds`}</h2>
      <PagedTable
        label={t`Legal holds`}
        columns={holdColumns(nameOf, (hold) => {
          asked.value = { action: 'release', hold }
        })}
        pages={holds}
        keyOf={keyOf}
        empty={<p>{t`Nothing is held.`}</p>}
      />
      <h2>{t`Erasures`}</h2>
      <PagedTable
        label={t`Erasures`}
        columns={erasureColumns(nameOf)}
        pages={erasures}
        keyOf={keyOf}
        empty={<p>{t`Nothing was erased.`}</p>}
      />
      {asked.value?.action === 'place' && <NewHoldDialog done={holds.refresh} onClose={close} />}
      {asked.value?.action === 'release' && (
        <ReleaseDialog hold={asked.value.hold} done={holds.refresh} onClose={close} />
      )}
    </div>
  )
}

/** The set in force, and its change: written as a list, counted before it is put in force. */
function Policies({ nameOf }: { nameOf(id: string): string }) {
  const isAsked = useSignal(false)
  const resource = useResource<Retention>('/api/v1/retention')
  const set = resource.value.value
  if (set === undefined) return null
  return (
    <section>
      <h2>{t`Policies`}</h2>
      <div class={set.policies.length === 0 ? 'panel empty-panel' : 'panel policies'}>
        {set.policies.length === 0 && <p>{t`Everything is kept.`}</p>}
        {set.policies.length > 0 && (
          <dl class="facts">
            {set.policies.map((policy) => (
              <div key={policy.ingestion_model ?? ''}>
                <dt>{policy.ingestion_model ?? t`All other models`}</dt>
                <dd>
                  {rich`kept for ${days(policy.keep_days)}${partsOf(policy).map(([part, count]) => t`, ${titleOf(part)} for ${days(count)}`)}`}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {set.set_at !== undefined && set.set_by !== undefined && (
          <p class="muted">{rich`Set ${set.number}, by ${nameOf(set.set_by)}, ${<Moment at={set.set_at} />}`}</p>
        )}
        {holdsRole(['administrator']) && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isAsked.value = true
            }}
          >
            {t`Change policies`}
          </button>
        )}
      </div>
      {isAsked.value && (
        <PoliciesDialog
          set={set}
          done={resource.reload}
          onClose={() => {
            isAsked.value = false
          }}
        />
      )}
    </section>
  )
}

const days = (count: number) => `${formatNumber(count)} ${count === 1 ? t`day` : t`days`}`

function PoliciesDialog({ set, done, onClose }: { set: Retention } & DialogProps) {
  const text = useSignal(writePolicies(set.policies))
  const plan = useSignal<{ of: string; found: RetentionPlan } | undefined>(undefined)
  const isCounted = plan.value?.of === text.value
  return (
    <FormDialog
      title={t`Retention policies`}
      action={isCounted ? t`Put in force` : t`Count`}
      isDestructive={isCounted}
      onClose={onClose}
      onSubmit={async () => {
        const policies = readPolicies(text.value)
        if (!isCounted) {
          const found = await call<RetentionPlan>('/api/v1/retention/plan', { method: 'POST', body: { policies } })
          plan.value = { of: text.value, found }
          return STAYS
        }
        const body = { policies, expected_number: set.number }
        await mutate('/api/v1/retention', { method: 'POST', confirms: true, body })
        return done()
      }}
    >
      <Field
        label={t`Policies`}
        hint={t`A line for each model: its slug, and days to keep; * is all other models. Parts that go earlier follow, as in raw_input=30: ${retainedParts.join(', ')}.`}
      >
        <textarea
          name="policies"
          rows={6}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
      </Field>
      {isCounted && plan.value !== undefined && <PlanNote plan={plan.value.found} />}
    </FormDialog>
  )
}

function PlanNote({ plan }: { plan: RetentionPlan }) {
  return (
    <div role="status">
      {plan.policies.length === 0 && <p>{t`Everything is kept.`}</p>}
      {plan.policies.map(({ policy, counts, held, at_work: atWork, parts = [] }) => (
        <div key={policy.ingestion_model ?? ''}>
          <p>
            {rich`${policy.ingestion_model ?? t`All other models`}: ${counts.submissions} submissions with ${counts.artifacts} documents go now, for good${held > 0 && t`; ${held} are held`}${atWork > 0 && t`; ${atWork} have not ended`}.`}
          </p>
          {parts.map((one) => (
            <p key={one.part}>
              {rich`${one.counts.submissions} that stay lose their ${titleOf(one.part)}, for good${one.held > 0 && t`; ${one.held} are held`}${one.at_work > 0 && t`; ${one.at_work} have not ended, or wait to be sent`}.`}
            </p>
          ))}
        </div>
      ))}
      {!plan.is_complete && <p>{t`There is more than is counted at once.`}</p>}
    </div>
  )
}

/** Names are known to those who manage users; others see the end of the id. */
function useNames(): (id: string) => string {
  const path = holdsPermission('user_manage') ? '/api/v1/admin/users?limit=100' : undefined
  const users = useResource<{ users: Account[] }>(path).value.value?.users
  return (id) => users?.find((user) => user.id === id)?.username ?? `…${id.slice(-12)}`
}

function subjectOf(hold: Hold): string {
  if (hold.ingestion_model !== undefined) return t`model ${hold.ingestion_model}`
  return hold.object_reference ?? t`object ${hold.object_reference_hash?.slice(0, 12)}…`
}

function holdColumns(nameOf: (id: string) => string, release: (hold: Hold) => void): readonly Column<Hold>[] {
  return [
    { title: t`On`, kind: 'main', cell: (row) => subjectOf(row) },
    {
      title: t`Why`,
      kind: 'wide',
      cell: (row) => (
        <>
          {row.reason}
          {row.release_reason !== undefined && (
            <span class="cell-inline" title={row.release_reason}>{t`Released: ${row.release_reason}`}</span>
          )}
        </>
      ),
    },
    { title: t`State`, cell: (row) => <State hold={row} /> },
    { title: t`Placed`, kind: 'wide', cell: (row) => <Moment at={row.placed_at} /> },
    {
      title: t`By`,
      kind: 'wide',
      cell: (row) => (
        <>
          <span title={row.placed_by}>{nameOf(row.placed_by)}</span>
          {row.released_by !== undefined && (
            <span class="cell-inline" title={row.released_by}>{t`Released: ${nameOf(row.released_by)}`}</span>
          )}
        </>
      ),
    },
    {
      title: t`Actions`,
      kind: 'number',
      cell: (row) =>
        row.status === 'in_force' &&
        holdsRole(['administrator']) && (
          <button type="button" class="button button-small" onClick={() => release(row)}>
            {t`Release`}
            <span class="offscreen"> {subjectOf(row)}</span>
          </button>
        ),
    },
  ]
}

function State({ hold }: { hold: Hold }) {
  if (hold.status === 'released') {
    return (
      <>
        <span class="status">{t`Released`}</span>
        {hold.released_at !== undefined && (
          <span class="cell-inline">
            <Moment at={hold.released_at} />
          </span>
        )}
      </>
    )
  }
  return <span class="status status-warning">{t`In force`}</span>
}

function erasureColumns(nameOf: (id: string) => string): readonly Column<Erasure>[] {
  return [
    { title: t`Why`, kind: 'main', cell: (row) => row.reason },
    { title: t`Submissions`, kind: 'number', cell: ({ counts }) => counts.submissions },
    { title: t`Documents`, kind: 'wide number', cell: ({ counts }) => counts.artifacts },
    { title: t`Erased`, cell: (row) => <Moment at={row.erased_at} /> },
    { title: t`By`, kind: 'wide', cell: (row) => <span title={row.erased_by}>{nameOf(row.erased_by)}</span> },
    {
      title: t`State`,
      kind: 'wide',
      cell: ({ status }) =>
        status === 'completed' ? (
          <span class="status status-success">{t`Completed`}</span>
        ) : (
          <span class="status status-warning">{t`Finishing`}</span>
        ),
    },
  ]
}

interface DialogProps {
  done(): Promise<void>
  onClose(): void
}

function NewHoldDialog({ done, onClose }: DialogProps) {
  const models = usePages<DefinitionFamily>('/api/v1/ingestion-models', 'ingestion_models', keyOf)
  const model = useSignal('')
  return (
    <FormDialog
      title={t`New hold`}
      action={t`Place hold`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const subject =
          model.value === ''
            ? { object_reference: String(fields.get('object_reference')) }
            : { ingestion_model: model.value }
        await mutate('/api/v1/holds', { method: 'POST', body: { ...subject, reason: String(fields.get('reason')) } })
        await done()
      }}
    >
      <Field label={t`On`}>
        <select value={model.value} onChange={(event) => (model.value = event.currentTarget.value)}>
          <option value="">{t`one object`}</option>
          {models.rows.value.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {rich`all of the model ${name}`}
            </option>
          ))}
        </select>
      </Field>
      {model.value === '' && (
        <Field label={t`Object`} hint={t`Its reference.`}>
          <input name="object_reference" required maxLength={128} autocomplete="off" />
        </Field>
      )}
      <Field label={t`Why`} hint={t`It is kept for good.`}>
        <input name="reason" required maxLength={200} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}

function ReleaseDialog({ hold, done, onClose }: DialogProps & { hold: Hold }) {
  return (
    <FormDialog
      title={t`Release ${subjectOf(hold)}?`}
      action={t`Release`}
      isDestructive
      onClose={onClose}
      onSubmit={async (fields) => {
        await mutate(`/api/v1/holds/${hold.id}/release`, {
          method: 'POST',
          confirms: true,
          body: { reason: String(fields.get('reason')) },
        })
        await done()
      }}
    >
      <p>{rich`It was placed because of “${hold.reason}”. What it is on can be erased again then.`}</p>
      <Field label={t`Why`} hint={t`It is kept for good.`}>
        <input name="reason" required maxLength={200} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}
