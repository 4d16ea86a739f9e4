/** What a run made, as tests look at it. */
import { type JsonValue, readJson } from '../core/json.ts'
import { documentTables } from '../engines/ooxml/document-text.ts'
import { describeRefusal } from '../suite/compare.ts'
import type { NodeRun } from '../suite/run.ts'
import type { Issue, NodeResult, Page, Remark, Report, RunResult, Table } from './types.ts'

/** Where a run took place, for whatever is named in relation to it. */
export interface Setting {
  /** The project's folder. */
  folder: string
  model: string
  input: JsonValue | undefined
  /** What its contract refuses of its input. */
  inputIssues(): readonly Issue[]
  /** `cases/<model>/<name>` of a case that was run, below the project's folder. */
  stem: string | undefined
}

/** Marks results, so that matchers know them whichever copy of this module made them. */
const brand = Symbol.for('@quire/testing result')

export function isResult(value: unknown): value is Made {
  return typeof value === 'object' && value !== null && brand in value
}

export class Made implements NodeResult {
  readonly [brand] = true

  constructor(
    readonly setting: Setting,
    protected readonly made: () => NodeRun,
  ) {}

  get address(): string {
    return this.made().address
  }

  get refusal(): NodeResult['refusal'] {
    return this.made().refusal
  }

  get output(): JsonValue {
    const read = readJson(this.#given('output', this.made().output))
    if (!read.ok) throw new Error('the engines wrote output that is no JSON')
    return read.value
  }

  get text(): string {
    return this.#given('text', this.made().text)
  }

  get tables(): readonly Table[] {
    const tables = documentTables(this.docx)
    if (!tables.ok) throw new Error('the engines made a DOCX that can not be read')
    return tables.value
  }

  get docx(): Uint8Array {
    return this.#given('DOCX', this.made().files.get('docx'))
  }

  get pdf(): Uint8Array {
    return this.#given('PDF', this.made().files.get('pdf'))
  }

  get pageCount(): number {
    return Number(this.#given('PDF', this.made().summaries.get('render'))?.pages)
  }

  get report(): Report {
    this.#refuse('report')
    const remarks = [...this.made().summaries.values()].flatMap(({ remarks = [] }) => remarks as readonly Remark[])
    const fonts = remarks.flatMap(({ code, message, path = '' }) => {
      const family = /^font#(.*)$/.exec(path)?.[1]
      return family === undefined ? [] : [{ family, code, message }]
    })
    return { remarks, fonts }
  }

  async pages(): Promise<readonly Page[]> {
    this.#refuse('pages')
    const drawn = await this.made().drawPages()
    return drawn.map((svg, index) => ({ number: index + 1, svg }))
  }

  /** @throws Error that says why there is none */
  #given<T>(name: string, value: T | undefined): T {
    this.#refuse(name)
    if (value === undefined) throw new Error(`The node ${this.address} makes no ${name}.`)
    return value
  }

  #refuse(name: string): void {
    const { refusal, address } = this.made()
    if (refusal === undefined) return
    throw new Error(`There is no ${name} of ${address}: its input was refused.\n${describeRefusal(refusal)}`)
  }

  /** Files of megabytes are no help in a message. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `${this.setting.model} { ${this.ran().join(', ')} }`
  }

  protected ran(): readonly string[] {
    return [this.address]
  }
}

/** A run; what its one document has is available from the run itself. */
export class Run extends Made implements RunResult {
  readonly nodes: readonly NodeResult[]

  constructor(setting: Setting, runs: readonly NodeRun[]) {
    super(setting, () => onlyRoot(runs, setting.model))
    this.nodes = runs.map((run) => new Made(setting, () => run))
  }

  node(address: string): NodeResult {
    const found = this.nodes.find((node) => node.address === address)
    if (found === undefined) throw new Error(`No node ${address} ran; ${namesOf(this.nodes)}.`)
    return found
  }

  protected override ran(): readonly string[] {
    return this.nodes.map(({ address }) => address)
  }
}

function onlyRoot(runs: readonly NodeRun[], model: string): NodeRun {
  const [root, ...others] = runs.filter(({ address }) => !address.includes('/'))
  if (root === undefined) throw new Error(`No node of ${model} wants this input.`)
  if (others.length === 0) return root
  throw new Error(`More than one node ran: ${namesOf(runs)}. Take one: run.node('${root.address}').`)
}

function namesOf(runs: readonly { address: string }[]): string {
  return runs.length === 0 ? 'none did' : runs.map(({ address }) => address).join(', ')
}
