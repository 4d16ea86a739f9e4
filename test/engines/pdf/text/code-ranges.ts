/** The characters that a predicate holds for, as ranges in hexadecimal: `41-5a 61-7a`. Unicode's first four planes. */
export function rangesOf(holds: (code: number) => boolean): string {
  const end = 0x40000
  const ranges: string[] = []
  let from = -1
  for (let code = 0; code <= end; code++) {
    const isIn = code < end && holds(code)
    if (isIn && from < 0) from = code
    if (isIn || from < 0) continue
    ranges.push(from === code - 1 ? hex(from) : `${hex(from)}-${hex(code - 1)}`)
    from = -1
  }
  return ranges.join(' ')
}

function hex(code: number): string {
  return code.toString(16)
}
