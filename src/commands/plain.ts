/**
 * Foreign text, made safe to print: without control characters, which could move a terminal's cursor, and without those that
 * show a text in another order than it has (CVE-2021-42574).
 */

/** In one line. */
export function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** With its lines and tabs. */
export function plainLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}
