import { parseArgs } from 'node:util'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { ALL, type Role } from '../../http/access.ts'
import { createAuthService } from '../auth/auth.service.ts'
import { createUserService, type UserRow, type UserService } from './users.service.ts'

/**
 * `quire user …`: accounts without a running server, for the first steps and for the day nobody can log in. Passwords
 * are generated and printed once, so that none stands in a shell's history.
 *
 * @param refuseUsage throws what the command line prints as wrong usage
 * @throws Fault for what the store refuses
 */
export async function runUserCommand(
  args: readonly string[],
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  refuseUsage: (message: string) => never,
): Promise<void> {
  const auth = createAuthService({ database, clock, log })
  const users = createUserService({ database, clock, auth })
  const [command, ...rest] = args
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: { role: { type: 'string', multiple: true }, name: { type: 'string' } },
    allowPositionals: true,
  })
  const username = positionals[0]
  if (command === 'list') {
    await list(users)
    return
  }
  if (username === undefined || positionals.length > 1) refuseUsage(`"quire user ${command ?? ''}" wants one username`)
  switch (command) {
    case 'add': {
      const roles = values.role ?? []
      const unknown = roles.find((role) => !(ALL as readonly string[]).includes(role))
      if (unknown !== undefined || roles.length === 0) {
        refuseUsage(`"quire user add" wants --role, one or more of ${ALL.join(', ')}`)
      }
      const password = auth.generatePassword()
      const user = {
        username,
        displayName: values.name ?? username,
        roles: roles as Role[],
        password,
        mustChangePassword: true,
      }
      await users.create(user, newId())
      print(`${username} was added; the password, to be changed at the first login, is ${password}`)
      return
    }
    case 'reset-password': {
      const password = auth.generatePassword()
      await users.resetPassword((await named(users, username)).id, password, newId())
      print(`the password of ${username}, to be changed at the next login, is ${password}`)
      return
    }
    case 'disable':
    case 'enable': {
      const disabled = command === 'disable'
      await users.update((await named(users, username)).id, { disabled }, newId())
      print(`${username} is ${command}d`)
      return
    }
    default:
      refuseUsage(`there is no command "quire user ${command ?? ''}"; "quire help" lists them`)
  }
}

async function named(users: UserService, username: string): Promise<UserRow> {
  const user = await users.findByUsername(username)
  if (user === undefined) throw new Fault('not_found', `there is no user ${username}; "quire user list" shows all`)
  return user
}

async function list(users: UserService): Promise<void> {
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
