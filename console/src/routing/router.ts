import { replaceEqualDeep } from '@tanstack/react-query'
import { startTransition } from 'react'
import type { LazyPart } from './lazy-part.ts'
import { checkedSearch, isBelow, Redirect, type Site } from './page.ts'
import { type AnyTarget, type Manner, type Place, paramsIn, pathnameOf } from './paths.ts'
import { Scrolls } from './scrolls.ts'
import { readSearch, type Search, searchText } from './search-text.ts'

/** What the window shows: a page, or the error because of which it cannot be shown. */
export type Shown = { place: Place; error: unknown }

/** Asks before the person leaves a page. */
export type Guard = { isNeeded: () => boolean; ask: () => Promise<boolean> }

type Url = { pathname: string; search: string; hash: string }

/** What the history of the browser stores with an entry. `index` says in which direction a person goes. */
type Entry = { index: number; key: string }

/**
 * Shows the page of the address, and changes the address. The page that is shown stays until the files of the next one
 * are loaded.
 */
export class Router {
  readonly site: Site
  readonly scrolls = new Scrolls()
  shown: Shown | null = null
  /** The page of the address. The window may still show the page before it. */
  #latest: Place
  #index: number
  #turn = 0
  #ignoresPop = false
  #guard: Guard | null = null
  #show: (shown: Shown) => void = () => {}

