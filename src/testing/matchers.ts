/** The matchers; each message says what is wrong with the document, so that a failure needs no second run. */
import { contractOf } from './contract.ts'
import { matchPages, pagesNamed } from './pages-match.ts'
import { isResult, type Made } from './result.ts'
import { type Equals, findRows, rowsMessage } from './rows-match.ts'
import { comparableText, indented, notFoundMessage } from './text-match.ts'
import type { Cell, Contract, Issue, PageOptions } from './types.ts'

/** What bun's `expect` gives a matcher, as far as these need it. */
interface Context {
  equals: Equals
}

interface Verdict {
  pass: boolean
  message: () => string
}

export const matchers = {
  toContainText(received: unknown, wanted: unknown): Verdict {
    if (typeof wanted !== 'string' && !(wanted instanceof RegExp)) throw misused('toContainText', 'a text or a pattern')
    if (typeof wanted === 'string' && comparableText(wanted) === '') throw misused('toContainText', 'a text with words')
    const text = comparableText(typeof received === 'string' ? received : resultOf('toContainText', received).text)
    const pass = wanted instanceof RegExp ? text.search(wanted) !== -1 : text.includes(comparableText(wanted))
    const message = () => (pass ? `The document contains:\n${indented(String(wanted))}` : notFoundMessage(text, wanted))
    return { pass, message }
  },

  toHaveRows(this: Context, received: unknown, wanted: unknown): Verdict {
    if (!isRows(wanted)) throw misused('toHaveRows', 'rows of cells, at least one: [["Pen", "2"]]')
    const equals: Equals = (actual, expected) => this.equals(actual, expected)
    const place = findRows(resultOf('toHaveRows', received).tables, wanted, equals)
    const pass = place?.isWhole === true
    const message = () =>
      pass
        ? `A table of the document has these rows, from row ${place.first + 1} on.`
        : rowsMessage(place, wanted, equals)
    return { pass, message }
  },

  /** Misuse is thrown at once: of a promise that rejects, bun doesn't tell why. */
  toMatchPages(received: unknown, folder?: unknown, options?: unknown): Promise<Verdict> {
    if (folder !== undefined && typeof folder !== 'string') throw misused('toMatchPages', 'the path of a folder')
    const result = resultOf('toMatchPages', received)
    const pages = pagesNamed(result, folder, (options ?? {}) as PageOptions)
    return matchPages(result, pages).then(({ pass, message }) => ({ pass, message: () => message }))
  },

  toSatisfyContract(received: unknown, contract?: unknown): Verdict {
    const issues = issuesOf(received, contract)
    const pass = issues.length === 0
    const message = () =>
      pass
        ? 'The value satisfies the contract.'
        : ['The value does not satisfy the contract:', ...issues.map(lineOf)].join('\n')
    return { pass, message }
  },
}

function issuesOf(received: unknown, contract: unknown): readonly Issue[] {
  if (isResult(received)) {
    if (contract === undefined) return received.setting.inputIssues()
    throw new TypeError('toSatisfyContract(contract) takes a value: expect(doc.output).toSatisfyContract(…).')
  }
  if (isContract(contract)) return contract.issuesOf(received)
  const isSchema = typeof contract === 'object' && contract !== null
  if (!isSchema)
    throw misused('toSatisfyContract', "a contract, such as quire('.').contract('invoice'), or a JSON Schema")
  return contractOf('given', JSON.stringify(contract)).issuesOf(received)
}

function isContract(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'issuesOf' in value && typeof value.issuesOf === 'function'
}

function isRows(value: unknown): value is readonly (readonly Cell[])[] {
  const isCell = (cell: unknown) =>
    ['string', 'number'].includes(typeof cell) || (typeof cell === 'object' && cell !== null)
  const isRow = (row: unknown) => Array.isArray(row) && row.length > 0 && row.every(isCell)
  return Array.isArray(value) && value.length > 0 && value.every(isRow)
}

function lineOf({ path, message }: Issue): string {
  return `  ${path === '' ? '' : `${path}: `}${message}`
}

/** @throws TypeError for what is no result, above all for a promise of one */
function resultOf(matcher: string, received: unknown): Made {
  if (isResult(received)) return received
  const hint = received instanceof Promise ? '; await it before' : ''
  throw new TypeError(`expect(…).${matcher} takes what run() made${hint}.`)
}

function misused(matcher: string, wanted: string): TypeError {
  return new TypeError(`${matcher} takes ${wanted}.`)
}
