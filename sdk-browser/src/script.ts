import { client, init } from './client.ts'
import type { Options } from './options.ts'
import { warn } from './warn.ts'

type Call = [method: string, ...args: unknown[]]
type Global = { (...call: Call): void; q?: ArrayLike<unknown>[]; isLoaded?: true }

const page = window as { crosswalk?: Global }
/** The folder above the script: the server, or the proxy path of the site that leads to it. */
const host = new URL('..', (document.currentScript as HTMLScriptElement | null)?.src ?? location.href).href

/** Calls before `init`. */
let early: Call[] | null = []

function call(...[method, ...args]: Call): void {
  if (method === 'init') {
    init(args[0] as string, { host, ...(args[1] as Options | undefined) })
    const calls = early ?? []
    early = null
    for (const each of calls) call(...each)
  } else if (early && method !== 'consent') early.push([method, ...args])
  else if (Object.hasOwn(client, method))
    (client as Record<string, (...all: unknown[]) => void>)[method]?.(...args)
  else warn(`there is no call ${method}`)
}

if (!page.crosswalk?.isLoaded) {
  const calls = Array.from(page.crosswalk?.q ?? [], (each) => Array.from(each) as Call)
  page.crosswalk = Object.assign(call, { isLoaded: true as const })
  // Apply the consent first: nothing may be stored before it is known.
  const order = ([method]: Call) => (method === 'consent' ? 0 : 1)
  for (const each of calls.sort((one, other) => order(one) - order(other))) call(...each)
}
