/** Colours for terminals. They only ever add to a text: without them it is the same to the byte. */

/** What colours are written to. */
export interface ColourStream {
  isTTY?: boolean
}

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, faint: 2 } as const
export type Colour = keyof typeof codes

/** Gives a text a colour, or leaves it as it is. */
export type Paint = (text: string, colour: Colour) => string

/**
 * Only a terminal gets colours, unless FORCE_COLOR asks for them elsewhere, such as in the log of a CI. NO_COLOR, or a terminal that
 * has none, takes them away, whatever else is set (https://no-color.org).
 */
export function paintFor(
  stream: ColourStream,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Paint {
  const { NO_COLOR: refused = '', FORCE_COLOR: forced = '', TERM: terminal } = environment
  const isForced = !['', '0', 'false'].includes(forced)
  const isWanted = isForced || (stream.isTTY === true && forced === '' && terminal !== 'dumb')
  if (refused !== '' || !isWanted) return (text) => text
  return (text, colour) => (text === '' ? '' : `\x1b[${codes[colour]}m${text}\x1b[0m`)
}

/** Colours of the parts of a report's lines that a pattern matches. The first pattern that matches a line counts. */
export type Palette = readonly (readonly [pattern: RegExp, colour: Colour])[]

/** A report with the colours of a palette, line by line. */
export function painted(text: string, palette: Palette, paint: Paint): string {
  const lines = text.split('\n').map((line) => {
    const found = palette.find(([pattern]) => pattern.test(line))
    return found === undefined ? line : line.replace(found[0], (part) => paint(part, found[1]))
  })
  return lines.join('\n')
}

/** What `quire test` prints. */
export const testPalette: Palette = [
  [/^failed(?= )/, 'red'],
  [/^ {2,4}-.*/, 'red'],
  [/^ {2,4}\+.*/, 'green'],
  [/^\d+ passed(?=, 0 failed )/, 'green'],
  [/[1-9]\d* failed(?= in [\d.]+ s$)/, 'red'],
]

/** What `quire plan` and `quire apply` print. */
export const planPalette: Palette = [
  [/^create(?= )/, 'green'],
  [/^(?:new version|put in force|publish|describe)(?= )/, 'yellow'],
  [/^ {2}-.*/, 'red'],
  [/^ {2}\+.*/, 'green'],
  [/^ {2}@@.*/, 'cyan'],
  [/(?<=^ {2})breaking(?=: )/, 'red'],
  [/(?<=^ {2})unknown(?=: )/, 'yellow'],
  [/(?<=^ {2})compatible(?=: )/, 'green'],
  [/^(?:cases that do not pass|does not fit):$/, 'red'],
  [/^(?:warnings|changed on the server since .*|scheduled already, .*):$/, 'yellow'],
  [/^not in the folder, .*/, 'faint'],
]
