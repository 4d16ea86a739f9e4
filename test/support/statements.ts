import Database from 'libsql'
import Aside from 'libsql/promise'

interface Prepares {
  prepare(text: string): object
}

interface Executes {
  exec(text: string): Promise<unknown>
}

/**
 * What embedded databases of this process ran during the work, in order, each as its verb and table: `insert events`, `commit`.
 * The client asks for a statement each time that it runs one, so that is where they are counted; commits come by the driver's other form.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = Database.prototype as unknown as Prepares
  const { prepare } = prototype
  const aside = Aside.prototype as unknown as Executes
  const { exec } = aside
  const ran: string[] = []
  aside.exec = function (this: Executes, text: string) {
    ran.push(briefly(text))
    return exec.call(this, text)
  }
  prototype.prepare = function (this: Prepares, text: string) {
    ran.push(briefly(text))
    return prepare.call(this, text)
  }
  try {
    await work()
  } finally {
    prototype.prepare = prepare
    aside.exec = exec
  }
  return ran
}

/** A statement as its verb and table. */
export function briefly(statement: string): string {
  const [verb = ''] = statement.trim().toLowerCase().split(/\s/, 1)
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(statement) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}
