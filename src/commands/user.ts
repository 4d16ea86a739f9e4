import { parseArgs } from 'node:util'
import { type Author, SYSTEM_ACTOR_ID } from '../core/actor.ts'
import { canonicalJson } from '../core/canonical.ts'
import { Fault } from '../core/faults.ts'
import { newId } from '../core/ids.ts'
import { limits } from '../core/limits.ts'
import { ALL, type Role } from '../http/access.ts'
import { type Accounts, createAccounts } from '../modules/users/accounts.service.ts'
import type { NewServiceAccount, UserRow, UserService } from '../modules/users/users.service.ts'
import { type Command, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

/**
 * `quire user …`: accounts without a running server, for the first steps and for the day nobody can log in. Passwords
 * are generated and printed once, so that none ends up in a shell's history.
 */
export const runUser: Command = async (args, context) => {
  const work = parseUserCommand(args)
  await withDatabase(context, (ports) => work(createAccounts(ports)))
  return 0
}

type UserWork = (accounts: Accounts) => Promise<void>

/** What the command does with the accounts, which throw Fault for what they refuse. @throws UsageError */
export function parseUserCommand(args: readonly string[]): UserWork {
  const [command, ...rest] = args
  const { values, positionals } = parseArgs({
    args: rest,
    options: {
      role: { type: 'string', multiple: true },
      name: { type: 'string' },
      json: { type: 'boolean' },
      service: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const { json, ...options } = values
  if (command === 'list') return (accounts) => list(accounts, { json })
  if (json !== undefined) throw new UsageError('--json goes with "quire user list"')
  return workOn(command, positionals, options)
}

function workOn(
  command: string | undefined,
  [username, ...more]: readonly string[],
  options: { role?: string[] | undefined; name?: string | undefined; service?: boolean | undefined },
): UserWork {
  const { role: roles = [], name, service } = options
  if (!['add', 'reset-password', 'disable', 'enable'].includes(command ?? '')) {
    throw new UsageError(`there is no command "quire user ${command ?? ''}"; "quire help" lists them`)
  }
  if (username === undefined || more.length > 0) throw new UsageError(`"quire user ${command}" wants one username`)
  if (command === 'add') {
    if (roles.length === 0 || !roles.every(isRole)) {
      throw new UsageError(`"quire user add" wants --role, one or more of ${ALL.join(', ')}`)
    }
    const account = { username, displayName: name ?? username, roles }
    return (accounts) => (service === true ? addService(accounts, account) : add(accounts, account))
  }
  if (service !== undefined) throw new UsageError('--service goes with "quire user add"')
  if (command === 'reset-password') return (accounts) => resetPassword(accounts, username)
  return async ({ users }) => {
    await users.update((await named(users, username)).id, { disabled: command === 'disable' }, author())
    print(`${username} is ${command}d`)
  }
}

function isRole(text: string): text is Role {
  return ALL.some((role) => role === text)
}

/** Whoever may run the executable is not an account: the trail then says that Quire itself did it. */
function author(): Author {
  return { userId: SYSTEM_ACTOR_ID, correlationId: newId() }
}

async function add({ users, auth }: Accounts, account: NewServiceAccount): Promise<void> {
  const password = auth.generatePassword()
  await users.create({ ...account, password, mustChangePassword: true }, author())
  print(`${account.username} was added; the password, to be changed at the first login, is ${password}`)
}

async function addService({ users }: Accounts, account: NewServiceAccount): Promise<void> {
  await users.createServiceAccount(account, author())
  print(`${account.username} was added; make a token for it: quire token add ${account.username} --name … --scope …`)
}

async function resetPassword({ users, auth }: Accounts, username: string): Promise<void> {
  const password = auth.generatePassword()
  await users.resetPassword((await named(users, username)).id, password, author())
  print(`the password of ${username}, to be changed at the next login, is ${password}`)
}

async function named(users: UserService, username: string): Promise<UserRow> {
  const user = await users.findByUsername(username)
  if (user === undefined) throw new Fault('not_found', `there is no user ${username}; "quire user list" shows all`)
  return user
}

/** A line for each user: tab-separated, or an object as JSON. */
async function list({ users }: Accounts, { json }: { json: boolean | undefined }): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await users.list(limits.pageSizeMax, cursor)
    for (const user of page.rows) {
      if (json === true) {
        const { id, username, displayName, roles, disabled, mustChangePassword, isService } = user
        const names = { display_name: displayName, must_change_password: mustChangePassword, is_service: isService }
        print(canonicalJson({ id, username, roles, disabled, ...names }))
        continue
      }
      const marks = [
        user.disabled ? 'disabled' : '',
        user.mustChangePassword ? 'must change password' : '',
        user.isService ? 'service account' : '',
      ]
      print([user.username, user.roles.join(','), user.displayName, ...marks.filter((mark) => mark !== '')].join('\t'))
    }
    cursor = page.last?.id
  } while (cursor !== undefined)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
