/** Texts by their English; `{0}`, `{1}` … are the values in the order of the English text. */
export type Catalogue = Readonly<Record<string, string>>
