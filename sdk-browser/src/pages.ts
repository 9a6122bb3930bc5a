/** The wait for the title of a new page: frameworks set it after the address. */
const titleMs = 300

/** Captures a view of the current page. Returns the function that records it. */
export type CaptureView = () => () => void

let lastPath = ''
let timer: ReturnType<typeof setTimeout> | undefined
let recordView: (() => void) | undefined

/**
 * Records this page, each page to which a script navigates without a load, and each return from the back/forward cache.
 */
export function watchPages(view: CaptureView): void {
  const now = () => {
    lastPath = location.pathname
    view()()
  }
  const moved = () => {
    if (location.pathname === lastPath) return
    recordWaitingView()
    lastPath = location.pathname
    recordView = view()
    timer = setTimeout(recordWaitingView, titleMs)
  }
  const { navigation } = window as { navigation?: EventTarget }
  if (navigation) navigation.addEventListener('currententrychange', moved)
  else {
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method]
      history[method] = function (this: History, ...args) {
        original.apply(this, args)
        moved()
      }
    }
    addEventListener('popstate', moved)
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) now()
  })
  addEventListener('pagehide', recordWaitingView)
  now()
}

/** Records the view that waits for its title. Call this before any later event, and before the page is left. */
export function recordWaitingView(): void {
  clearTimeout(timer)
  const record = recordView
  recordView = undefined
  record?.()
}
