/** What is said of tags in places that can't be divided. */

export const indivisible = 'begins or ends inside of something that cannot be divided.'
export const indivisibleHint = 'Put the tag in text of its own, outside of fields, content controls and section breaks.'

export const keepMessage = '{{#keep}} keeps whole paragraphs or rows together, and has other text beside it here.'
export const keepHint =
  'Write {{#keep}} into a paragraph of its own before those that stay together, and {{#end}} into one behind them.'
export const keepElseHint = 'Close the {{#if}} with {{#end}} before, or put {{#keep}} around all of it.'
