/** Keeps the most recently used values up to a total weight; a single value heavier than that is not kept. */
export class LruCache<Value> {
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  readonly #maxWeight: number
  readonly #onEvict: (key: string) => void
  #weight = 0

  constructor(maxWeight: number, onEvict: (key: string) => void = () => {}) {
    this.#maxWeight = maxWeight
    this.#onEvict = onEvict
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map iterates in insertion order, so inserting it again makes it the most recent.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Whether it is cached; doesn't count as a use. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
      this.#onEvict(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }
}
