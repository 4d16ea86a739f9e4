/** Where the service of the tests is, without what it takes to start one. */
export const host = 'quire.test:8080'
export const origin = `http://${host}`
export const goodPassword = 'a-long-and-odd-phrase'

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
}
