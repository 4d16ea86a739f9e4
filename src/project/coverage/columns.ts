/** What is counted apart, in the order of the table. Completions name them, so this loads none of what counts. */
export const coverageColumns = ['model', 'contract', 'refusals', 'transformer', 'template'] as const
export type CoverageColumn = (typeof coverageColumns)[number]
