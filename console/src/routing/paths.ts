import type { Search } from './search-text.ts'

/** `pages.tsx` adds the pages of the console to this type: `Link` and the hooks thus know them. */
// biome-ignore lint/suspicious/noEmptyInterface: pages.tsx fills it
export interface Register {}

type Pages = Register extends { pages: infer Known } ? Known : Record<never, never>

/** A page of the console, such as `/o/$orgId/people`. `$` marks the names of parameters. */
export type Path = keyof Pages & string

type Names<Text extends string> = Text extends `${string}$${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Text extends `${string}$${infer Name}`
    ? Name
    : never

/** The parameters of a path. */
export type ParamsOf<Of extends Path> = Record<Names<Of>, string>

type OwnSearch<Of extends Path> = Pages[Of] extends { read?: (search: never) => infer Found extends object }
  ? Found
  : object

/** What a page reads from the values after the question mark. Every page of an organization has a mode. */
export type SearchOf<Of extends Path> = OwnSearch<Of> &
  (Of extends `/o/${string}` ? { mode?: 'test' | undefined } : unknown)

/** A page that a link or a program leads to. */
export type Target<To extends Path> = {
  to: To
  /** The values after the question mark. A function gets those of the present page. */
  search?: SearchOf<To> | ((all: SearchOf<To>) => SearchOf<To>)
  /** The fragment, without its number sign. true: the present one. */
  hash?: string | true
} & ([Names<To>] extends [never] ? { params?: undefined } : { params: ParamsOf<To> })

/** The present page with other values after the question mark. */
export type Change<All extends object> = {
  to?: '.'
  search: All | ((all: All) => All)
  hash?: string | true
}

/** How the page of the address changes. */
export type Manner = {
  /** Replaces the present page in the history: the back button does not lead to it. */
  replace?: boolean
  /** Does not ask about unsaved text. */
  ignoreGuard?: boolean
}

/** A target, after the type check. */
export type AnyTarget = {
  to?: string
  params?: Readonly<Record<string, string>> | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a function of one page gets the values of this page
  search?: Search | object | ((all: any) => object)
  hash?: string | true
}

/** The present page. */
export type Place = {
  /** The path without its parameters, such as `/o/$orgId/people`; null: no page has this address. */
  path: string | null
  /** The address below `/console`. */
  pathname: string
  params: Readonly<Record<string, string>>
  search: Search
  /** The fragment, without its number sign. */
  hash: string
  /** The whole address below `/console`. */
  href: string
  /** Names the entry of the browser's history. */
  key: string
}

/** Returns the parameters of a path in an address, or null if the address is that of another page. */
export function paramsIn(path: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [path.split('/'), pathname.split('/')]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, name] of wanted.entries()) {
    const text = given[at] ?? ''
    if (!name.startsWith('$')) {
      if (name !== text) return null
    } else if (text) params[name.slice(1)] = decoded(text)
    else return null
  }
  return params
}

/** Returns the address of a path with parameters. */
export const pathnameOf = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
