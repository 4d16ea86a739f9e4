import { parseArgs } from 'node:util'
import type { Print } from '../control-socket.ts'
import { systemAuthor } from '../core/actor.ts'
import { Fault } from '../core/faults.ts'
import { limits } from '../core/limits.ts'
import { ALL, type Role } from '../http/access.ts'
import { type Accounts, createAccounts } from '../modules/users/accounts.service.ts'
import type { NewServiceAccount, UserRow, UserService } from '../modules/users/users.service.ts'
import { ranBeside } from './beside.ts'
import { type Command, UsageError } from './command.ts'
import { plain } from './plain.ts'
import { printJson, toStdout } from './print-json.ts'
import { noVerb } from './usage.ts'
import { withDatabase } from './with-database.ts'

/**
 * `quire user …`: accounts, with or without a running server, for the first steps and for the day nobody can log in. Passwords are
 * generated and printed once, so that none ends up in a shell's history.
 */
export const runUser: Command = async (args, context) => {
  const work = parseUserCommand(args)
  if (await ranBeside(context, 'user', args)) return 0
  await withDatabase(context, (ports) => work(createAccounts(ports)))
  return 0
}

const verbs = ['add', 'list', 'reset-password', 'reset-factors', 'disable', 'enable']

type UserWork = (accounts: Accounts, print?: Print) => Promise<void>

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
  if (command === 'list') return (accounts, print = toStdout) => list(accounts, { json, print })
  const change = changeOf(command, positionals, options)
  return async (accounts, print = toStdout) => {
    const { user, password, said } = await change(accounts)
    if (json !== true) print(said)
    else printJson({ ...userToTell(user), ...(password === undefined ? {} : { password }) }, print)
  }
}

/** What a change came to. */
interface Changed {
  user: UserRow
  /** Shown only now. */
  password?: string
  /** For people. */
  said: string
}

function changeOf(
  command: string | undefined,
  [username, ...more]: readonly string[],
  options: { role?: string[] | undefined; name?: string | undefined; service?: boolean | undefined },
): (accounts: Accounts) => Promise<Changed> {
  const { role: roles = [], name, service } = options
  if (!verbs.includes(command ?? '')) {
    throw new UsageError(noVerb('user', command, verbs))
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
  if (command === 'reset-factors') return (accounts) => resetFactors(accounts, username)
  return async ({ users }) => {
    const { id } = await named(users, username)
    const user = await users.update(id, { disabled: command === 'disable' }, systemAuthor())
    return { user, said: `${username} is ${command}d` }
  }
}

function isRole(text: string): text is Role {
  return ALL.some((role) => role === text)
}

/** Running the executable needs no account, so the audit trail names Quire itself. */
async function add({ users, auth }: Accounts, account: NewServiceAccount): Promise<Changed> {
  const password = auth.generatePassword()
  const user = await users.create({ ...account, password, mustChangePassword: true }, systemAuthor())
  const said = `${account.username} was added; the password, to be changed at the first login, is ${password}`
  return { user, password, said }
}

async function addService({ users }: Accounts, account: NewServiceAccount): Promise<Changed> {
  const user = await users.createServiceAccount(account, systemAuthor())
  const next = `make a token for it: quire token add ${account.username} --name … --scope …`
  return { user, said: `${account.username} was added; ${next}` }
}

async function resetPassword({ users, auth }: Accounts, username: string): Promise<Changed> {
  const password = auth.generatePassword()
  await users.resetPassword((await named(users, username)).id, password, systemAuthor())
  const said = `the password of ${username}, to be changed at the next login, is ${password}`
  return { user: await named(users, username), password, said }
}

async function resetFactors({ users }: Accounts, username: string): Promise<Changed> {
  const user = await users.resetFactors((await named(users, username)).id, systemAuthor())
  return { user, said: `${username} has no second factor any more, and signs in with the password alone` }
}

async function named(users: UserService, username: string): Promise<UserRow> {
  const user = await users.findByUsername(username)
  if (user === undefined) throw new Fault('not_found', `there is no user ${username}; "quire user list" shows all`)
  return user
}

/** A line for each user: tab-separated, or an object as JSON. */
async function list({ users }: Accounts, { json, print }: { json: boolean | undefined; print: Print }): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await users.list(limits.pageSizeMax, cursor)
    for (const user of page.rows) {
      if (json === true) {
        printJson(userToTell(user), print)
        continue
      }
      const marks = [
        user.disabled ? 'disabled' : '',
        user.mustChangePassword ? 'must change password' : '',
        user.isService ? 'service account' : '',
      ]
      const cells = [user.username, user.roles.join(','), user.displayName, ...marks.filter((mark) => mark !== '')]
      print(cells.map(plain).join('\t'))
    }
    cursor = page.last?.id
  } while (cursor !== undefined)
}

function userToTell({ id, username, displayName, roles, disabled, mustChangePassword, isService }: UserRow): object {
  const names = { display_name: displayName, must_change_password: mustChangePassword, is_service: isService }
  return { id, username, roles, disabled, ...names }
}
