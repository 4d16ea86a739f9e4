/** Calling a running Quire from the command line. */
import { QuireClient } from '../client/quire.ts'
import { QuireRefusal } from '../client/transport.ts'
import { detailOf } from '../core/error-cause.ts'
import { UsageError } from './command.ts'
import { CommandFailure } from './files.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Signs in to the server of `--server`, else of QUIRE_SERVER, does the work, and signs out.
 *
 * @param server one of the server's origins, such as https://quire.example.com
 * @throws UsageError without a server or somebody to sign in as; CommandFailure for what the server refuses
 */
export async function withServer<Result>(
  server: string | undefined,
  work: (quire: QuireClient) => Promise<Result>,
  variables: Variables = process.env,
): Promise<Result> {
  const address = server ?? variables.QUIRE_SERVER ?? 'http://127.0.0.1:8080'
  const { QUIRE_USERNAME: username, QUIRE_PASSWORD: password } = variables
  if (!URL.canParse(address)) throw new UsageError(`"${address}" is no address, such as https://quire.example.com`)
  if (username === undefined || password === undefined) {
    throw new UsageError('set QUIRE_USERNAME and QUIRE_PASSWORD to sign in')
  }
  const quire = new QuireClient({ origin: new URL(address).origin })
  try {
    await quire.login({ body: { username, password } })
    try {
      return await work(quire)
    } finally {
      await quire.logout()
    }
  } catch (error) {
    throw failureOf(error, address)
  }
}

function failureOf(error: unknown, address: string): unknown {
  if (error instanceof QuireRefusal) {
    const { detail, errors = [] } = error.problem as { detail: string; errors?: { path?: string; message: string }[] }
    const places = errors.filter(({ message }) => message !== detail).map(lineOf)
    return new CommandFailure([`${address} refused: ${detail}`, ...places].join('\n'))
  }
  // `fetch` gives the system's code where it could not connect.
  const code = detailOf(error)
  return code === undefined ? error : new CommandFailure(`${address} does not answer: ${code}`)
}

/** An issue as a line: its place, then what is wrong. */
export function lineOf({ path, message }: { path?: string; message: string }): string {
  return path === undefined || path === '' ? `  ${message}` : `  ${path}: ${message}`
}
