/** Liang patterns of the `hyphen` package, imported with `{ type: 'file' }`: the path of the file. */
declare module 'hyphen/patterns/*.js' {
  const path: string
  export default path
}
