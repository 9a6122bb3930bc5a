/** The wait for the title of a new page: frameworks set it after the address. */
const titleMs = 300

/** Captures a view of the current page. Returns the function that records it. */
export type View = () => () => void

let lastPath = ''
let timer: ReturnType<typeof setTimeout> | undefined
let settle: (() => void) | undefined

/**
 * Records this page, each page to which a script navigates without a load, and each return from the back/forward cache.
 */
export function watchPages(view: View): void {
  const now = () => {
    lastPath = location.pathname
    view()()
  }
  const moved = () => {
    if (location.pathname === lastPath) return
    settlePage()
    lastPath = location.pathname
    settle = view()
    timer = setTimeout(settlePage, titleMs)
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
  addEventListener('pagehide', settlePage)
  now()
}

/** Records the view that waits for its title. Call this before any later event, and before the page is left. */
export function settlePage(): void {
  clearTimeout(timer)
  const record = settle
  settle = undefined
  record?.()
}
