import { type Canonical, canonicalJson } from '../../src/core/canonical.ts'
import { type Ledger, LedgerDamaged } from '../../src/modules/ledger/ledger.service.ts'
import type { Process, World } from './world.ts'

/** A folder on another disk: what was written there is there, whatever happens to the rest. */
export class SimulatedLedger {
  readonly notes = new Map<string, string>()
  isAway = false

  constructor(readonly world: World) {}

  portOf(process: Process): Ledger {
    const act = <T>(mostMs: number, work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const done = () => {
          if (this.isAway) return reject(new Error('simulated: the folder of the ledger is away'))
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        }
        this.world.after(this.world.random.between(0.1, mostMs), done, process)
      })
    return {
      names: (kind) =>
        act(1, () => {
          const start = `${kind}.`
          const names = [...this.notes.keys()].filter((name) => name.startsWith(start))
          const ids = new Set(names.map((name) => name.slice(start.length)))
          return { inSome: ids, inAll: ids }
        }),
      read: (kind, id) =>
        act(1, () => {
          const text = this.notes.get(`${kind}.${id}`)
          if (text === undefined) throw new LedgerDamaged(`simulated: no note ${kind}.${id}`)
          return JSON.parse(text)
        }),
      write: (kind, id, content: Canonical) =>
        act(5, () => void this.notes.set(`${kind}.${id}`, canonicalJson(content))),
    }
  }
}
