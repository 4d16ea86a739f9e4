/** Adds a capital and a full stop: in findings on one line, the hint follows the message directly. */
export function sentence(text: string): string {
  const capital = text.replace(/^[a-z]/, (letter) => letter.toUpperCase())
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
