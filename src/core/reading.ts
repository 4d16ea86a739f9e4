/**
 * The rules by which sources are read. Rules that refuse what they once accepted, or take it for something else, get the
 * next number. A frozen version keeps the number it was frozen under, so that it makes the same documents for ever.
 *
 * 1: conditions were single comparisons, and a pointer went to the end of its tag; minutes were taken for what the
 *    author wrote; nested loops in a list item repeated text. Ingestion models had every number that YAML has.
 * 2: conditions have a grammar; what can't be read is refused. Ingestion models have no tags and only exact JSON numbers, and
 *    their conditions are compared with the contract. Locales are those of the table; before, an unknown region meant its
 *    language. Hours to 12 want a half of the day, and a pair of quotes inside quoted text is a quote in numbers too.
 * 3: the paragraph or row of an `{{#else}}` and the `{{#end}}` behind it goes; before, its tags were printed.
 * 4: tags in the titles and tags of check boxes are read; before, they stayed there.
 * 5: `*` as a name in a tag is refused, and so is `./name` outside of blocks; before, the one was never there, and the
 *    other was a member of the data itself. CSV whose first line shows another delimiter or other quotes is refused, as are
 *    unseen characters in names, and U+FFFD in CSV and XML.
 * 6: locales write as CLDR has them; before, a currency had one sign in all of them, names of months and days had fewer
 *    forms, and some forms were those of an earlier CLDR. A path as the text of `default` is refused, and so is a negative count of `$take`; before,
 *    the one was printed, and the other gave nothing. `$pad` puts zeros behind a sign; before, it put them before it.
 *    A loop around all text of a list item repeats the item also where a block around several items ends there.
 *
 * From 6 on each comes with a migration of its own, `reading_6`, that only selects 1: a version that doesn't know the
 * number may not make documents beside one that freezes under it (decision 28).
 */
export type Reading = 1 | 2 | 3 | 4 | 5 | 6

/** How drafts and files are read, and what they are frozen under. */
export const newestReading: Reading = 6
