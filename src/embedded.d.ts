// What an import of a non-code file returns: with `with { type: 'file' }` its path (on disk when run from source, in the embedded
// file system when compiled), and with `with { type: 'text' }` its content.
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
