export interface Chart {
  summary: string
}
