/** Ids are signed 32-bit. One near the maximum is ignored, so that the ids after it stay in range. */
export function idOf(text: string | undefined): number {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 && id < 2_000_000_000 ? id : 0
}
