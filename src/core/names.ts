/** The names in a table of the program's own, in the order of its rows. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // An object may have more members than its type says; a table that is written out here has not.
  return Object.keys(table) as (keyof Table & string)[]
}
