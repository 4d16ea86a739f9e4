/** A new UUIDv7: sorts by the time it was made. */
export function newId(): string {
  return Bun.randomUUIDv7()
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export function isSlug(text: string): boolean {
  return SLUG.test(text)
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
