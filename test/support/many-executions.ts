import { Database } from 'bun:sqlite'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the one execution of a stopped program, and its steps, under new ids, each a second older than the one before.
 *
 * @param folder the program's working directory
 */
export function copyExecution(folder: string, copies: number): void {
  const data = join(folder, 'quire-data')
  const file = readdirSync(data).find((name) => name.endsWith('.db'))
  if (file === undefined || !existsSync(join(data, file))) throw new Error(`there is no database in ${data}`)
  const database = new Database(join(data, file))
  type Row = Record<string, string | number | null>
  const execution = database.query<Row, []>('select * from executions').get()
  const steps = database.query<Row, []>('select * from steps').all()
  if (execution === null) throw new Error('no execution ran')
  const insert = (table: string, row: Row) => {
    const names = Object.keys(row)
    const places = names.map(() => '?').join(', ')
    database.query(`insert into ${table} (${names.join(', ')}) values (${places})`).run(...Object.values(row))
  }
  database.transaction(() => {
    for (let copy = 1; copy <= copies; copy++) {
      const id = `01900000-0000-7000-8000-${String(copy).padStart(12, '0')}`
      const at = new Date(Date.now() - copy * 1000).toISOString().replace('Z', '000000Z')
      insert('executions', { ...execution, id, created_at: at, updated_at: at, completed_at: at })
      for (const [index, step] of steps.entries()) {
        const stepId = `01900000-0000-7000-800${index + 1}-${String(copy).padStart(12, '0')}`
        insert('steps', { ...step, id: stepId, execution_id: id })
      }
    }
  })()
  database.close()
}
