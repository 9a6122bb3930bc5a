/** How far the parts of a page were scrolled, for the back button. */
export class Scrolls {
  readonly #moved = new Set<Element>()
  readonly #known = new Map<string, Map<string, { left: number; top: number }>>()

  /** Notes which elements a person scrolls. Returns a function that ends this. */
  watch(): () => void {
    const note = ({ target }: Event) => target instanceof Element && this.#moved.add(target)
    document.addEventListener('scroll', note, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', note, { capture: true })
  }

  /** Stores how far the page is scrolled that the person leaves. */
  store(key: string): void {
    const found = [...this.#moved].filter((element) => element.isConnected)
    const known = this.#known.get(key) ?? new Map()
    for (const element of found)
      known.set(pathOf(element), { left: element.scrollLeft, top: element.scrollTop })
    this.#known.set(key, known)
    this.#moved.clear()
  }

  /** When a person returns to a page, scrolls it to where it was. */
  restore(key: string): void {
    for (const [path, to] of this.#known.get(key) ?? [])
      document.querySelector(path)?.scrollTo({ ...to, behavior: 'instant' })
  }
}

/** The place of an element in the page. */
function pathOf(element: Element): string {
  const steps: string[] = []
  for (let at: Element | null = element; at?.parentElement; at = at.parentElement)
    steps.unshift(`${at.localName}:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`)
  return `:root > ${steps.join(' > ')}`
}
