import type { Outcome } from '../core/finding.ts'
import type { IngestionModel } from '../engines/ingestion/ingestion-model.ts'
import type { ContractFile } from './contract-files.ts'

/** Caches compiled files for reading a project repeatedly, so that only changed ones are compiled again. */
export class ProjectMemory {
  readonly contracts = new Remembered<Outcome<ContractFile>>()
  readonly models = new Remembered<Outcome<IngestionModel>>()
  /** The slugs of the templates that a template includes. */
  readonly inclusions = new Remembered<readonly string[]>()

  /** Forgets what the last reading didn't ask for. */
  forgetRest(): void {
    this.contracts.forgetRest()
    this.models.forgetRest()
    this.inclusions.forgetRest()
  }
}

class Remembered<T> {
  private before = new Map<string, T>()
  private now = new Map<string, T>()

  /** What was made under the key, which names all that it is made of. */
  of(key: string, make: () => T): T {
    const made = this.now.get(key) ?? this.before.get(key) ?? make()
    this.now.set(key, made)
    return made
  }

  forgetRest(): void {
    this.before = this.now
    this.now = new Map()
  }
}
