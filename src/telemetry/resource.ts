/** The process that reports: the same for its spans and its metrics. */
export interface Resource {
  attributes: Attributes
  /** The part of it that measured: the instrumentation scope. */
  scope: { name: string; version: string }
}

export type Attributes = Readonly<Record<string, string | number | boolean>>
