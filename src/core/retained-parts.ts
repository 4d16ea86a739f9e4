/** The kinds of a submission's data that a policy may remove before the rest, in display order. */
export const retainedParts = ['raw_input', 'output', 'artifacts', 'events', 'steps'] as const
export type RetainedPart = (typeof retainedParts)[number]

/** As words within a sentence. */
export const partTitles: Readonly<Record<RetainedPart, string>> = {
  raw_input: 'raw input',
  output: 'output',
  artifacts: 'documents',
  events: 'events',
  steps: 'details of steps',
}
