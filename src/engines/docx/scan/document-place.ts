/** A place as findings write it, `word/document.xml#12:5`, taken apart. */
export interface DocumentPlace {
  part: string
  /** From 1. */
  paragraph: number
  /** The position of a character, from 0. */
  position: number
}

export function parsePlace(path: string | undefined): DocumentPlace | undefined {
  const match = /^([^#]+)#(\d+):(\d+)$/.exec(path ?? '')
  if (match === null) return undefined
  const [, part = '', paragraph, position] = match
  return { part, paragraph: Number(paragraph), position: Number(position) }
}
