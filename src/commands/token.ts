import { parseArgs } from 'node:util'
import type { Print } from '../control-socket.ts'
import { systemAuthor } from '../core/actor.ts'
import type { Clock } from '../core/clock.ts'
import { Fault } from '../core/faults.ts'
import { isUuid } from '../core/ids.ts'
import { formatInstant, type Instant } from '../core/instant.ts'
import { type FamilyKind, familyKinds } from '../core/kinds.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/database.ts'
import { type TokenScope, tokenScopes } from '../http/access.ts'
import { findFamilyBySlug } from '../modules/families/families.reads.ts'
import { createTokenService, statusOf, type Token, type TokenService } from '../modules/tokens/tokens.service.ts'
import { createAccounts } from '../modules/users/accounts.service.ts'
import { ranBeside } from './beside.ts'
import { type Command, UsageError } from './command.ts'
import { plain } from './plain.ts'
import { printJson, toStdout } from './print-json.ts'
import { noVerb } from './usage.ts'
import { withDatabase } from './with-database.ts'

/** `quire token …`: API tokens, with or without a running server, for a program's first one and for a leak at night. */
export const runToken: Command = async (args, context) => {
  const work = parseTokenCommand(args)
  if (await ranBeside(context, 'token', args)) return 0
  await withDatabase(context, work)
  return 0
}

interface Store {
  database: Database
  clock: Clock
  log: Log
}
type TokenWork = (store: Store, print?: Print) => Promise<void>

/** How it prints. */
interface Telling {
  json: boolean
  print: Print
}

interface Wanted {
  name: string
  scopes: TokenScope[]
  /** `kind/slug` of each. */
  families: string[]
  days: number
}

/** What the command does, which throws Fault for what is refused. @throws UsageError */
export function parseTokenCommand(args: readonly string[]): TokenWork {
  const [command, ...rest] = args
  const { values, positionals } = parseArgs({
    args: rest,
    options: {
      name: { type: 'string' },
      scope: { type: 'string', multiple: true },
      family: { type: 'string', multiple: true },
      days: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const { json, ...adding } = values
  const [subject, ...more] = positionals
  if (command === undefined || !verbs.includes(command)) throw new UsageError(noVerb('token', command, verbs))
  if (more.length > 0) throw new UsageError(`"quire token ${command}" takes one name`)
  if (command !== 'add' && Object.keys(adding).length > 0) {
    throw new UsageError(`--${Object.keys(adding)[0]} goes with "quire token add"`)
  }
  if (command === 'list') return (store, print = toStdout) => list(store, subject, { json: json === true, print })
  if (command === 'revoke') {
    if (subject === undefined || !isUuid(subject)) throw new UsageError('"quire token revoke" wants the id of a token')
    return (store, print = toStdout) => revoke(store, subject.toLowerCase(), { json: json === true, print })
  }
  if (subject === undefined) throw new UsageError('"quire token add" wants one username')
  const wanted = readWanted(adding)
  return (store, print = toStdout) => add(store, subject, { ...wanted, json: json === true, print })
}

const verbs = ['add', 'list', 'revoke']

interface Adding {
  name?: string | undefined
  scope?: string[] | undefined
  family?: string[] | undefined
  days?: string | undefined
}

function readWanted({ name, scope: scopes = [], family: families = [], days }: Adding): Wanted {
  if (name === undefined || name.trim() === '') throw new UsageError('"quire token add" wants --name')
  if (name.length > limits.tokenNameChars) {
    throw new UsageError(`--name takes at most ${limits.tokenNameChars} characters`)
  }
  if (scopes.length === 0 || !scopes.every(isScope)) {
    throw new UsageError(`"quire token add" wants --scope, one or more of ${tokenScopes.join(', ')}`)
  }
  const lifetime = days === undefined ? limits.tokenLifetimeDefaultDays : Number(days)
  if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > limits.tokenLifetimeDays) {
    throw new UsageError(`--days takes a whole number from 1 to ${limits.tokenLifetimeDays}`)
  }
  if (!families.every((reference) => kindIn(reference) !== undefined)) {
    throw new UsageError('--family takes a kind and a slug, such as ingestion_model/clws-policy')
  }
  return { name, scopes: [...new Set(scopes)], families, days: lifetime }
}

function kindIn(reference: string): FamilyKind | undefined {
  const [word, slug = ''] = reference.split('/')
  return slug === '' ? undefined : familyKinds.find((known) => known === word)
}

function isScope(text: string): text is TokenScope {
  return tokenScopes.some((scope) => scope === text)
}

/** Running the executable needs no account, so the audit trail names Quire itself. */
async function add(
  store: Store,
  username: string,
  { families, json, print, ...wanted }: Wanted & Telling,
): Promise<void> {
  const userId = await userNamed(store, username)
  const ids = await Promise.all(families.map((reference) => familyNamed(store.database, reference)))
  const only = ids.length === 0 ? undefined : ids
  const { token, text } = await createTokenService(store).create({ ...wanted, userId, families: only }, systemAuthor())
  if (json) return printJson({ ...tokenToTell(token, store.clock.now()), token: text }, print)
  print(`the token ${token.id} of ${username}, good until ${formatInstant(token.expiresAt)}, is ${text}`)
}

async function userNamed(store: Store, username: string): Promise<string> {
  const user = await createAccounts(store).users.findByUsername(username)
  if (user === undefined) throw new Fault('not_found', `there is no user ${username}; "quire user list" shows all`)
  return user.id
}

/** @param reference `kind/slug` */
async function familyNamed(database: Database, reference: string): Promise<string> {
  const kind = kindIn(reference)
  const [, slug = ''] = reference.split('/')
  const family = kind && (await findFamilyBySlug(database.read, kind, slug))
  if (family === undefined) throw new Fault('not_found', `there is no ${kind} with the slug ${slug}`)
  return family.id
}

/** Whatever is left of the id's user is of no interest: a token that leaked must end. */
async function revoke(store: Store, id: string, { json, print }: Telling): Promise<void> {
  await createTokenService(store).revoke(id, systemAuthor())
  if (json) return printJson({ id, revoked: true }, print)
  print(`the token ${id} is revoked`)
}

/** A line for each token: tab-separated, or an object as JSON. */
async function list(store: Store, username: string | undefined, { json, print }: Telling): Promise<void> {
  const userId = username === undefined ? undefined : await userNamed(store, username)
  const tokens: TokenService = createTokenService(store)
  let cursor: string | undefined
  do {
    const page = await tokens.list({ userId, limit: limits.pageSizeMax, cursor })
    for (const token of page.rows) {
      const told = tokenToTell(token, store.clock.now())
      if (json) {
        printJson(told, print)
        continue
      }
      const reach = told.families?.join(',') ?? 'all families'
      const cells = [told.id, told.username, told.name, told.status, told.expires_at, told.scopes.join(','), reach]
      print(cells.map(plain).join('\t'))
    }
    cursor = page.last?.id
  } while (cursor !== undefined)
}

function tokenToTell(token: Token, now: Instant) {
  const { id, name, username, scopes, expiresAt, lastUsedAt, lastAddress } = token
  const families = token.familyNames.map(({ kind, slug }) => `${kind}/${slug}`)
  return {
    ...{ id, name, username, status: statusOf(token, now), expires_at: formatInstant(expiresAt), scopes },
    families: token.families === null ? null : families,
    last_used_at: lastUsedAt === null ? null : formatInstant(lastUsedAt),
    last_address: lastAddress,
  }
}
