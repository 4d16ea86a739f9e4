/** Calling a running Quire from the command line. */
import { ExecutionUnfinished, QuireClient, QuireRefusal, QuireUnreachable } from '../client/client.ts'
import { detailOf } from '../core/error-cause.ts'
import { UsageError } from './command.ts'
import { CommandFailure } from './files.ts'
import { plainLines } from './plain.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Where a command's work is done. */
export interface Called {
  /** One of the server's origins, such as https://quire.example.com; QUIRE_SERVER where it is left out. */
  server: string | undefined
  /** Names that the command line has for fields of requests: `--at` for `effective_from`. */
  words?: Readonly<Record<string, string>>
  /** Whether lines on stderr say that the server doesn't answer and the command waits, and later that it answers again. */
  tellsWaiting?: boolean
}

/**
 * Does work on a server: with the token of QUIRE_TOKEN, else signed in as QUIRE_USERNAME for as long as it takes.
 *
 * @throws UsageError without a server, or anybody to act for; CommandFailure for what the server refuses
 */
export async function withServer<Result>(
  { server, words = {}, tellsWaiting = false }: Called,
  work: (quire: QuireClient) => Promise<Result>,
  variables: Variables = process.env,
): Promise<Result> {
  const address = server ?? variables.QUIRE_SERVER ?? 'http://127.0.0.1:8080'
  const { QUIRE_TOKEN: token, QUIRE_USERNAME: username, QUIRE_PASSWORD: password } = variables
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${address}" is no address, such as https://quire.example.com`)
  }
  const { origin } = url
  if (token === undefined && (username === undefined || password === undefined)) {
    throw new UsageError(
      'set QUIRE_TOKEN to a token, which the console makes (Tokens) or, beside the server, quire token add; or set QUIRE_USERNAME and QUIRE_PASSWORD to sign in',
    )
  }
  try {
    const onTrouble = tellsWaiting ? waitingTold(origin) : undefined
    if (token !== undefined) return await work(new QuireClient({ origin, token, onTrouble }))
    const quire = new QuireClient({ origin, onTrouble })
    await quire.login({ body: { username: username ?? '', password: password ?? '' } })
    try {
      return await work(quire)
    } finally {
      // A failed logout is ignored: the session ends by itself, nobody else has it, and the work's result counts.
      await quire.logout().catch(() => undefined)
    }
  } catch (error) {
    throw failureOf(error, origin, words)
  }
}

function waitingTold(address: string): (trouble: Error | undefined) => void {
  return (trouble) => {
    const why = trouble === undefined ? '' : (detailOf(trouble) ?? trouble.message)
    const line = trouble === undefined ? `${address} answers again` : `waiting for ${address}: ${why}`
    process.stderr.write(plainLines(`quire: ${line}\n`))
  }
}

/** Codes of systems and of Bun where somebody was there, and did not answer to the end. */
const brokenOff = [
  'ECONNRESET',
  'EPIPE',
  'ConnectionClosed',
  'Malformed_HTTP_Response',
  'ZlibError',
  'ShortRead',
  'ResponseHeadersTooLarge',
]

function failureOf(error: unknown, address: string, words: Readonly<Record<string, string>>): unknown {
  if (error instanceof ExecutionUnfinished) return new CommandFailure(error.message)
  if (error instanceof QuireRefusal) {
    const { detail } = error.problem
    const errors = 'errors' in error.problem ? error.problem.errors : []
    const places = errors.filter(({ message }) => message !== detail).map((issue) => inWords(lineOf(issue), words))
    return new CommandFailure([`${address} refused: ${inWords(detail, words)}`, ...places].join('\n'))
  }
  // What Quire answers has the members that its description says.
  if (error instanceof TypeError) {
    return new CommandFailure(
      `${address} does not answer as Quire does: what came is no such answer; see that a Quire of this version serves there, and nothing in between answers for it`,
    )
  }
  // `fetch` gives the system's code where it could not connect.
  const code = detailOf(error instanceof QuireUnreachable ? error.cause : error)
  if (code === undefined) return error
  if (brokenOff.includes(code)) {
    return new CommandFailure(
      `the connection to ${address} broke off: ${code}; try again, and see whether a Quire serves there and what lies in between`,
    )
  }
  return new CommandFailure(
    `${address} does not answer: ${code}; start Quire there with quire serve, or name its address with --server or QUIRE_SERVER`,
  )
}

/** Replaces a message's request fields by the words of the command line, which are what the user wrote. */
export function inWords(text: string, words: Readonly<Record<string, string>>): string {
  return text
    .replace(/\b(?:Body|Query|Path) field ([a-z_]+)(?:\.(?=\w))?/g, (whole, field: string) => {
      const word = words[field]
      // A member of a field is a value of the option: `params.limit` is `--param limit`.
      return word === undefined ? whole : `${word}${whole.endsWith('.') ? ' ' : ''}`
    })
    .replace(/(?<=^ *)\/([a-z_]+)(?=[:\s])/g, (whole, field: string) => words[field] ?? whole)
}

/** What an answer says of one thing that is wrong. */
interface Issue {
  path?: string | undefined
  message: string
  context?: Readonly<Record<string, string>> | undefined
}

/** An issue as a line: its place, then what is wrong. A place in a file's text is `file:line:column`, as editors follow it. */
export function lineOf({ path = '', message, context = {} }: Issue): string {
  const { line, column = '1' } = context
  if (path === '') return `  ${message}`
  if (line === undefined || path.startsWith('/')) return `  ${path}: ${message}`
  const [file = '', ...pointer] = path.split('#')
  return `  ${file}:${line}:${column}${pointer.length === 0 ? '' : ` ${pointer.join('#')}`}: ${message}`
}
