/** Receivers of events over HTTP: who they are, and how they do. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import type { Webhook } from '../api/types.ts'
import { formatNumber } from '../format.ts'
import { t } from '../language.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { ModelChoice } from '../parts/model-choice.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { ShownSecret } from '../parts/shown-secret.tsx'

const keyOf = (row: Webhook) => row.id

const columns: readonly Column<Webhook>[] = [
  {
    title: t`Receiver`,
    kind: 'main',
    cell: (row) => (
      <a class="row-link" href={`/webhooks/${row.id}`}>
        {row.name}
      </a>
    ),
  },
  { title: t`State`, cell: (row) => <WebhookState of={row} /> },
  { title: t`Address`, kind: 'wide', cell: (row) => <span title={row.url}>{new URL(row.url).host}</span> },
  { title: t`Waiting`, kind: 'wide number', cell: (row) => formatNumber(row.pending) },
  {
    title: t`Last taken`,
    kind: 'wide',
    cell: ({ last_success_at: at }) => (at === undefined ? <span class="muted">{t`never`}</span> : <Moment at={at} />),
  },
]

export function WebhooksView() {
  const { value, problem, reload } = useResource<{ webhooks: Webhook[] }>('/api/v1/webhooks')
  const rows = value.value?.webhooks
  const asked = useSignal<'new' | { name: string; secret: string } | undefined>(undefined)
  const close = () => {
    asked.value = undefined
  }
  return (
    <div class="page">
      <PageHead
        title={t`Webhooks`}
        lede={t`Who is told of events over HTTP, signed, in order, and again until it is taken.`}
      >
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            asked.value = 'new'
          }}
        >
          <Icon name="add" size={16} /> {t`New receiver`}
        </button>
      </PageHead>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {rows?.length === 0 && <div class="panel empty-panel">{t`Nobody is told of events over HTTP yet.`}</div>}
      {rows !== undefined && rows.length > 0 && (
        <DataTable label={t`Receivers`} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      {asked.value === 'new' && (
        <NewReceiverDialog
          onMade={async (made) => {
            await reload()
            asked.value = made
          }}
          onClose={() => asked.value === 'new' && close()}
        />
      )}
      {typeof asked.value === 'object' && <WebhookSecret {...asked.value} onClose={close} />}
    </div>
  )
}

/** Those that a program usually waits for; the API takes all of them. */
const eventTypes: readonly (readonly [string, string])[] = [
  ['quire.execution.completed', t`documents are ready`],
  ['quire.execution.failed', t`there will be none`],
  ['quire.execution.step.failed', t`which step failed, and why`],
  ['quire.submission.created', t`an input was taken in`],
  ['quire.activation.scheduled', t`a version is or comes in force`],
  ['quire.family.version.published', t`a version may be used`],
  ['quire.webhook.stopped', t`a receiver gets nothing more`],
]

interface NewReceiverProps {
  onMade(made: { name: string; secret: string }): Promise<void>
  onClose(): void
}

function NewReceiverDialog({ onMade, onClose }: NewReceiverProps) {
  return (
    <FormDialog
      title={t`New receiver`}
      action={t`Register`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const [types, families] = [fields.getAll('event_types'), fields.getAll('families')]
        const name = String(fields.get('name'))
        const { secret } = await call<{ secret: string }>('/api/v1/webhooks', {
          method: 'POST',
          confirms: true,
          body: {
            name,
            url: fields.get('url'),
            ...(types.length === 0 ? {} : { event_types: types }),
            ...(families.length === 0 ? {} : { families }),
          },
        })
        await onMade({ name, secret })
      }}
    >
      <Field label={t`Name`} hint={t`Whose it is.`}>
        <input name="name" required maxLength={100} autocomplete="off" />
      </Field>
      <Field label={t`Address`} hint={t`By https; in your own network only where QUIRE_WEBHOOK_NETWORKS names it.`}>
        <input
          name="url"
          type="url"
          required
          maxLength={2048}
          placeholder={t`https://example.com/quire`}
          autocomplete="off"
        />
      </Field>
      <fieldset class="choices">
        <legend class="choices-title">{t`Only when`}</legend>
        {eventTypes.map(([type, meaning]) => (
          <label key={type}>
            <input type="checkbox" name="event_types" value={type} />
            <span>
              {type.replace('quire.', '')} <span class="muted">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ModelChoice />
      <p class="muted">{t`With nothing chosen, it is told of everything.`}</p>
    </FormDialog>
  )
}

export function WebhookState({ of }: { of: Webhook }) {
  if (of.status === 'paused') return <span class="status">{t`Paused`}</span>
  if (of.status === 'gone') return <span class="status status-danger">{t`Gone`}</span>
  if (of.status === 'disabled') return <span class="status status-danger">{t`Disabled`}</span>
  if (of.failures > 0) return <span class="status status-warning">{t`Failing`}</span>
  return <span class="status status-success">{t`Active`}</span>
}

export function WebhookSecret({ name, ...shown }: { name: string; secret: string; onClose(): void }) {
  return <ShownSecret title={t`The secret of ${name}`} label={t`secret`} {...shown} />
}
