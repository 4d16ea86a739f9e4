/** An input in CSV as the table that the model reads; the text beside it is where it is written. */

import { parsePointer } from '../../../core/pointer.ts'
import type { CsvFormat } from '../../../engines/ingestion/csv-format.ts'
import type { CheckedRows } from '../../engines/csv-rows.ts'
import { rich, t } from '../../language.ts'

interface InputRowsProps {
  table: CheckedRows | undefined
  format: CsvFormat
  isEmpty: boolean
  onReveal(line: number): void
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '|': t`vertical bars`,
  '\t': 'tabs',
}

export function InputRows({ table, format, isEmpty, onReveal }: InputRowsProps) {
  const byRow = problemsByRow(table, format)
  return (
    <>
      <h2 class="pane-title">
        {t`Rows`}
        <span class="pane-note pane-end" role="status">
          {table?.isRead === true && !isEmpty ? countText(table) : ''}
        </span>
      </h2>
      {table === undefined && <p class="muted">{t`Reading the contract…`}</p>}
      {table !== undefined && (isEmpty || !table.isRead) && <Expected table={table} {...{ format, isEmpty }} />}
      {table?.isRead === true && !isEmpty && (
        <div class="rows-scroll">
          <table class="table rows-table">
            <thead>
              <tr>
                <th scope="col">{t`Line`}</th>
                {table.columns.map((name) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(({ line, cells }, index) => (
                <tr key={line} data-problem={byRow.has(index)}>
                  <th scope="row">
                    <button
                      type="button"
                      class="link-button"
                      aria-label={t`Show line ${line} in the text`}
                      onClick={() => onReveal(line)}
                    >
                      {line}
                    </button>
                  </th>
                  {cells.map((cell, column) => {
                    const name = table.columns[column] ?? ''
                    const problem = byRow.get(index)?.get(name)
                    return (
                      <td key={name} data-problem={problem !== undefined} data-type={format.types[name]}>
                        {cell === undefined ? <span class="muted">–</span> : cell}
                        {problem !== undefined && <span class="rows-problem">{problem}</span>}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Expected({ table, format, isEmpty }: { table: CheckedRows; format: CsvFormat; isEmpty: boolean }) {
  const { columns } = table
  const separated = t`separated by ${delimiterNames[format.delimiter] ?? format.delimiter}`
  const where = format.header === 'first line' ? t`The first line names the columns` : t`No line names the columns`
  return (
    <>
      <p class="muted">
        {isEmpty
          ? t`This model takes CSV, ${separated}. Drop a .csv file here, choose one, or write the text.`
          : t`The rows show when the text is CSV as the model reads it. Nothing of it is lost.`}
      </p>
      <p class="muted">{rich`${where}; numbers are written with “${format.decimal}”.`}</p>
      {columns.length > 0 && (
        <p class="chips">
          {columns.map((name) => (
            <code class="chip" key={name}>
              {name}
            </code>
          ))}
        </p>
      )}
    </>
  )
}

function countText({ rows, count }: CheckedRows): string {
  if (rows.length < count) return t`the first ${rows.length} of ${count}`
  return count === 1 ? '1 row' : t`${count} rows`
}

/** What is wrong in a row, by column; of the row itself under the empty name. */
function problemsByRow(table: CheckedRows | undefined, format: CsvFormat): Map<number, Map<string, string>> {
  const byRow = new Map<number, Map<string, string>>()
  for (const { path = '', message } of table?.findings ?? []) {
    const [member, row, column = ''] = parsePointer(path) ?? []
    if (member !== format.rows || row === undefined) continue
    const own = byRow.get(Number(row)) ?? new Map<string, string>()
    byRow.set(Number(row), own)
    if (!own.has(column)) own.set(column, message)
  }
  return byRow
}
