import type { Database } from './database.ts'

/** Opens `file:…`, `libsql://…` (also http, https, ws, wss) or `postgres://…`; the driver is imported only then. */
export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith('file:')) {
    const { openLibsqlFile } = await import('./libsql.ts')
    return openLibsqlFile(url.slice('file:'.length))
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(url)
  }
  const { openLibsqlRemote } = await import('./libsql.ts')
  return openLibsqlRemote(url)
}
