import type { Operators } from './operators.ts'
import type { ObjectNumber } from './write.ts'

/** The kind of a child, in the lower two bits of its entry. */
const Kind = { element: 0, content: 1, other: 2 } as const

/**
 * The children of the structure tree's elements, in their order (14.7.2). Each is an entry of two numbers rather than a
 * string: there are more of them than elements.
 */
export class Kids {
  /** The first and the last entry of each owner; 0 without any. */
  private readonly first: Uint32Array
  private readonly last: Uint32Array
  /** Entries, from 1 on: what they are, and the next one of the same owner. */
  private values: Uint32Array
  private next: Uint32Array
  private count = 1
  /** Children of kinds that are rare, as they are written. */
  private readonly others: string[] = []

  constructor(owners: number) {
    this.first = new Uint32Array(owners)
    this.last = new Uint32Array(owners)
    this.values = new Uint32Array(2 * owners + 1)
    this.next = new Uint32Array(2 * owners + 1)
  }

  element(owner: number, ref: ObjectNumber): void {
    this.add(owner, Kind.element, ref)
  }

  /** A marked-content sequence on the page of the owner itself. */
  content(owner: number, id: number): void {
    this.add(owner, Kind.content, id)
  }

  /** Any other child, as it is written. */
  other(owner: number, syntax: string): void {
    this.add(owner, Kind.other, this.others.push(syntax) - 1)
  }

  private add(owner: number, kind: number, value: number): void {
    if (this.count === this.values.length) {
      this.values = grown(this.values)
      this.next = grown(this.next)
    }
    const entry = this.count++
    this.values[entry] = value * 4 + kind
    const last = this.last[owner] ?? 0
    if (last === 0) this.first[owner] = entry
    else this.next[last] = entry
    this.last[owner] = entry
  }

  /** Writes the children of an owner, with blanks between them. */
  write(owner: number, out: Operators): void {
    const first = this.first[owner] ?? 0
    for (let entry = first; entry !== 0; entry = this.next[entry] ?? 0) {
      if (entry !== first) out.text(' ')
      const value = this.values[entry] ?? 0
      const kind = value & 3
      const what = value >>> 2
      if (kind === Kind.element) out.reference(what)
      else if (kind === Kind.content) out.whole(what)
      else out.text(this.others[what] ?? '')
    }
  }
}

function grown(entries: Uint32Array): Uint32Array {
  const larger = new Uint32Array(entries.length * 2)
  larger.set(entries)
  return larger
}
