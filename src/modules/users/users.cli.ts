import { parseArgs } from 'node:util'
import { type Author, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { ALL, type Role } from '../../http/access.ts'
import { type Accounts, createAccounts } from './accounts.service.ts'
import type { UserRow, UserService } from './users.service.ts'

interface Services {
  database: Database
  clock: Clock
  log: Log
}

/**
 * `quire user …`: accounts without a running server, for the first steps and for the day nobody can log in. Passwords
 * are generated and printed once, so that none ends up in a shell's history.
 *
 * @param refuseUsage throws what the command line prints as wrong usage; called before anything is opened
 * @returns what the command does with an open store; throws Fault for what the store refuses
 */
export function parseUserCommand(
  args: readonly string[],
  refuseUsage: (message: string) => never,
): (services: Services) => Promise<void> {
  const [command, ...rest] = args
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: { role: { type: 'string', multiple: true }, name: { type: 'string' } },
    allowPositionals: true,
  })
  const work = command === 'list' ? list : workOn(command, positionals, values, refuseUsage)
  return async ({ database, clock, log }) => {
    await work(createAccounts({ database, clock, log }))
  }
}

function workOn(
  command: string | undefined,
  [username, ...more]: readonly string[],
  { role: roles = [], name }: { role?: string[] | undefined; name?: string | undefined },
  refuseUsage: (message: string) => never,
): (accounts: Accounts) => Promise<void> {
  if (!['add', 'reset-password', 'disable', 'enable'].includes(command ?? '')) {
    refuseUsage(`there is no command "quire user ${command ?? ''}"; "quire help" lists them`)
  }
  if (username === undefined || more.length > 0) refuseUsage(`"quire user ${command}" wants one username`)
  if (command === 'add') {
    if (roles.length === 0 || !roles.every(isRole)) {
      refuseUsage(`"quire user add" wants --role, one or more of ${ALL.join(', ')}`)
    }
    return (accounts) => add(accounts, username, name ?? username, roles.filter(isRole))
  }
  if (command === 'reset-password') return (accounts) => resetPassword(accounts, username)
  return async ({ users }) => {
    await users.update((await named(users, username)).id, { disabled: command === 'disable' }, author())
    print(`${username} is ${command}d`)
  }
}

function isRole(text: string): text is Role {
  return (ALL as readonly string[]).includes(text)
}

/** Whoever may run the executable is not an account: the trail then says that Quire itself did it. */
function author(): Author {
  return { userId: SYSTEM_ACTOR_ID, correlationId: newId() }
}

async function add({ users, auth }: Accounts, username: string, displayName: string, roles: Role[]): Promise<void> {
  const password = auth.generatePassword()
  await users.create({ username, displayName, roles, password, mustChangePassword: true }, author())
  print(`${username} was added; the password, to be changed at the first login, is ${password}`)
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

async function list({ users }: Accounts): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await users.list(limits.pageSizeMax, cursor)
    for (const user of page.rows) {
      const marks = [user.disabled ? 'disabled' : '', user.mustChangePassword ? 'must change password' : '']
      print([user.username, user.roles.join(','), user.displayName, ...marks.filter((mark) => mark !== '')].join('\t'))
    }
    cursor = page.last?.id
  } while (cursor !== undefined)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
