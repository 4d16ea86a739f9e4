/**
 * When the text of the last section is gone, the break before it would open an empty page. The section before becomes the
 * last one: its properties move to the end of the body (ECMA-376 part 1, 17.6.17). `prefix` is what the document writes
 * before WordprocessingML names. Any other text is returned unchanged.
 */
export function withLastSection(text: string, prefix: string): string {
  const body = text.lastIndexOf(`</${prefix}body>`)
  const last = text.lastIndexOf(`<${prefix}sectPr`, body)
  if (body < 0 || last < 0 || !isOneSection(text.slice(last, body).trimEnd(), prefix)) return text
  const before = text.slice(0, last).trimEnd()
  const start = Math.max(before.lastIndexOf(`<${prefix}p>`), before.lastIndexOf(`<${prefix}p `))
  const paragraph = start < 0 ? '' : before.slice(start)
  const end = `</${prefix}p>`
  if (!paragraph.endsWith(end) || paragraph.indexOf(end) !== paragraph.length - end.length) return text
  const from = paragraph.indexOf(`<${prefix}sectPr`)
  const close = paragraph.indexOf(`</${prefix}pPr>`)
  if (from < 0 || close < from) return text
  const to = endOfSection(paragraph, from, prefix)
  const section = paragraph.slice(from, to)
  if (to > close || !isOneSection(section, prefix)) return text
  const kept = paragraph.slice(0, from) + paragraph.slice(to)
  return before.slice(0, start) + kept + section + text.slice(body)
}

function endOfSection(text: string, from: number, prefix: string): number {
  const open = text.indexOf('>', from)
  if (text[open - 1] === '/') return open + 1
  const close = `</${prefix}sectPr>`
  return text.indexOf(close, from) + close.length
}

/** Tracked changes hold a second one inside, which stays unchanged. */
function isOneSection(text: string, prefix: string): boolean {
  return endOfSection(text, 0, prefix) === text.length && !text.includes('sectPrChange')
}
