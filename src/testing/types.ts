/** What tests are given, as plain types: the package's declarations name no engine. */

/** A value as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface QuireOptions {
  /** Folders of fonts besides those inside the package; by default, those that QUIRE_FONTS names. */
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
   * Runs an input through all nodes whose condition holds for it, in this process: contract, transformer, template,
   * DOCX and PDF.
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

/** The results of one node of the model. Reading a result that it didn't make throws an error that says why. */
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

/** A run. If a single node at the top of the model ran, the run also has its results. */
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

/** Anything to compare a cell with: a text, a number, a pattern, or an asymmetric matcher of `expect`. */
export type Cell = string | number | RegExp | { asymmetricMatch(other: unknown): boolean }

export interface Page {
  /** From 1 on. */
  readonly number: number
  readonly svg: string
}

/** What is not drawn exactly as written; the first 20 remarks of each step. */
export interface Report {
  readonly remarks: readonly Remark[]
  /** Fonts that were replaced or can't be used, by the name that the document gives them. */
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
  /** The document, or a text, contains this text. Any run of white space counts as one blank; blank lines are ignored. */
  toContainText(text: string | RegExp): void
  /** A table of the document has these rows, one after another, each with all its cells. */
  toHaveRows(rows: readonly (readonly Cell[])[]): void
  /**
   * The pages look like those in a folder of `page-<n>.svg`, which QUIRE_UPDATE=1 writes. Await it.
   *
   * @param folder relative to the project's; by default, the folder of the case's expectations
   */
  toMatchPages(folder?: string, options?: PageOptions): Promise<void>
  /**
   * The value satisfies a contract of the project, or a JSON Schema. Without one: the run's input satisfied its model's
   * contract.
   */
  toSatisfyContract(contract?: Contract | object): void
}
