/** The kinds of data of a submission that a policy may remove before the rest, in the order in which they are shown. */
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
