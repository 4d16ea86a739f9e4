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
  const [, authority = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url) ?? []
  if (authority === '' || authority.includes('%')) return []
  return authority.split(',').map((host) => {
    const [, hostname = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? []
    return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === undefined ? usualPort : Number(port) }
  })
}
