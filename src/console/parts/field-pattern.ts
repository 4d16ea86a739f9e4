/** A pattern attribute matches the whole text by itself, and wants a hyphen at the end of a class escaped. */
export function fieldPattern(pattern: string): string {
  return pattern.replace(/^\^|\$$/g, '').replaceAll('-]', '\\-]')
}
