/** The session and the first records of a list, which the first script of a page asks for. */
export type Early = {
  /** null: the answer is an error. */
  session?: Promise<unknown>
  list?: {
    /** What was asked, as `keyOf` writes it. */
    asked: string
    answer: Promise<unknown>
    /** The answer, once it is here. */
    answered: unknown
  }
}

declare global {
  interface Window {
    early?: Early
  }
}

// If the browser has the other scripts in its cache, they may run before the first one. They then ask the server, and the
// first script asks for nothing.
window.early ??= {}

/** The session that was asked for early, once. null: it was not asked for, or the answer is an error. */
export async function takeEarlySession(): Promise<unknown> {
  const session = window.early?.session
  delete window.early?.session
  return session ?? null
}
