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

// From now on, the other scripts ask themselves. With a full cache, they may be here before the first one.
window.early ??= {}

/** The session that was asked for early, once. null: it was not asked for, or the answer is an error. */
export async function takeEarlySession(): Promise<unknown> {
  const session = window.early?.session
  delete window.early?.session
  return session ?? null
}
