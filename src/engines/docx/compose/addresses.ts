const allowedSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'ftps'])

/** Whether a reader may safely click it: one of the usual schemes, or an address without one. */
export function isSafeAddress(address: string): boolean {
  const scheme = /^\s*([^/?#]*?):/.exec(address)?.[1]
  if (address.startsWith('\\') || address.startsWith('//')) return false
  return scheme === undefined || allowedSchemes.has(scheme.toLowerCase())
}

export const unsafeLink = 'The link leads to an address that readers cannot safely open.'
export const linkHint = 'Give an address that begins with https:, http:, mailto: or tel:.'

/** A whole address with its forbidden characters encoded; existing escapes stay. */
export function encodeWhole(address: string): string {
  return encodeURI(address).replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
}
