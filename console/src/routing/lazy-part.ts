import { type ComponentType, createElement, type ReactNode, use } from 'react'

/** A component whose file loads when it is first shown, or with `preload`. */
export type LazyPart<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> }

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never

/** A component that loads later. Show it inside `Suspense`, unless it is a page. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyPart<PropsOf<Module[Name]>> {
  let part: ComponentType<object> | null = null
  let loading: Promise<void> | null = null
  let error: unknown = null
  const preload = () => {
    if (part) return Promise.resolve()
    error = null
    loading ??= load().then(
      (module) => {
        part = module[name] as ComponentType<object>
      },
      (reason: unknown) => {
        loading = null
        error = reason
      },
    )
    return loading
  }
  const Lazy = (props: object) => {
    if (error) throwOrReload(error)
    if (!part) use(preload())
    // `use` returns for a promise that is resolved.
    return part && createElement(part, props)
  }
  return Object.assign(Lazy, { preload }) as LazyPart<PropsOf<Module[Name]>>
}

/**
 * After an update of Crosswalk, the server no longer has the files of the open page. Loading the page again, once, gets
 * the new ones.
 */
function throwOrReload(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  const place = `reload:${message}`
  if (
    /dynamically imported module|Importing a module script failed/i.test(message) &&
    !sessionStorage[place]
  ) {
    sessionStorage.setItem(place, '1')
    location.reload()
    throw new Promise(() => {}) // waits for the new page
  }
  throw error
}
