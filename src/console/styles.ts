/** Styles of screens that few visits open: loaded with the first of them, so that the shell stays small. */

let loading: Promise<void> | undefined

/** Resolves when they are there, or can't be loaded: a screen without them is better than none. */
function loadStyles(): Promise<void> {
  // The build puts the file's name into the page; a page that was not built has none.
  const href = document.querySelector<HTMLMetaElement>('meta[name=screens]')?.content ?? ''
  if (href === '') return Promise.resolve()
  loading ??= new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = () => resolve()
    link.onerror = () => {
      // The next screen that wants them tries again.
      loading = undefined
      link.remove()
      resolve()
    }
    document.head.append(link)
  })
  return loading
}

/** A screen's code together with its styles. */
export async function styled<View>(code: Promise<View>): Promise<View> {
  const [view] = await Promise.all([code, loadStyles()])
  return view
}
