/**
 * A URL as it may be shown or kept: without its user and password, which end at the last `@` before the path, and without
 * the values of query fields that hold a credential.
 */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//…@').replace(/([?&](?:authToken|jwt|password|token)=)[^&#]*/gi, '$1…')
}
