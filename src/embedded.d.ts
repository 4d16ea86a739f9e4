// What an import of a file that is not code yields. `with { type: 'file' }` gives its path, on disk from source and in
// the embedded file system when compiled; `with { type: 'text' }` gives its content.
declare module '*.docx' {
  const path: string
  export default path
}
declare module '*.pack' {
  const path: string
  export default path
}
declare module '*.yaml' {
  const text: string
  export default text
}
declare module '*.txt' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}
