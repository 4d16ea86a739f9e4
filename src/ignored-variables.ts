import { nearest } from './core/nearest.ts'

/** Variables that Kubernetes and Docker set for each service: its host, and its ports with their protocols. */
const setByPlatform = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?$/

/**
 * Variables that begin like a setting but aren't one, each with a remark. A misspelt variable must be seen, but not
 * stop the program: a container platform sets `QUIRE_SERVICE_HOST`, `QUIRE_PORT_8080_TCP` and others for every service
 * called quire.
 */
export function ignoredVariables(environment: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): string[] {
  const unknown = Object.keys(environment).filter((name) => name.startsWith('QUIRE_') && !known.has(name))
  return unknown.map((variable) => {
    const meant = setByPlatform.test(variable) ? undefined : nearest(variable, known)
    return `${variable}: there is no such setting, so it is ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`
  })
}
