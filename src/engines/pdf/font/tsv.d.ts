declare module '*.tsv' {
  /** The path of the embedded file: on disk from source, in the executable after compiling. */
  const path: string
  export default path
}
