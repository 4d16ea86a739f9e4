/** A job that people give a transformer, with what it has to make by plain TypeScript that knows nothing of the engine. */
export interface Job {
  name: string
  /** Without the line `transform`. */
  source: string
  inputs: readonly unknown[]
  expected(input: unknown): unknown
}

export function job<I>(name: string, source: string, inputs: readonly I[], expected: (input: I) => unknown): Job {
  return { name, source, inputs, expected: (input) => expected(input as I) }
}

/** Half away from zero, of numbers whose cents a double tells apart. */
export function cents(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 100 + 1e-7)) / 100
}

export function total(values: readonly number[]): number {
  return cents(values.reduce((sum, value) => sum + value, 0))
}

/** `1,234.50` */
export function grouped(value: number): string {
  const [whole = '', part] = value.toFixed(2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}

const day = 86_400_000

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / day
}

export function daysLater(from: string, days: number): string {
  return new Date(Date.parse(from) + days * day).toISOString().slice(0, 10)
}
