/** Markdown is turned into HTML when the console is built, by scripts/build-console.ts. */
declare module '*.md' {
  const html: string
  export default html
}
