/** Tokens for programs: one's own and, for administrators, everybody's. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { usePages } from '../api/resource.ts'
import type { Account, ApiToken, TokenScope } from '../api/types.ts'
import { rich, t, translated } from '../language.ts'
import { read4 } from '../navigation.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { ModelChoice } from '../parts/model-choice.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ShownSecret } from '../parts/shown-secret.tsx'
import { holdsPermission, holdsRole, session } from '../session.ts'

const scopes: readonly (readonly [TokenScope, string])[] = [
  ['submission_create', t`submit, and retry executions`],
  ['submission_read', t`read submissions and executions`],
  ['artifact_download', t`download documents`],
  ['configuration_read', t`read contracts, models, transformers, templates`],
  ['configuration_write', t`change them and put them in force`],
  ['audit_read', t`read the audit trail`],
  ['user_manage', t`list users, end sessions`],
  ['readiness_read', t`read the detailed readiness and the status of the operations`],
  ['object_erase', t`erase all that is about an object`],
  ['webhook_manage', t`register receivers of events`],
]

const wordOf = (scope: TokenScope) => translated(scope.replaceAll('_', ' '))
const keyOf = (row: ApiToken) => row.id
const ownId = () => session.value?.user.id

type Asked =
  | { action: 'create' }
  | { action: 'shown'; name: string; secret: string }
  | { action: 'look' | 'revoke'; token: ApiToken }

export function TokensView() {
  const isAdministrator = holdsPermission('user_manage')
  const pages = usePages<ApiToken>(isAdministrator ? '/api/v1/admin/tokens' : '/api/v1/tokens', 'tokens', keyOf)
  const asked = useSignal<Asked | undefined>(undefined)
  const ask = (action: 'look' | 'revoke', token: ApiToken) => {
    asked.value = { action, token }
  }
  const close = () => {
    asked.value = undefined
  }
  return (
    <div class="page">
      <PageHead
        title={t`Tokens`}
        lede={t`What programs come in with, in place of a password. A token acts for its user, within its scopes.`}
      >
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            asked.value = { action: 'create' }
          }}
        >
          <Icon name="add" size={16} /> {t`New token`}
        </button>
      </PageHead>
      <PagedTable
        label={t`Tokens`}
        columns={columnsOf(isAdministrator, ask)}
        pages={pages}
        keyOf={keyOf}
        empty={<p>{t`There is no token yet.`}</p>}
      />
      {asked.value?.action === 'create' && (
        <NewTokenDialog
          isAdministrator={isAdministrator}
          onMade={async (made) => {
            await pages.refresh()
            asked.value = { action: 'shown', ...made }
          }}
          onClose={() => asked.value?.action === 'create' && close()}
        />
      )}
      {asked.value?.action === 'shown' && (
        <ShownSecret
          title={t`The token ${asked.value.name}`}
          secret={asked.value.secret}
          label={t`token`}
          onClose={close}
        />
      )}
      {asked.value?.action === 'look' && (
        <TokenDialog
          token={asked.value.token}
          revoke={() => asked.value?.action === 'look' && ask('revoke', asked.value.token)}
          onClose={close}
        />
      )}
      {asked.value?.action === 'revoke' && (
        <RevokeDialog token={asked.value.token} done={pages.refresh} onClose={close} />
      )}
    </div>
  )
}

function columnsOf(
  isAdministrator: boolean,
  ask: (action: 'look' | 'revoke', token: ApiToken) => void,
): readonly Column<ApiToken>[] {
  const owner: Column<ApiToken> = { title: t`User`, cell: ({ user }) => user.username }
  return [
    {
      title: t`Token`,
      kind: 'main',
      cell: (row) => (
        <button type="button" class="row-link link-plain" onClick={() => ask('look', row)}>
          {row.name}
        </button>
      ),
    },
    ...(isAdministrator ? [owner] : []),
    {
      title: t`State`,
      cell: (row) => (
        <>
          <State token={row} />
          {row.status === 'active' && (
            <span class="narrow-line">
              <Moment at={row.expires_at} />
            </span>
          )}
        </>
      ),
    },
    { title: t`Last used`, kind: 'wide', cell: ({ last_used_at: at }) => <Used at={at} /> },
    { title: t`Expires`, kind: 'wide', cell: (row) => <Moment at={row.expires_at} /> },
    {
      title: t`Actions`,
      kind: 'wide number',
      cell: (row) =>
        row.status === 'active' && (
          <button type="button" class="button button-small" onClick={() => ask('revoke', row)}>
            {t`Revoke`}
            <span class="offscreen"> {row.name}</span>
          </button>
        ),
    },
  ]
}

function Used({ at }: { at: string | undefined }) {
  return at === undefined ? <span class="muted">{t`never`}</span> : <Moment at={at} />
}

function State({ token }: { token: ApiToken }) {
  if (token.status === 'revoked') return <span class="status status-danger">{t`Revoked`}</span>
  if (token.status === 'expired') return <span class="status status-warning">{t`Expired`}</span>
  return <span class="status status-success">{t`Active`}</span>
}

interface LookProps {
  token: ApiToken
  revoke(): void
  onClose(): void
}

function TokenDialog({ token, revoke, onClose }: LookProps) {
  const { families, last_address: address } = token
  return (
    <Dialog title={token.name} onClose={onClose}>
      <p class="lede lede-facts">
        <span>{rich`of ${token.user.username}`}</span>
        <State token={token} />
      </p>
      <dl class="facts facts-wrapped">
        <div>
          <dt>{t`May`}</dt>
          <dd>{token.scopes.map(wordOf).join(', ')}</dd>
        </div>
        {families !== undefined && (
          <div>
            <dt>{t`Only for`}</dt>
            <dd>{families.length === 0 ? t`nothing that is left` : families.map(({ name }) => name).join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>{t`Last used`}</dt>
          <dd>
            <Used at={token.last_used_at} />
            {address !== undefined && <> {rich`from ${address}`}</>}
          </dd>
        </div>
        <div>
          <dt>{t`Made`}</dt>
          <dd>
            <Moment at={token.created_at} />
          </dd>
        </div>
        <div>
          <dt>{t`Expires`}</dt>
          <dd>
            <Moment at={token.expires_at} />
          </dd>
        </div>
      </dl>
      <div class="dialog-foot">
        {token.status === 'active' && (
          <button type="button" class="button button-danger" onClick={revoke}>
            {t`Revoke…`}
          </button>
        )}
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

interface NewTokenProps {
  isAdministrator: boolean
  onMade(made: { name: string; secret: string }): Promise<void>
  onClose(): void
}

function NewTokenDialog({ isAdministrator, onMade, onClose }: NewTokenProps) {
  const users = usePages<Account>(isAdministrator ? '/api/v1/admin/users' : undefined, 'users', ({ id }) => id)
  const services = users.rows.value.filter((user) => user.is_service && !user.disabled)
  return (
    <FormDialog
      title={t`New token`}
      action={t`Make token`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const families = fields.getAll('families')
        const userId = String(fields.get('user_id') ?? ownId())
        const name = String(fields.get('name'))
        const { secret } = await call<{ secret: string }>('/api/v1/tokens', {
          method: 'POST',
          confirms: true,
          body: {
            name,
            scopes: fields.getAll('scopes'),
            expires_in_days: Number(fields.get('days')),
            ...(families.length === 0 ? {} : { families }),
            ...(userId === ownId() ? {} : { user_id: userId }),
          },
        })
        await onMade({ name, secret })
      }}
    >
      <Field label={t`Name`} hint={t`What it is for.`}>
        <input name="name" required maxLength={100} autocomplete="off" />
      </Field>
      {services.length > 0 && (
        <Field label={t`For`}>
          <select name="user_id">
            <option value={ownId()}>{t`me`}</option>
            {services.map(({ id, username }) => (
              <option key={id} value={id}>
                {rich`${username} (service account)`}
              </option>
            ))}
          </select>
        </Field>
      )}
      <fieldset class="choices">
        <legend class="choices-title">{t`It may`}</legend>
        {scopes.map(([scope, meaning]) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} />
            <span>
              {wordOf(scope)} <span class="muted">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ModelChoice mayRead={holdsRole(read4)} />
      <Field label={t`Days`} hint={t`It ends after that; at most 366.`}>
        <input name="days" type="number" required min={1} max={366} defaultValue={90} />
      </Field>
    </FormDialog>
  )
}

function RevokeDialog({ token, done, onClose }: { token: ApiToken; done(): Promise<void>; onClose(): void }) {
  return (
    <FormDialog
      title={t`Revoke ${token.name}?`}
      action={t`Revoke`}
      isDestructive
      onClose={onClose}
      onSubmit={async () => {
        await call(`/api/v1/tokens/${token.id}/revoke`, { method: 'POST', body: {} })
        await done()
      }}
    >
      <p>{t`Whatever uses it is refused from its next request on. This can't be taken back.`}</p>
    </FormDialog>
  )
}
