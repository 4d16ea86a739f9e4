import type { Print, Run } from '../control-socket.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/database.ts'
import type { Accounts } from '../modules/users/accounts.service.ts'
import { UsageError } from './command.ts'

/** What a server runs these commands with. */
export interface Served {
  database: Database
  clock: Clock
  log: Log
  accounts: Accounts
}

/** Runs a command for accounts in the process that serves; their code is loaded by the first one. */
export function runBeside({ accounts, ...store }: Served): Run {
  return async (command: string, args: readonly string[], print: Print) => {
    switch (command) {
      case 'user':
        return (await import('./user.ts')).parseUserCommand(args)(accounts, print)
      case 'token':
        return (await import('./token.ts')).parseTokenCommand(args)(store, print)
      case 'backup-note':
        return (await import('./backup-note.ts')).noteIn(store.database, args)
      default:
        throw new UsageError(`the server runs no "quire ${command}"; is it of another version?`)
    }
  }
}
