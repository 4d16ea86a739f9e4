const texts = new WeakMap<object, string>()

/** JSON.stringify of an object that is never modified, made once: an answer is attested, recorded and sent. */
export function textOnce(value: unknown): string {
  const known = textMade(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  if (typeof value === 'object' && value !== null) texts.set(value, text)
  return text
}

/** What `textOnce` has given for the same object before. */
export function textMade(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined
}
