/** What a transformer without a draft begins with. */
export const starterTransformer = `# JSON in, JSON out. A string that starts with / reads the input; everything is checked as you type.
transform: declarative-v1
# contract: name@1 types what is read; template: slug@1 checks what is written.

output:
  reference: { $default: [/number, ""] }
`
