/** A name of a query field that holds a credential, such as authToken, password or secret_access_key. */
const field = '[\\w.-]*(?:token|jwt|passw|pwd|secret|key|credential|signature)[\\w.-]*'
const fields = new RegExp(`([?&]${field}=)[^&#\\s"]*`, 'gi')

/**
 * A URL, or a text with URLs, as it may be shown or kept: without users and passwords, also those of a URL in a query, and without the
 * values of query fields that hold a credential. A user and password end at the last `@` before the path, or, where a password
 * has a `/`, `?` or `#` in it, which makes no URL, at the last one of all.
 */
export function withoutCredentials(url: string): string {
  return url
    .replace(/\/\/(?:[^/?#\s]*|[^/?#@:[\s]*:(?!\d{1,5}(?:[/?#\s"]|$))\S*)@/g, '//…@')
    .replace(/%2F%2F(?:(?!%2F|%3F|%23)[^/?#&\s])*%40/gi, '%2F%2F…%40')
    .replace(fields, '$1…')
}
