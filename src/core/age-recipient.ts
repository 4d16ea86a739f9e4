/** An X25519 key in Bech32; the library verifies the checksum. Plugin and passphrase recipients are not supported. */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/

/** What is wrong with a recipient; undefined if nothing wrong can be seen without the library. */
export function recipientProblem(text: string): string | undefined {
  // An identity is a secret, so nothing that could be one is shown.
  if (/^AGE-/i.test(text)) return 'it has an identity, which is secret; give its recipient (age-keygen -y FILE)'
  return RECIPIENT.test(text) ? undefined : `"${text}" is no recipient of age, which is age1 and 58 characters more`
}
