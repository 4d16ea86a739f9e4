/** What is said of tags in wrong places. */
import type { LocatedTag } from '../scan/tags.ts'

export const indivisible = 'begins or ends inside of something that cannot be divided.'
export const indivisibleHint = 'Put the tag in text of its own, outside of fields, content controls and section breaks.'

export const keepMessage = '{{#keep}} keeps whole paragraphs or rows together, and has other text beside it here.'
export const keepHint =
  'Write {{#keep}} into a paragraph of its own before those that stay together, and {{#end}} into one behind them.'
export const keepElseHint = 'Close the {{#if}} with {{#end}} before, or put {{#keep}} around all of it.'

export const columnsHint =
  'Write both tags into the cell that is repeated, or into the first and the last cell of the same row.'
export const columnsElseHint = 'Put {{#if}} around the table, or give a list that is not empty.'

export function aroundColumnsMessage(tag: LocatedTag): string {
  return `${tag.raw} is around a loop over columns in the same cell, and that loop repeats the whole cell.`
}
export const aroundColumnsHint = 'Put it around the row or the table, or into the loop over columns.'

/** Handlebars closes blocks with {{/each}}, which is a value here. */
export function closeHint(tags: readonly LocatedTag[]): string {
  const foreign = tags.find(({ raw }) => /^\{\{\s*\/(?:each|if|with|unless|for)\s*\}\}$/.test(raw))
  return foreign === undefined ? 'Add {{#end}} where the block ends.' : `Write {{#end}} instead of ${foreign.raw}.`
}

export const openHint = 'Open a block with {{#each /list}} or {{#if /flag}} before it.'

export const chartHint =
  'Write it into the title of the chart’s alternative text (Format, Alt Text), and nothing beside it.'
