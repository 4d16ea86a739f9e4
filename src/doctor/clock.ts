/** `3 s ahead of`, `2 min behind`. */
export function differenceInWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const amount =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`
  return `${amount} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
