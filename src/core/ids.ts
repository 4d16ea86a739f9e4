/** The source of new ids. A simulation replaces it, so that one seed always gives the same ids. */
export const idSource = { next: (): string => Bun.randomUUIDv7() }

/** A new UUIDv7: sorts by the time it was made. */
export function newId(): string {
  return idSource.next()
}

/** A UUIDv8 (RFC 9562) made from a SHA-256 in hexadecimal: the same hash always gives the same id. */
export function uuidFromHash(hash: string): string {
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** What the interface allows as an Idempotency-Key. */
export const idempotencyKeyPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$/

export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export function isSlug(text: string): boolean {
  return slugPattern.test(text)
}

/** A slug from a human name: letters without their marks, everything else a hyphen; 'item' when nothing is left. */
export function slugify(name: string, maxLength = 64): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'item' : slug
}
