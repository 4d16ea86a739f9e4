/** One receiver of events: how it does, what was sent to it, and what it answered. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { deliveryFilters } from '../../core/list-filters.ts'
import { call } from '../api/client.ts'
import { usePages, useResource } from '../api/resource.ts'
import type { Webhook, WebhookDelivery } from '../api/types.ts'
import { formatDuration, formatNumber } from '../format.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Dotted } from '../parts/dotted.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { changeQuery, go, place } from '../router.ts'
import { WebhookSecret, WebhookState } from './webhooks.tsx'

const refreshMs = 3_000
const names = Object.keys(deliveryFilters)
const states = [
  ['pending', t`waiting`],
  ['delivered', t`taken`],
  ['failed', t`given up`],
] as const
const keyOf = (row: WebhookDelivery) => row.id

const columns: readonly Column<WebhookDelivery>[] = [
  {
    title: t`Event`,
    kind: 'main',
    cell: (row) => (
      <button type="button" class="row-link link-plain" onClick={() => changeQuery({ delivery: row.id })}>
        <Dotted name={row.event_type.replace('quire.', '')} />
      </button>
    ),
  },
  { title: t`State`, cell: (row) => <DeliveryState of={row} /> },
  {
    title: t`Of`,
    kind: 'wide',
    cell: (row) => <code title={row.subject}>…{row.subject.slice(-12)}</code>,
  },
  { title: t`Number`, kind: 'wide number', cell: (row) => row.sequence },
  { title: t`Last answer`, kind: 'wide', cell: ({ last_attempt: last }) => last?.status ?? (last ? 'none' : '–') },
  { title: t`When`, cell: (row) => <Moment at={row.created_at} /> },
]

function DeliveryState({ of: { status, last_attempt: last } }: { of: WebhookDelivery }) {
  if (status === 'delivered') return <span class="status status-success">{t`Taken`}</span>
  if (status === 'failed') return <span class="status status-danger">{t`Given up`}</span>
  return last === undefined ? (
    <span class="status">{t`Waiting`}</span>
  ) : (
    <span class="status status-warning">{t`Retrying`}</span>
  )
}

export function WebhookView({ parameters }: ViewProps) {
  const path = `/api/v1/webhooks/${parameters.id}`
  const asked = useSignal<Asked>(undefined)
  // One that is being removed is not asked for: it may be gone before the page is.
  const isLeaving = asked.value === 'remove'
  const resource = useResource<{ webhook: Webhook }>(path, isLeaving ? undefined : refreshMs)
  const pages = usePages<WebhookDelivery>(`${path}/deliveries${listQuery(deliveryFilters)}`, 'deliveries', keyOf)
  useEffect(() => {
    if (isLeaving) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void pages.refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [place.value.query.toString(), isLeaving])
  const webhook = resource.value.value?.webhook
  const problem = resource.problem.value
  if (problem !== undefined && webhook === undefined) {
    return (
      <div class="page">
        <ProblemNote problem={problem} retry={resource.reload} />
      </div>
    )
  }
  if (webhook === undefined) return <div class="page" aria-busy="true" />
  const shown = pages.rows.value.find((row) => row.id === place.value.query.get('delivery'))
  return (
    <div class="page">
      <PageHead
        title={webhook.name}
        parent={{ href: '/webhooks', title: t`Webhooks` }}
        lede={new URL(webhook.url).host}
      >
        <Actions webhook={webhook} path={path} asked={asked} done={resource.reload} />
      </PageHead>
      <Facts webhook={webhook} />
      <search class="filters">
        <ListFilters of={deliveryFilters} choices={{ status: states }} />
        <ClearFilters names={names} />
      </search>
      <PagedTable
        label={t`Deliveries`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={<p>{t`Nothing was sent to it yet.`}</p>}
      />
      {shown !== undefined && <DeliveryDialog delivery={shown} path={path} done={pages.refresh} />}
    </div>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { event_types: types, families, failing_since: failing, retry_at: retry } = webhook
  const { last_success_at: taken, previous_secret_until: until } = webhook
  const times: readonly (readonly [string, string | undefined])[] = [
    [t`Last taken`, taken],
    [t`Failing since`, failing],
    [t`Asked again`, retry],
    [t`The secret before signs until`, until],
  ]
  return (
    <dl class="facts facts-wrapped">
      <div>
        <dt>{t`State`}</dt>
        <dd>
          <WebhookState of={webhook} />
        </dd>
      </div>
      <div>
        <dt>{t`Address`}</dt>
        <dd>{webhook.url}</dd>
      </div>
      <div>
        <dt>{t`Told of`}</dt>
        <dd>{types === undefined ? t`all events` : types.map((type) => type.replace('quire.', '')).join(', ')}</dd>
      </div>
      {families !== undefined && (
        <div>
          <dt>{t`Only for`}</dt>
          <dd>{families.length === 0 ? t`nothing that is left` : families.map(({ name }) => name).join(', ')}</dd>
        </div>
      )}
      <div>
        <dt>{t`Waiting`}</dt>
        <dd>{formatNumber(webhook.pending)}</dd>
      </div>
      {times.map(
        ([name, at]) =>
          at !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Moment at={at} />
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The dialog that is open. */
type Asked = 'renew' | 'remove' | { secret: string } | undefined

