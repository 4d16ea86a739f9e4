/** Objects' references inside inputs: what an input is about is told by no model where the intake refused it. */
import type { InParts } from './turns.ts'

/** All that could be a reference, each perhaps several times: whole, with nothing around it that a longer one could have. */
export function* referencesIn(text: string): Generator<string> {
  for (const [value] of text.matchAll(runs)) yield value
  if (!text.includes('\\')) return
  for (const [quoted] of text.matchAll(jsonStrings)) {
    if (!quoted.includes('\\')) continue
    for (const [value] of unescaped(quoted).matchAll(runs)) yield value
  }
}

/** The first part of a text that a condition holds for; in parts, since texts may be long. */
export function* findReference(text: string, isWanted: (reference: string) => boolean): InParts<string | undefined> {
  let last: string | undefined
  for (const reference of referencesIn(text)) {
    if (reference !== last && isWanted(reference)) return reference
    last = reference
    yield
  }
  return undefined
}

/** What `objectReferenceRule` lets a reference consist of. */
const runs = /[A-Za-z0-9._:@+-]+/g
const jsonStrings = /"(?:[^"\\]|\\.)*"/g

function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
