/** Which URLs a receiver may have, before its name is resolved. */
import { expect, test } from 'bun:test'
import { Fault } from '../../../src/core/faults.ts'
import { networksOf } from '../../../src/core/networks.ts'
import { requireUsableUrl } from '../../../src/modules/webhooks/webhooks.request.ts'

function refusalOf(url: string, networks: readonly string[] = []): string | undefined {
  try {
    requireUsableUrl(url, networksOf(networks))
    return undefined
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return error.detail
    throw error
  }
}
const https = 'Body field url: write https, since http is for the networks of QUIRE_WEBHOOK_NETWORKS alone.'
const inside = (host: string) =>
  `Body field url: ${host} is inside a private network that QUIRE_WEBHOOK_NETWORKS does not name.`

test.each([
  ['https://receiver.test/hook?a=1', [], undefined],
  ['https://93.184.216.34/hook', [], undefined],
  ['http://receiver.test/hook', [], https],
  // A name may turn out to be in a network that is named.
  ['http://receiver.test/hook', ['10.0.0.0/8'], undefined],
  ['https://10.1.2.3/hook', [], inside('10.1.2.3')],
  ['https://10.1.2.3/hook', ['10.0.0.0/8'], undefined],
  ['http://10.1.2.3/hook', ['10.0.0.0/8'], undefined],
  ['https://10.1.2.3/hook', ['10.2.0.0/16'], inside('10.1.2.3')],
  ['http://93.184.216.34/hook', ['10.0.0.0/8'], 'Body field url: 93.184.216.34 is asked by https only.'],
  ['https://[::1]/hook', [], inside('::1')],
  ['https://[::1]/hook', ['::1'], undefined],
  ['https://ann@receiver.test/', [], 'Body field url: it must have no credentials.'],
  ['https://:secret@receiver.test/', [], 'Body field url: it must have no credentials.'],
  ['https://receiver.test/#part', [], 'Body field url: the part after # is never sent, so leave it out.'],
] as [string, string[], string | undefined][])(
  'a receiver at %s is refused with why, or taken, by the networks %p',
  (url, networks, refusal) => {
    expect(refusalOf(url, networks)).toBe(refusal)
  },
)
