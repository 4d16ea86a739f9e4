/** A font imported with `{ type: 'file' }` is the path of the file, inside the executable too. */
declare module '*.ttf' {
  const path: string
  export default path
}
declare module '*.otf' {
  const path: string
  export default path
}
