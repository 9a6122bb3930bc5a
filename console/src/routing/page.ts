import type { ComponentType } from 'react'
import { type LazyPart, lazyPart } from './lazy-part.ts'
import type { AnyTarget, Place } from './paths.ts'
import type { Search } from './search-text.ts'

/** Runs before a page is shown. It may throw a `Redirect`, even without a promise. */
type Enter = (place: Place) => Promise<void> | void

/** A page: its component, and what it reads from the values after the question mark. */
export type Page<Read = unknown> = {
  part: LazyPart<object>
  read?: Read
  enter?: Enter | undefined
}

/** A page whose file loads when it is opened, or when the pointer or the focus reaches a link to it. */
export const page = <
  Module,
  Name extends keyof Module,
  Read extends (search: Record<string, unknown>) => object,
>(
  load: () => Promise<Module>,
  name: Name,
  read?: Read,
  enter?: Enter,
): Page<Read> => ({ part: lazyPart(load, name, true) as LazyPart<object>, ...(read && { read }), enter })

/** What surrounds all pages below a path. It shows them with `Outlet`. */
export type Frame = {
  path: string
  part: LazyPart<object>
  read?: (search: Record<string, unknown>) => object
  /** The value after the question mark that links to these pages keep. */
  kept?: string
  /** Runs before its pages, except those that have an `enter` of their own. */
  enter?: Enter
}

/** All pages by their paths, and the frames around them, outermost first. */
export type Site = {
  /** The path of the console on the server. */
  base: string
  pages: Readonly<Record<string, Page>>
  frames: readonly Frame[]
  /** Shown for an address without a page. */
  missing: LazyPart<object>
  /** Shown in place of a page that failed. */
  failed: ComponentType<{ error: unknown }>
}

/** Throw this in `enter` to open another page instead. */
export class Redirect {
  readonly target: AnyTarget
  constructor(target: AnyTarget) {
    this.target = target
  }
}

/** Whether a path is the path of a frame, or begins with it. */
export const isBelow = (path: string, frame: string): boolean =>
  path === frame || path.startsWith(`${frame}/`)

/** Adds what the frames and the page of a path read from the values after the question mark. */
export function checkedSearch(site: Site, path: string, search: Search): Search {
  const readers = [...site.frames.filter((frame) => isBelow(path, frame.path)), site.pages[path]]
  const all = { ...search }
  for (const reader of readers) Object.assign(all, (reader?.read as Frame['read'])?.(all))
  return all
}
