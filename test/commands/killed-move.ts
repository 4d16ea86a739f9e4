/** Moves the store of a data folder, and is killed at a point: the folder, the URLs to move to, the point and its count. */
import { join } from 'node:path'
import { moveStore } from '../../src/commands/move.ts'

const [dataFolder, toDatabase, toObjects, point, at] = process.argv.slice(2) as [string, string, string, string, string]
let left = Number(at)
const from = {
  fromDatabase: `file:${join(dataFolder, 'quire.db')}`,
  fromObjects: `file:${join(dataFolder, 'objects')}`,
}
await moveStore({ ...from, toDatabase, toObjects }, (reached) => {
  if (reached === point && --left === 0) process.kill(process.pid, 'SIGKILL')
})
