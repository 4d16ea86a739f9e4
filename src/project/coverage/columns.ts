/** The columns of the coverage table, in order. Completions list them, so this loads none of the code that measures. */
export const coverageColumns = ['model', 'contract', 'refusals', 'transformer', 'template'] as const
export type CoverageColumn = (typeof coverageColumns)[number]
