export interface PostgresHost {
  hostname: string
  port: number
}

const usualPort = 5432

/**
 * The servers in a PostgreSQL URL: one, or several separated by commas, as in libpq (`postgres://user@one:5432,two:5432/name`);
 * none if the URL names a socket's folder.
 */
export function postgresHosts(url: string): PostgresHost[] {
  const authority = authorityOf(url)
  if (authority === '' || authority.includes('%')) return []
  return authority.split(',').map((host) => {
    const [, hostname = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? []
    return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === undefined ? usualPort : Number(port) }
  })
}

/**
 * The socket in a folder that a URL names instead of a server, as in libpq: `postgres://quire@%2Fvar%2Frun%2Fpostgresql/name`.
 */
export function postgresSocket(url: string): string | undefined {
  const [, folder, port = usualPort] = /^(%2F[^:]*)(?::(\d+))?$/i.exec(authorityOf(url)) ?? []
  return folder === undefined ? undefined : `${decodeURIComponent(folder)}/.s.PGSQL.${port}`
}

function authorityOf(url: string): string {
  return /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? ''
}
