import { type ComponentType, createElement, type ReactNode, use } from 'react'
import { ConnectionError } from '../../../sdk/src/errors.ts'
import { answersAgain, isAnswered } from './answers.ts'

/** A component whose file loads when it is first shown, or with `preload`. */
export type LazyPart<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> }

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never

/**
 * A component that loads later. Show it inside `Suspense`, unless it is a page.
 * @param isPage If the server does not answer, a page says so. Any other part appears when the server answers again, so
 * that the page around it keeps what a person typed.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  isPage = false,
): LazyPart<PropsOf<Module[Name]>> {
  let part: ComponentType<object> | null = null
  let loading: Promise<void> | null = null
  let waiting: Promise<void> | null = null
  let error: unknown = null
  const preload = () => {
    if (part) return Promise.resolve()
    error = null
    loading ??= load().then(
      (module) => {
        part = module[name] as ComponentType<object>
      },
      async (reason: unknown) => {
        error = (await isAnswered()) ? reason : new ConnectionError('The server did not answer')
        loading = null
      },
    )
    return loading
  }
  const loadLater = () => {
    waiting ??= answersAgain()
      .then(preload)
      .finally(() => {
        waiting = null
      })
    return waiting
  }
  const Lazy = (props: object) => {
    if (error instanceof ConnectionError && !isPage) use(loadLater())
    else if (error) throwOrReload(error)
    else if (!part) use(preload())
    // `use` returns for a promise that is resolved.
    return part && createElement(part, props)
  }
  return Object.assign(Lazy, { preload }) as LazyPart<PropsOf<Module[Name]>>
}

// A style sheet that failed would stay in the page. The next try would take it for loaded, and show a part without it.
window.addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true)

/**
 * After an update of Crosswalk, the server no longer has the files of the open page. Loading the page again, once, gets
 * the new ones.
 */
function throwOrReload(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  const place = `reload:${message}`
  if (
    /dynamically imported module|Importing a module script failed|preload CSS/i.test(message) &&
    !sessionStorage[place]
  ) {
    sessionStorage.setItem(place, '1')
    location.reload()
    throw new Promise(() => {}) // waits for the new page
  }
  throw error
}