interface ActionsProps {
  webhook: Webhook
  path: string
  asked: Signal<Asked>
  done(): Promise<void>
}

function Actions({ webhook, path, asked, done }: ActionsProps) {
  const close = () => {
    asked.value = undefined
  }
  const isActive = webhook.status === 'active'
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={async () => {
          await call(path, { method: 'PATCH', body: { status: isActive ? 'paused' : 'active' } })
          await done()
        }}
      >
        {isActive ? t`Pause` : t`Resume`}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => {
          asked.value = 'renew'
        }}
      >
        {t`New secret…`}
      </button>
      <button
        type="button"
        class="button button-danger"
        onClick={() => {
          asked.value = 'remove'
        }}
      >
        {t`Remove…`}
      </button>
      {asked.value === 'renew' && (
        <FormDialog
          title={t`A new secret for ${webhook.name}?`}
          action={t`Make secret`}
          onClose={() => asked.value === 'renew' && close()}
          onSubmit={async () => {
            const { secret } = await call<{ secret: string }>(`${path}/renew-secret`, {
              ...{ method: 'POST', confirms: true, body: {} },
            })
            await done()
            asked.value = { secret }
          }}
        >
          <p>{t`Requests are signed with both for 24 hours, and then with the new one alone.`}</p>
        </FormDialog>
      )}
      {asked.value === 'remove' && (
        <FormDialog
          title={t`Remove ${webhook.name}?`}
          action={t`Remove`}
          isDestructive
          onClose={close}
          onSubmit={async () => {
            await call(path, { method: 'DELETE' })
            go('/webhooks')
          }}
        >
          <p>{t`What waits for it is not sent, and its deliveries are forgotten. This can't be undone.`}</p>
        </FormDialog>
      )}
      {typeof asked.value === 'object' && (
        <WebhookSecret name={webhook.name} secret={asked.value.secret} onClose={close} />
      )}
    </>
  )
}

interface DeliveryProps {
  delivery: WebhookDelivery
  path: string
  done(): Promise<void>
}

function DeliveryDialog({ delivery, path, done }: DeliveryProps) {
  const { last_attempt: last, due_at: due } = delivery
  const close = () => changeQuery({ delivery: undefined })
  return (
    <Dialog title={delivery.event_type} onClose={close} wide>
      <p class="lede lede-facts">
        <DeliveryState of={delivery} />
        <Moment at={delivery.created_at} />
      </p>
      <dl class="facts facts-wrapped">
        <div>
          <dt>{t`webhook-id`}</dt>
          <dd>
            <code>{delivery.event_id}</code>
          </dd>
        </div>
        <div>
          <dt>{t`Tries that count`}</dt>
          <dd>{delivery.attempts}</dd>
        </div>
        {due !== undefined && (
          <div>
            <dt>{t`Due`}</dt>
            <dd>
              <Moment at={due} />
            </dd>
          </div>
        )}
        {last !== undefined && (
          <div>
            <dt>{t`Last try`}</dt>
            <dd>
              <Moment at={last.at} />, {last.status ?? t`no answer`}, {formatDuration(last.duration_ms)}
            </dd>
          </div>
        )}
        {last !== undefined && last.answer !== '' && (
          <div>
            <dt>{last.status === undefined ? t`Why` : t`Answer`}</dt>
            <dd>{last.answer}</dd>
          </div>
        )}
      </dl>
      <div class="dialog-foot">
        <button
          type="button"
          class="button"
          onClick={async () => {
            await call(`${path}/deliveries/${delivery.id}/send-again`, { method: 'POST', body: {} })
            await done()
            close()
          }}
        >
          {t`Send again`}
        </button>
        <button type="button" class="button button-primary" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}
