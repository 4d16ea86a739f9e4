export interface PostgresHost {
  hostname: string
  port: number
}

const usualPort = 5432

/**
 * The servers that a URL of PostgreSQL names, one or several with commas between them (as libpq has it:
 * `postgres://user@one:5432,two:5432/name`); none if it names a socket's folder.
 */
export function postgresHosts(url: string): PostgresHost[] {
  const authority = authorityOf(url)
  if (authority === '' || authority.includes('%')) return []
  return authority.split(',').map((host) => {
    const [, hostname = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? []
    return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === undefined ? usualPort : Number(port) }
  })
}

/** The socket of the folder that a URL names in place of a server (as libpq has it: `postgres://quire@%2Fvar%2Frun%2Fpostgresql/name`). */
export function postgresSocket(url: string): string | undefined {
  const [, folder, port = usualPort] = /^(%2F[^:]*)(?::(\d+))?$/i.exec(authorityOf(url)) ?? []
  return folder === undefined ? undefined : `${decodeURIComponent(folder)}/.s.PGSQL.${port}`
}

function authorityOf(url: string): string {
  return /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? ''
}
