/** What others wrote, as it is printed: without control characters, which could move a terminal's cursor. */

/** In one line. */
export function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

/** With its lines and tabs. */
export function plainLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, ' ')
}
