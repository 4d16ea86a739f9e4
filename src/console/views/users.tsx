/** Who may sign in, and as what. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { usePages } from '../api/resource.ts'
import type { Account, Role } from '../api/types.ts'
import { rich, t, translated } from '../language.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SessionList } from '../parts/session-list.tsx'
import { session } from '../session.ts'

const roles: readonly (readonly [Role, string])[] = [
  ['administrator', t`everything, users included`],
  ['engineer', t`writes configuration, submits input`],
  ['operator', t`submits input, retries executions`],
  ['auditor', t`reads everything, the audit trail included`],
  ['business_viewer', t`sees submissions, downloads documents`],
]

const wordOf = (role: Role) => translated(role.replaceAll('_', ' '))
const keyOf = (row: Account) => row.id

type Action = 'edit' | 'password' | 'factors' | 'sessions' | 'disable' | 'enable'
type Asked = { action: 'create' } | { action: 'create-service' } | { action: Action; account: Account }

export function UsersView() {
  const pages = usePages<Account>('/api/v1/admin/users', 'users', keyOf)
  const asked = useSignal<Asked | undefined>(undefined)
  const ask = (action: Action, account: Account) => {
    asked.value = { action, account }
  }
  const columns: readonly Column<Account>[] = [
    {
      title: t`User`,
      kind: 'main',
      cell: (row) => (
        <button type="button" class="row-link link-plain" onClick={() => ask('edit', row)}>
          {row.display_name}
          <span class="cell-inline">{row.username}</span>
        </button>
      ),
    },
    {
      title: t`Roles`,
      kind: 'wide text',
      cell: ({ roles: held }) => {
        const words = held.map(wordOf).join(', ')
        return (
          <span class="row-text" title={words}>
            {words}
          </span>
        )
      },
    },
    { title: t`State`, cell: (row) => <State account={row} /> },
    { title: t`Second factor`, kind: 'wide', cell: (row) => <Factors account={row} /> },
    {
      title: t`Since`,
      kind: 'wide',
      // The buttons beside it are wide in German.
      cell: (row) => (
        <span class="moment-short">
          <Moment at={row.created_at} />
        </span>
      ),
    },
    {
      title: t`Actions`,
      kind: 'wide number',
      cell: (row) => (
        <span class="row-tools">
          {hasPassword(row) && (
            <button type="button" class="button button-small" onClick={() => ask('password', row)}>
              {t`New password`}
              <span class="offscreen"> {rich`for ${row.username}`}</span>
            </button>
          )}
          <button type="button" class="button button-small" onClick={() => ask('sessions', row)}>
            {t`End sessions`}
            <span class="offscreen"> {rich`of ${row.username}`}</span>
          </button>
          {row.id !== session.value?.user.id && (
            <button
              type="button"
              class="button button-small"
              onClick={() => ask(row.disabled ? 'enable' : 'disable', row)}
            >
              {row.disabled ? t`Enable` : t`Disable`}
              <span class="offscreen"> {row.username}</span>
            </button>
          )}
        </span>
      ),
    },
  ]
  const close = () => {
    asked.value = undefined
  }
  return (
    <div class="page">
      <PageHead title={t`Users`} lede={t`Who may sign in, and as what. Changed roles end a user's sessions.`}>
        <button
          type="button"
          class="button"
          onClick={() => {
            asked.value = { action: 'create-service' }
          }}
        >
          {t`New service account`}
        </button>
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            asked.value = { action: 'create' }
          }}
        >
          <Icon name="add" size={16} /> {t`New user`}
        </button>
      </PageHead>
      <PagedTable
        label={t`Users`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={<p>{t`There is no user.`}</p>}
      />
      {asked.value !== undefined && (
        <UserDialog key={asked.value.action} asked={asked.value} ask={ask} done={pages.refresh} onClose={close} />
      )}
    </div>
  )
}

function hasPassword({ is_service: isService, provider_subject: subject }: Account): boolean {
  return !isService && subject === undefined
}

function State({ account }: { account: Account }) {
  if (account.disabled) return <span class="status status-warning">{t`Disabled`}</span>
  if (account.is_service) return <span class="status status-success">{t`Service account`}</span>
  if (account.provider_subject !== undefined) return <span class="status status-success">{t`Single sign-on`}</span>
  if (account.must_change_password) return <span class="status status-active">{t`First password`}</span>
  return <span class="status status-success">{t`Enabled`}</span>
}

function Factors({ account }: { account: Account }) {
  if (!hasPassword(account)) return null
  return (account.second_factors ?? 0) > 0 ? t`yes` : <span class="muted">{t`none`}</span>
}

interface UserDialogProps {
  asked: Asked
  ask(action: Action, account: Account): void
  done(): Promise<void>
  onClose(): void
}

function UserDialog({ asked, ask, done, onClose }: UserDialogProps) {
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => {
    await call(`/api/v1/admin/users${path}`, { method, body, confirms: true })
    await done()
  }
  if (asked.action === 'create') {
    return (
      <FormDialog
        title={t`New user`}
        action={t`Create`}
        onClose={onClose}
        onSubmit={(fields) =>
          send('POST', '', {
            username: String(fields.get('username')),
            display_name: String(fields.get('display_name')),
            roles: fields.getAll('roles'),
            password: String(fields.get('password')),
          })
        }
      >
        <Names />
        <Roles held={['operator']} />
        <FirstPassword />
      </FormDialog>
    )
  }
  if (asked.action === 'create-service') {
    return (
      <FormDialog
        title={t`New service account`}
        action={t`Create`}
        onClose={onClose}
        onSubmit={async (fields) => {
          const body = {
            username: String(fields.get('username')),
            display_name: String(fields.get('display_name')),
            roles: fields.getAll('roles'),
          }
          await call('/api/v1/admin/service-accounts', { method: 'POST', body, confirms: true })
          await done()
        }}
      >
        <p class="muted">{t`For a program. It has no password; make a token for it under Tokens.`}</p>
        <Names />
        <Roles held={['operator']} />
      </FormDialog>
    )
  }
  const { account } = asked
  const path = `/${account.id}`
  switch (asked.action) {
    case 'edit':
      return (
        <FormDialog
          title={account.username}
          action={t`Save`}
          onClose={onClose}
          onSubmit={async (fields) => {
            const changes = changedIn(account, String(fields.get('display_name')), fields.getAll('roles'))
            if (Object.keys(changes).length > 0) await send('PATCH', path, changes)
          }}
        >
          <Field label={t`Name`}>
            <input
              name="display_name"
              required
              maxLength={160}
              defaultValue={account.display_name}
              autocomplete="off"
            />
          </Field>
          <Roles held={account.roles} />
          <p class="muted">{rich`Other roles end the sessions of ${account.username}.`}</p>
          <p class="dialog-more">
            {hasPassword(account) && (
              <button type="button" class="link-button" onClick={() => ask('password', account)}>
                {t`New password…`}
              </button>
            )}
            {(account.second_factors ?? 0) > 0 && (
              <button type="button" class="link-button" onClick={() => ask('factors', account)}>
                {t`Remove second factors…`}
              </button>
            )}
            <button type="button" class="link-button" onClick={() => ask('sessions', account)}>
              {t`End sessions…`}
            </button>
            {account.id !== session.value?.user.id && (
              <button
                type="button"
                class="link-button"
                onClick={() => ask(account.disabled ? 'enable' : 'disable', account)}
              >
                {account.disabled ? t`Enable…` : t`Disable…`}
              </button>
            )}
          </p>
        </FormDialog>
      )
    case 'password':
      return (
        <FormDialog
          title={t`New password for ${account.username}`}
          action={t`Set password`}
          onClose={onClose}
          onSubmit={(fields) => send('POST', `${path}/reset-password`, { password: String(fields.get('password')) })}
        >
          <FirstPassword />
          <p class="muted">
            {rich`All sessions of ${account.username} end, and this password must be changed at the next sign-in.`}
          </p>
        </FormDialog>
      )
    case 'factors':
      return (
        <FormDialog
          title={t`Remove the second factors of ${account.username}?`}
          action={t`Remove`}
          isDestructive
          onClose={onClose}
          onSubmit={() => send('DELETE', `${path}/factors`, undefined)}
        >
          <p>
            {rich`For somebody who has lost them, recovery codes too. All sessions of ${account.username} end, and the password alone signs in. Make sure who is asking.`}
          </p>
        </FormDialog>
      )
    case 'sessions':
      return (
        <FormDialog
          title={t`End the sessions of ${account.username}?`}
          action={t`End all`}
          isDestructive
          onClose={onClose}
          onSubmit={() => send('POST', `${path}/revoke-sessions`, {})}
        >
          <SessionList path={`/api/v1/admin/users${path}/sessions`} />
          <p>{rich`Whoever is signed in as ${account.username} has to sign in again. Nothing they typed is lost.`}</p>
        </FormDialog>
      )
    case 'disable':
      return (
        <FormDialog
          title={t`Disable ${account.username}?`}
          action={t`Disable`}
          isDestructive
          onClose={onClose}
          onSubmit={() => send('PATCH', path, { disabled: true })}
        >
          <p>
            {rich`${account.display_name} is signed out at once and can't sign in until enabled again. What they made stays.`}
          </p>
        </FormDialog>
      )
    case 'enable':
      return (
        <FormDialog
          title={t`Enable ${account.username}?`}
          action={t`Enable`}
          onClose={onClose}
          onSubmit={() => send('PATCH', path, { disabled: false })}
        >
          <p>{rich`${account.display_name} can sign in again, with the same password and roles.`}</p>
        </FormDialog>
      )
  }
}

/** Only what was changed here: the rest may have been changed elsewhere since this page read it. */
function changedIn(account: Account, displayName: string, chosen: readonly unknown[]) {
  const isSame = chosen.length === account.roles.length && account.roles.every((role) => chosen.includes(role))
  return {
    ...(displayName === account.display_name ? {} : { display_name: displayName }),
    ...(isSame ? {} : { roles: chosen }),
  }
}

function Names() {
  return (
    <>
      <Field label={t`Username`} hint={t`Lower-case letters, digits and . _ @ -`}>
        <input
          name="username"
          required
          maxLength={64}
          pattern="[a-z0-9][a-z0-9._@\-]*"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      </Field>
      <Field label={t`Name`}>
        <input name="display_name" required maxLength={160} autocomplete="off" />
      </Field>
    </>
  )
}

function Roles({ held }: { held: readonly Role[] }) {
  return (
    <fieldset class="choices">
      <legend class="choices-title">{t`Roles`}</legend>
      {roles.map(([role, meaning]) => (
        <label key={role}>
          <input type="checkbox" name="roles" value={role} defaultChecked={held.includes(role)} /> {wordOf(role)}{' '}
          <span class="muted">{meaning}</span>
        </label>
      ))}
    </fieldset>
  )
}

function FirstPassword() {
  return (
    <Field label={t`First password`} hint={t`12 to 128 characters; tell it in person.`}>
      <input
        name="password"
        type="text"
        required
        minLength={12}
        maxLength={128}
        autocomplete="off"
        spellcheck={false}
      />
    </Field>
  )
}
