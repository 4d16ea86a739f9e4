/** With a capital and a full stop: where a finding is shown in one line, its hint comes right behind its message. */
export function sentence(text: string): string {
  const capital = text.replace(/^[a-z]/, (letter) => letter.toUpperCase())
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
