import { limits } from './limits.ts'

/** A name of a query field that holds a credential, such as authToken, password or secret_access_key. */
const field = '[\\w.-]*(?:token|jwt|passw|pwd|secret|key|credential|signature)[\\w.-]*'
const fields = new RegExp(`([?&]${field}=)[^&#"]*`, 'gi')

/**
 * A URL as it may be shown or kept: without user and password, also those of a URL in its query, and without the values of query
 * fields that hold a credential. A user and password end at the last `@` before the path, or, where a password has a `/`, `?` or `#` in
 * it, which makes no URL, at the last one of all. Digits and a slash right behind a colon are taken for a port and a path.
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
