import { temporaryFolder } from '../test/support/database.ts'
import { freePort } from '../test/support/postgres.ts'

/**
 * A `quire serve` of this source, or of the executable in QUIRE_BINARY, with the demo in force, and the headers of a signed-in
 * administrator.
 */
export interface Served {
  origin: string
  pid: number
  /** Its data directory. */
  data: string
  headers: Record<string, string>
  stop(): Promise<unknown>
}

/** Starts one on a free port and signs in. @param name of the bench, for the folder @param settings override its own */
export async function serveDemo(name: string, settings: Record<string, string> = {}): Promise<Served> {
  const data = temporaryFolder(`quire-${name}-`)
  const origin = `http://127.0.0.1:${await freePort()}`
  const built = process.env.QUIRE_BINARY
  const program = built === undefined ? [process.execPath, `${import.meta.dir}/../src/main.ts`] : [built]
  const child = Bun.spawn([...program, 'serve'], {
    env: {
      ...process.env,
      QUIRE_LISTEN: new URL(origin).host,
      QUIRE_DATA: data,
      QUIRE_DEMO: 'true',
      QUIRE_ADMIN_PASSWORD: 'a password for benches',
      QUIRE_LOG: 'error',
      ...settings,
    },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  while (!(await fetch(`${origin}/health/ready`).catch(() => undefined))?.ok) await Bun.sleep(50)
  const login = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'a password for benches' }),
  })
  const { csrf_token } = (await login.json()) as { csrf_token: string }
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
  const headers = { origin, cookie, 'x-csrf-token': csrf_token, 'content-type': 'application/json' }
  const stop = () => {
    child.kill()
    return child.exited
  }
  return { origin, pid: child.pid, data, headers, stop }
}