  constructor(site: Site) {
    this.site = site
    const { index, key } = this.#entry(0)
    this.#index = index
    this.#latest = this.#placeOf(window.location, key)
    window.addEventListener('popstate', () => void this.#pop())
    window.addEventListener('beforeunload', (event) => {
      if (this.#guard?.isNeeded()) event.preventDefault()
    })
    this.scrolls.watch()
    // The page dropped the values that it does not know.
    if (this.#latest.path) history.replaceState({ index, key }, '', this.#urlOf(this.#latest.href))
    void this.#load()
  }

  /** Calls `show` when another page is to be shown. Returns a function that ends this. */
  subscribe(show: (shown: Shown) => void): () => void {
    this.#show = show
    if (this.shown) show(this.shown)
    return () => {
      this.#show = () => {}
    }
  }

  /** Asks `guard` before the page changes or is closed. Returns a function that ends this. */
  guard(guard: Guard): () => void {
    this.#guard = guard
    return () => {
      this.#guard = null
    }
  }

  /** The address of a page on the server. `from`: the page that has the link. */
  hrefOf(target: AnyTarget, from: Place): string {
    return this.#urlOf(this.#hrefOf(target, from))
  }

  /** The path of a target. `from`: the page that has the link. */
  pathnameOf({ to = '.', params }: AnyTarget, from: Place): string {
    return to === '.' ? from.pathname : pathnameOf(to, params)
  }

  /** Loads the files of a page, so that it opens at once. */
  preload(target: AnyTarget): void {
    if (target.to) for (const { preload } of this.partsOf(target.to)) void preload()
  }

  /**
   * Opens a page, or an address of the console. Resolves when the window shows it, or when the person chose to stay.
   * @param from the page that asks: if the person already left this path or this organization, nothing happens
   */
  async navigate(
    { href, replace = false, ignoreGuard = false, ...target }: AnyTarget & Manner & { href?: string },
    from: { path?: string | undefined; orgId?: string | undefined } = {},
  ): Promise<void> {
    const { path, params } = this.#latest
    if (from.path !== undefined && path !== from.path) return
    if (from.orgId !== undefined && params.orgId !== from.orgId) return
    const url = new URL(href ?? this.#hrefOf(target, this.#latest), window.location.origin)
    const { search, hash } = url
    const next = this.#placeOf({ pathname: this.site.base + url.pathname, search, hash }, newKey())
    if (!ignoreGuard && this.#isGuarded(next) && !(await this.#guard?.ask())) return
    if (next.href === this.#latest.href) return this.#load()
    if (replace) this.#latest = { ...next, key: this.#latest.key }
    else {
      this.#index++
      this.#latest = next
    }
    const entry: Entry = { index: this.#index, key: this.#latest.key }
    history[replace ? 'replaceState' : 'pushState'](entry, '', this.#urlOf(next.href))
    return this.#load()
  }

  /** The person used the buttons of the browser, or changed the fragment. */
  async #pop(): Promise<void> {
    if (this.#ignoresPop) {
      this.#ignoresPop = false
      return
    }
    const before = this.#index
    const { index } = this.#entry(before + 1)
    if (this.#isGuarded(this.#placeOf(window.location, '')) && !(await this.#guard?.ask())) {
      if (index === before) return
      this.#ignoresPop = true
      history.go(before - index)
      return
    }
    const entry = this.#entry(before + 1)
    this.#index = entry.index
    this.#latest = this.#placeOf(window.location, entry.key)
    return this.#load()
  }

  #isGuarded(next: Place): boolean {
    // A change of filters or mode keeps the page and the typed text.
    return next.pathname !== this.#latest.pathname && this.#guard?.isNeeded() === true
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn
    const place = this.#latest
    let error: unknown = null
    try {
      const { pages, frames } = this.site
      const own = place.path === null ? undefined : pages[place.path]?.enter
      const frame = frames.find(({ path, enter }) => enter && place.path && isBelow(place.path, path))
      const entered = (own ?? frame?.enter)?.(place)
      await Promise.all([entered, ...this.partsOf(place.path).map(({ preload }) => preload())])
    } catch (thrown) {
      if (turn !== this.#turn) return
      if (thrown instanceof Redirect)
        return this.navigate({ ...thrown.target, replace: true, ignoreGuard: true })
      error = thrown
    }
    if (turn !== this.#turn) return
    if (this.shown) this.scrolls.store(this.shown.place.key)
    const shown = { place, error }
    // A page stays until the next one can be shown. A choice on the same page must be seen at once.
    if (this.shown?.place.pathname === place.pathname) this.#show(shown)
    else startTransition(() => this.#show(shown))
    this.shown = shown
  }

  /** The frames and the page of a path, outermost first. null: no page has the address. */
  partsOf(path: string | null): readonly LazyPart<object>[] {
    const page = path === null ? undefined : this.site.pages[path]
    if (path === null || !page) return [this.site.missing]
    return [
      ...this.site.frames.filter((frame) => isBelow(path, frame.path)).map(({ part }) => part),
      page.part,
    ]
  }

  /** What the history stores with the present entry. A link to a fragment makes one without anything. */
  #entry(index: number): Entry {
    const stored = history.state as Partial<Entry> | null
    if (stored?.index !== undefined && stored.key !== undefined)
      return { index: stored.index, key: stored.key }
    const entry = { index, key: newKey() }
    history.replaceState(entry, '')
    return entry
  }

  #placeOf(url: Url, key: string): Place {
    const pathname = url.pathname.slice(this.site.base.length).replace(/\/+$/, '') || '/'
    const found = Object.keys(this.site.pages)
      .flatMap((path) => {
        const params = paramsIn(path, pathname)
        return params ? [{ path, params }] : []
      })
      // An address may fit two paths. The one with fewer parameters is meant.
      .sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0]
    const { path = null, params = {} } = found ?? {}
    const read = readSearch(url.search)
    const search = path === null ? read : checkedSearch(this.site, path, read)
    const hash = url.hash.slice(1)
    const before = this.shown?.place
    return {
      ...{ path, pathname, params, hash, key },
      // Equal values stay the same objects, so that nothing is computed again because of them.
      search: before?.path === path ? replaceEqualDeep(before.search, search) : search,
      href: pathname + searchText(search) + url.hash,
    }
  }

  #hrefOf(target: AnyTarget, from: Place): string {
    const path = target.to === undefined || target.to === '.' ? from.path : target.to
    const { search: asked = {}, hash } = target
    const next = (typeof asked === 'function' ? asked(from.search) : asked) as Search
    const kept = this.site.frames.filter((frame) => frame.kept && path !== null && isBelow(path, frame.path))
    const all = { ...Object.fromEntries(kept.map(({ kept = '' }) => [kept, from.search[kept]])), ...next }
    const search = path === null ? all : checkedSearch(this.site, path, all)
    const fragment = hash === true ? from.hash : (hash ?? '')
    return this.pathnameOf(target, from) + searchText(search) + (fragment && `#${fragment}`)
  }

  #urlOf = (href: string): string => this.site.base + (href === '/' ? '' : href)
}

const newKey = () => String(Math.random())
