/** Frameworks set the title of a new page after its address. */
const titleMs = 300

/** Notes a view of the current page, and returns what records it. */
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

/** Records the view that waits for its title: before any later event, and before the page goes away. */
export function settlePage(): void {
  clearTimeout(timer)
  const record = settle
  settle = undefined
  record?.()
}
