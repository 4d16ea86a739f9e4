import { limits } from './limits.ts'

/** A name of a query field that holds a credential, such as authToken, password or secret_access_key. */
const field = '[\\w.-]*(?:token|jwt|passw|pwd|secret|key|credential|signature)[\\w.-]*'
const fields = new RegExp(`([?&]${field}=)[^&#"]*`, 'gi')

/**
 * A URL for display or storage: without user and password, also those of a URL in its query, and without values of query fields that
 * hold a credential. User and password end at the last `@` before the path. If a password contains `/`, `?` or `#`, which is no valid
 * URL, they end at the last `@` of all. Digits and a slash right after a colon count as a port and a path.
 */
export function withoutCredentials(url: string): string {
  return url
    .replace(/\/\/(?:[^/?#]*|[^/?#@:[]*:(?!\d{1,5}(?:[,/?#"]|$)).*)@/g, '//…@')
    .replace(/%2F%2F(?:(?!%2F|%3F|%23)[^/?#&])*%40/gi, '%2F%2F…%40')
    .replace(fields, '$1…')
}

/** The same for a text with URLs, each between quotes or blanks. */
export function withoutCredentialsIn(text: string): string {
  return text.slice(0, limits.shownWordsChars).replace(/"[^"]*"|[^"\s]+/g, withoutCredentials)
}
