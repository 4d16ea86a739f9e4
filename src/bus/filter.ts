/**
 * Whether a topic matches an MQTT filter: `+` matches one level, a last `#` any number of levels
 * (MQTT 5.0, 4.7). Topics that begin with `$` match no filter that begins with a wildcard.
 */
export function matchesFilter(filter: string, topic: string): boolean {
  const levels = filter.split('/')
  const parts = topic.split('/')
  if (topic.startsWith('$') && (levels[0] === '+' || levels[0] === '#')) return false
  for (const [index, level] of levels.entries()) {
    if (level === '#') return true
    if (index >= parts.length || (level !== '+' && level !== parts[index])) return false
  }
  return levels.length === parts.length
}
