/** What tests are given, as plain types: the package's declarations name no engine. */

/** A value as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface QuireOptions {
  /** Folders of fonts besides those inside of the package; those that QUIRE_FONTS names unless given. */
  fonts?: readonly string[]
}

export interface RunOptions {
  /** The submission's params, where a transformer declares some. */
  params?: { readonly [name: string]: string | number | boolean }
}

/** A project folder; its files are read when they are needed, and again when they have changed. */
export interface Project {
  readonly folder: string
  /** The slugs of its ingestion models. */
  readonly models: readonly string[]
  /** Its cases: `<model>/<name>`. */
  readonly cases: readonly string[]
  /**
   * Runs an input through all nodes that want it, in this process: contract, transformer, template, DOCX and PDF.
   *
   * @param model the slug of an ingestion model
   * @param input a value, or a text exactly as it would be submitted
   * @throws ProjectUnusable; Error for an unknown model
   */
  run(model: string, input: object | string, options?: RunOptions): Promise<RunResult>
  /**
   * Runs a case of the project, with its params.
   *
   * @param name `<model>/<name>`, for `cases/<model>/<name>.json`
   */
  runCase(name: string): Promise<RunResult>
  /**
   * A contract of the project, for `toSatisfyContract`.
   *
   * @param name its slug or title, or `<slug>@<version>` where its file has one
   */
  contract(name: string): Contract
}

/** What one node of the model made. What it did not make is an error that says why, when it is asked for. */
export interface NodeResult {
  /** The keys down to the node, with slashes between them. */
  readonly address: string
  /** Why the input was refused; undefined if it was not. */
  readonly refusal: Refusal | undefined
  /** What the transformer made. */
  readonly output: Json
  /** The text of the DOCX: a line for each paragraph, ` | ` between the cells of a row. */
  readonly text: string
  /** The tables of the DOCX, nested ones behind those that they are in. */
  readonly tables: readonly Table[]
  readonly docx: Uint8Array
  readonly pdf: Uint8Array
  /** The PDF's. */
  readonly pageCount: number
  readonly report: Report
  /** Draws the pages. */
  pages(): Promise<readonly Page[]>
}

/** A run. Where one node is at the top of the model, or one wants the input, the run has what that node made. */
export interface RunResult extends NodeResult {
  /** All nodes that ran, parents before their children. */
  readonly nodes: readonly NodeResult[]
  /** @param address as `letter/notice` */
  node(address: string): NodeResult
}

export interface Refusal {
  readonly step: string
  readonly code: string
  readonly message: string
  /** At most 20. */
  readonly issues: readonly Issue[]
}

/** What is wrong with a file of the project. */
export interface ProjectFinding {
  /** Below the project's folder. */
  readonly file: string
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly path?: string
  readonly line?: number
  readonly column?: number
}

/** One thing that is wrong. `path` is a JSON Pointer into the input, or a line and column of a source. */
export interface Issue {
  readonly path: string
  readonly keyword?: string
  readonly message: string
}

/** Rows of cells, each with its text: a line for each paragraph. */
export type Table = readonly (readonly string[])[]

/** Anything a cell may be compared with: a text, a number, a pattern, or an asymmetric matcher of `expect`. */
export type Cell = string | number | RegExp | { asymmetricMatch(other: unknown): boolean }

export interface Page {
  /** From 1 on. */
  readonly number: number
  readonly svg: string
}

/** What is not drawn exactly as written; the first 20 remarks of each step. */
export interface Report {
  readonly remarks: readonly Remark[]
  /** The fonts that others replace, or that can't be used, by the name that the document gives them. */
  readonly fonts: readonly { readonly family: string; readonly code: string; readonly message: string }[]
}

export interface Remark {
  readonly code: string
  readonly message: string
  readonly path?: string
}

/** A JSON Schema that values can be compared with. */
export interface Contract {
  readonly name: string
  /** What is wrong with a value; nothing where it satisfies the contract. */
  issuesOf(value: unknown): readonly Issue[]
}

export interface PageOptions {
  /** Points by which what is drawn may be elsewhere; half a point unless given. */
  tolerance?: number
}

/** The matchers that `expect` has from this package. */
export interface QuireMatchers {
  /**
   * The document, or a text, has this text. Blanks of all kinds count as one, and blank lines not at all.
   */
  toContainText(text: string | RegExp): void
  /** A table of the document has these rows, one after another, each with all its cells. */
  toHaveRows(rows: readonly (readonly Cell[])[]): void
  /**
   * The pages look as those in a folder of `page-<n>.svg`, which QUIRE_UPDATE=1 writes. Await it.
   *
   * @param folder below the project's; that of the case's expectations where a case was run
   */
  toMatchPages(folder?: string, options?: PageOptions): Promise<void>
  /**
   * A value satisfies a contract of the project, or a JSON Schema. Without one: the run's input satisfied its model's.
   */
  toSatisfyContract(contract?: Contract | object): void
}
