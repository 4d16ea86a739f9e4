/**
 * The rules by which sources are read. Rules that refuse what was accepted before, or read it differently, get the next number. A frozen
 * version keeps its number, so that it makes the same documents for ever.
 *
 * 1: conditions were single comparisons, and a pointer extended to the end of its tag; minutes were read as whatever the
 *    author wrote; nested loops in a list item repeated text. Ingestion models accepted every YAML number.
 * 2: conditions have a grammar; anything unreadable is refused. Ingestion models have no tags and only exact JSON numbers, and
 *    their conditions are checked against the contract. Locales are those of the table; before, an unknown region meant its
 *    language. 12-hour fields need a half of the day, and a pair of quotes inside quoted text is a quote in numbers too.
 * 3: the paragraph or row shared by an `{{#else}}` and its `{{#end}}` is removed; before, their tags were printed.
 * 4: tags in the titles and tags of check boxes are read; before, they remained as text.
 * 5: `*` as a name in a tag is refused, and so is `./name` outside of blocks; before, the first never had a value, and the
 *    second was a member of the data itself. CSV is refused if its first line shows another delimiter or other quotes, and so
 *    are invisible characters in names, and U+FFFD in CSV and XML.
 * 6: locales write as CLDR does; before, a currency had one sign in all of them, names of months and days had fewer forms,
 *    and some forms were those of an earlier CLDR. A path as the text of `default` is refused, and so is a negative count of
 *    `$take`; before, the first was printed, and the second gave nothing. `$pad` puts zeros after a sign; before, it put them
 *    before it. A loop around all text of a list item repeats the item even if a block around several items ends there.
 *
 * From 6 on, each number comes with a migration of its own, `reading_6`, that only selects 1: a version that doesn't know the number must
 * not make documents beside one that freezes under it (decision 28).
 */
export type Reading = 1 | 2 | 3 | 4 | 5 | 6

/** How drafts and files are read, and what they are frozen under. */
export const newestReading: Reading = 6
